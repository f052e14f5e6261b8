// Minesweeper boards as text: whatever is accepted reads back the same, and its probabilities add
// up.

#include <cmath>

#include "tests/fuzz/target.h"

#include "damier/exact/minesweeper/probabilities.h"
#include "damier/games/minesweeper/minesweeper.h"

using namespace damier;

DAMIER_FUZZ_TARGET(board, input) {
  const games::minesweeper::Minesweeper game;
  const auto board = game.parse_observation(input);
  if (!board) return fuzz::require_one_line(board.error().text());
  const auto again = game.parse_observation(game.observation_text(*board));
  fuzz::require(again.ok() && *again == *board, "an accepted board reads back");
  const auto probabilities =
      exact::minesweeper::probabilities(*board, {.dead_cells = false, .state_limit = 20'000});
  if (!probabilities) return fuzz::require_one_line(probabilities.error().text());
  double sum = 0;
  for (std::size_t i = 0; i < probabilities->bomb.size(); ++i) {
    const double probability = probabilities->bomb[i];
    if (board->cells[i] == games::minesweeper::Code::bomb) {
      sum += 1;
    } else if (probability != exact::minesweeper::Probabilities::kNotMasked) {
      fuzz::require(probability >= 0 && probability <= 1, "a probability is between 0 and 1");
      sum += probability;
    }
  }
  fuzz::require(std::abs(sum - board->bombs) < 1e-6 * (1 + board->bombs),
                "all bombs are somewhere");
}
