// Minesweeper boards as text: whatever is accepted reads back the same.

#include "tests/fuzz/check.h"

#include "damier/games/minesweeper/minesweeper.h"

using namespace damier;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const games::minesweeper::Minesweeper game;
  const auto board = game.parse_observation({reinterpret_cast<const char*>(data), size});
  if (!board) return fuzz::require_one_line(board.error().text()), 0;
  const auto again = game.parse_observation(game.observation_text(*board));
  fuzz::require(again.ok() && *again == *board, "an accepted board reads back");
  return 0;
}
