// Saved games: whatever is accepted is written again to the same game.

#include "tests/fuzz/target.h"

#include "damier/games/saved_game.h"

using namespace damier;
using namespace damier::games;

DAMIER_FUZZ_TARGET(saved_game, text) {
  static const Registry registry = builtin_games();
  const auto saved = parse_saved_game(registry, text, "input");
  if (!saved) return fuzz::require_one_line(saved.error().text());
  const std::string written = dump_pretty(to_json(*saved));
  const auto again = parse_saved_game(registry, written, "written");
  fuzz::require(again.ok(), "a saved game reads back");
  fuzz::require(dump_pretty(to_json(*again)) == written, "to the same text");
}
