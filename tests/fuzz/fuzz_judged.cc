// Positions with their answers: a wrong line is one line of error, accepted ones are legal.

#include <algorithm>

#include "tests/fuzz/target.h"

#include "damier/play/analysis/judged_positions.h"
#include "damier/play/registry.h"

using namespace damier;

DAMIER_FUZZ_TARGET(judged, input) {
  static const auto game = play::builtin_games().make("bremen", {}).value();
  const auto positions = play::read_judged(input, "fuzz", *game);
  if (!positions) return fuzz::require_one_line(positions.error().text());
  for (const auto& position : *positions) {
    const auto legal = position.session->legal_actions();
    for (const auto& move : position.moves) {
      fuzz::require(std::find(legal.begin(), legal.end(), move.move) != legal.end(),
                    "a move of which something is known is legal");
    }
  }
}
