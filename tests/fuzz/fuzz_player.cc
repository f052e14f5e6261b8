// Players and sequential tests as text: an error is one line. The first byte chooses the game.

#include "tests/fuzz/target.h"

#include "damier/play/players/players.h"
#include "damier/play/ratings/statistics.h"
#include "damier/play/registry.h"

using namespace damier;

DAMIER_FUZZ_TARGET(player, input) {
  static const auto toolkits = [] {
    setenv("DAMIER_MODELS", "/nowhere", 1);  // reading models has a target of its own
    const play::Registry registry = play::builtin_games();
    std::vector<std::shared_ptr<const play::Toolkit>> all;
    for (const std::string& game : registry.names()) {
      const games::OptionValues small = {{"board", "2x3"}};
      all.push_back(registry.toolkit(
          registry.make(game, game == "domineering" ? small : games::OptionValues()).value()));
    }
    return all;
  }();
  if (input.empty()) return;
  const auto& toolkit = toolkits[static_cast<std::uint8_t>(input[0]) % toolkits.size()];
  const std::string_view text = input.substr(1);
  const auto sprt = play::parse_sprt(text);
  if (!sprt) fuzz::require_one_line(sprt.error().text());
  // Memory and threads that a text may ask for are not what is tested here.
  if (text.find("table") != text.npos || text.find("threads") != text.npos) return;
  if (text.find("uci") != text.npos) return;  // no programs are started here
  const auto player = play::make_player(*toolkit, text);
  if (!player) return fuzz::require_one_line(player.error().text());
}
