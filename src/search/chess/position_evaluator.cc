#include "damier/search/chess/position_evaluator.h"

#include <utility>

#include "damier/search/chess/network_sums.h"

namespace damier::search::chess {

PositionEvaluator::PositionEvaluator(std::shared_ptr<const EvaluationNetwork> network)
    : sums_(network == nullptr ? nullptr : std::make_unique<NetworkSums>(std::move(network))) {}

PositionEvaluator::~PositionEvaluator() = default;
PositionEvaluator::PositionEvaluator(PositionEvaluator&&) noexcept = default;
PositionEvaluator& PositionEvaluator::operator=(PositionEvaluator&&) noexcept = default;

// The hand-written evaluation looks at the position alone.
void PositionEvaluator::reset(const games::chess::State&) {
  if (sums_ != nullptr) sums_->reset();
}
void PositionEvaluator::push(const games::chess::State& before, games::chess::Move move,
                             const games::chess::State&) {
  if (sums_ != nullptr) sums_->push(before, move);
}
void PositionEvaluator::push_null() {
  if (sums_ != nullptr) sums_->push_null();
}
void PositionEvaluator::pop() {
  if (sums_ != nullptr) sums_->pop();
}

int PositionEvaluator::score(const games::chess::State& state) {
  if (sums_ != nullptr) return sums_->score(state);
  return hand_written_.score(state);
}

}  // namespace damier::search::chess
