// Players and sequential tests as text: an error is one line, a player that is made can move.

#include "tests/fuzz/check.h"

#include "damier/arena/players.h"
#include "damier/arena/registry.h"
#include "damier/arena/statistics.h"

using namespace damier;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto toolkit = [] {
    const arena::Registry registry = arena::builtin_games();
    return registry.toolkit(registry.make("domineering", {{"board", "2x3"}}).value());
  }();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto sprt = arena::parse_sprt(text);
  if (!sprt) fuzz::require_one_line(sprt.error().text());
  // Memory and threads that a text may ask for are not what is tested here.
  if (text.find("table") != text.npos || text.find("threads") != text.npos) return 0;
  const auto player = arena::make_player(*toolkit, text);
  if (!player) return fuzz::require_one_line(player.error().text()), 0;
  return 0;
}
