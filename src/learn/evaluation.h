// How a network did, position by position; sums are taken in one place.
#pragma once

#include <optional>
#include <vector>

#include "damier/base/numbers/estimate.h"

namespace damier::learn {

// The move that a network chose in a position, beside what is known of it.
struct EvaluatedRow {
  float value = 0;            // what is true: the result for the side to move, -1 to 1
  int distance = 0;           // plies to the end with best play; 0 for a draw
  bool kept = false;          // the move keeps the value
  bool shortest = false;      // and wins as fast, or resists as long, as possible
  double loss = 0;            // how much of the value the move gives away
  bool named = false;         // it is the one that the teacher named
  std::optional<float> said;  // what the network thinks of the position, if it says so
};

struct Evaluation {
  // Against exact values; otherwise against a teacher's moves, of which only some are known to be
  // good: `shortest` and `loss` say nothing then.
  bool exact = true;
  std::vector<EvaluatedRow> rows;
};

// value_kept, shortest, regret, label_accuracy and, where all rows say it, value_accuracy.
std::vector<Metric> metrics_of(const Evaluation& evaluation);

}  // namespace damier::learn
