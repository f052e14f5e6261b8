// What the search thinks of positions without looking ahead: by the hand-written evaluation, or by
// a network. One object a thread; it is told of every move that the search makes and takes back, so
// that a network can update its sums instead of adding them up again.
#pragma once

#include <memory>

#include "damier/games/chess/state.h"
#include "damier/search/chess/evaluation.h"

namespace damier::search::chess {

class EvaluationNetwork;
class NetworkSums;

class PositionEvaluator {
 public:
  // No network: the hand-written evaluation.
  explicit PositionEvaluator(std::shared_ptr<const EvaluationNetwork> network = {});
  ~PositionEvaluator();
  PositionEvaluator(PositionEvaluator&&) noexcept;
  PositionEvaluator& operator=(PositionEvaluator&&) noexcept;

  // A new search begins at this position: forgets every push.
  void reset(const games::chess::State& root);
  // `move` was made in `before` and led to `after`. A null move (the other side is to move, nothing
  // else changed) is pushed by push_null().
  void push(const games::chess::State& before, games::chess::Move move,
            const games::chess::State& after);
  void push_null();
  void pop();

  // Hundredths of a pawn for the side to move, within games::kHeuristicLimit. `state` is the
  // position of the last push, or the root.
  int score(const games::chess::State& state);

 private:
  std::unique_ptr<NetworkSums> sums_;  // none: by hand
  HandWrittenEvaluation hand_written_;
};

}  // namespace damier::search::chess
