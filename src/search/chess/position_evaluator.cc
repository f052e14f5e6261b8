#include "damier/search/chess/position_evaluator.h"

#include <utility>

namespace damier::search::chess {

PositionEvaluator::PositionEvaluator(std::shared_ptr<const EvaluationNetwork> network)
    : network_(std::move(network)) {}

PositionEvaluator::~PositionEvaluator() = default;
PositionEvaluator::PositionEvaluator(PositionEvaluator&&) noexcept = default;
PositionEvaluator& PositionEvaluator::operator=(PositionEvaluator&&) noexcept = default;

// The hand-written evaluation looks at the position alone.
void PositionEvaluator::reset(const games::chess::State&) {}
void PositionEvaluator::push(const games::chess::State&, games::chess::Move,
                             const games::chess::State&) {}
void PositionEvaluator::push_null() {}
void PositionEvaluator::pop() {}

int PositionEvaluator::score(const games::chess::State& state) {
  return hand_written_.score(state);
}

}  // namespace damier::search::chess
