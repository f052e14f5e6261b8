// Players and sequential tests as text: an error is one line. The first byte chooses the game.

#include "tests/fuzz/check.h"

#include "damier/arena/players.h"
#include "damier/arena/registry.h"
#include "damier/arena/statistics.h"

using namespace damier;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto toolkits = [] {
    setenv("DAMIER_MODELS", "/nowhere", 1);  // reading models has a target of its own
    const arena::Registry registry = arena::builtin_games();
    std::vector<std::shared_ptr<const arena::Toolkit>> all;
    for (const std::string& game : registry.names()) {
      const games::OptionValues small = {{"board", "2x3"}};
      all.push_back(registry.toolkit(
          registry.make(game, game == "domineering" ? small : games::OptionValues()).value()));
    }
    return all;
  }();
  if (size == 0) return 0;
  const auto& toolkit = toolkits[data[0] % toolkits.size()];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto sprt = arena::parse_sprt(text);
  if (!sprt) fuzz::require_one_line(sprt.error().text());
  // Memory and threads that a text may ask for are not what is tested here.
  if (text.find("table") != text.npos || text.find("threads") != text.npos) return 0;
  const auto player = arena::make_player(*toolkit, text);
  if (!player) return fuzz::require_one_line(player.error().text()), 0;
  return 0;
}
