// Rule options, a position and moves of one game, one a line: whatever is accepted must be legal,
// print, and read back the same.

#include <memory>
#include <string>

#include "tests/fuzz/target.h"

#include "damier/base/text/text.h"
#include "damier/games/registry.h"

using namespace damier;
using namespace damier::games;

namespace {

const Registry& registry() {
  static const Registry games = builtin_games();
  return games;
}

std::unique_ptr<Session> start(const AnyGame& game, std::string_view position) {
  if (game.facts().hidden_information) return game.start(Seed{position.size()});
  auto session = game.start_from(position);
  if (!session) {
    fuzz::require_one_line(session.error().text());
    return nullptr;
  }
  const std::string text = (*session)->position_text();
  const auto again = game.start_from(text);
  fuzz::require(again.ok() && (*again)->position_text() == text, "an accepted position reads back");
  fuzz::require((*again)->hash() == (*session)->hash(), "equal positions have equal hashes");
  return *std::move(session);
}

}  // namespace

DAMIER_FUZZ_TARGET(game, input) {
  const auto lines = split(input, '\n');
  if (lines.size() < 2) return;
  const auto options = lines[0].empty() ? Result(OptionValues()) : parse_options(lines[0]);
  if (!options) return fuzz::require_one_line(options.error().text());
  const auto game = registry().make(fuzz::target_name(), *options);
  if (!game) return fuzz::require_one_line(game.error().text());
  const auto session = start(**game, lines[1]);
  if (!session) return;
  for (std::size_t i = 2; i < lines.size() && i < 64; ++i) {
    const auto action = session->parse_move(lines[i]);
    if (!action) {
      fuzz::require_one_line(action.error().text());
      continue;
    }
    if (session->outcome() != Outcome::ongoing) break;
    const std::string text = session->move_text(*action);
    const auto again = session->parse_move(text);
    fuzz::require(again.ok() && *again == *action, "an accepted move reads back");
    session->play(*action);
    session->picture();
    session->position_text();
  }
}
