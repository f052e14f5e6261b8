// The leaves of many games, evaluated together by one network, with a small memory of what was
// asked before.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "damier/model/network_evaluator.h"

namespace damier::learn {

// What a network said, by position. A later position may take the place of an earlier one.
template <games::Game G>
class EvaluationCache {
 public:
  using State = typename G::State;
  struct Entry {
    State state = {};
    bool used = false;
    search::Evaluation evaluation;
    std::vector<float> priors;
  };

  explicit EvaluationCache(std::size_t size) : entries_(size) {}  // a power of 2, or 0: none

  const Entry* find(const State& state, std::uint64_t hash) const {
    if (entries_.empty()) return nullptr;
    const Entry& entry = entries_[hash & (entries_.size() - 1)];
    return entry.used && entry.state == state ? &entry : nullptr;
  }
  void keep(const State& state, std::uint64_t hash, const search::Evaluation& evaluation,
            std::span<const float> priors) {
    if (entries_.empty()) return;
    Entry& entry = entries_[hash & (entries_.size() - 1)];
    entry.state = state;
    entry.used = true;
    entry.evaluation = evaluation;
    entry.priors.assign(priors.begin(), priors.end());
  }

 private:
  std::vector<Entry> entries_;
};

// `InPlay` has leaf_moves() and settle(), as SelfPlayGame.
template <games::Game G, class InPlay>
class Leaves {
 public:
  using State = typename G::State;

  Leaves(const G& game, model::NetworkEvaluator<G> evaluator, bool cache)
      : game_(game), evaluator_(std::move(evaluator)), cache_(cache ? kCacheSize : 0) {}

  // True when the answer was known and the game can go on; otherwise it waits for evaluate().
  bool settle_or_wait(const State& leaf, InPlay& in_play) {
    const std::uint64_t hash = game_.hash(leaf);
    if (const auto* known = cache_.find(leaf, hash)) {
      ++cached_;
      in_play.settle(known->evaluation, known->priors);
      return true;
    }
    states_.push_back(leaf);
    waiting_.emplace_back(&in_play, hash);
    return false;
  }

  // All that wait get their answers.
  void evaluate() {
    if (states_.empty()) return;
    evaluator_.ask(states_);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      auto& [in_play, hash] = waiting_[i];
      const auto moves = in_play->leaf_moves();
      priors_.resize(moves.size());
      const search::Evaluation evaluation = evaluator_.answer(i, states_[i], moves, priors_);
      cache_.keep(states_[i], hash, evaluation, priors_);
      in_play->settle(evaluation, priors_);
    }
    asked_ += states_.size();
    ++passes_;
    states_.clear();
    waiting_.clear();
  }

  // What was asked of the network, in how many passes, and what the cache knew.
  std::uint64_t asked() const { return asked_; }
  std::uint64_t passes() const { return passes_; }
  std::uint64_t cached() const { return cached_; }

 private:
  static constexpr std::size_t kCacheSize = std::size_t{1} << 14;

  G game_;
  model::NetworkEvaluator<G> evaluator_;
  EvaluationCache<G> cache_;
  std::vector<State> states_;
  std::vector<std::pair<InPlay*, std::uint64_t>> waiting_;
  std::vector<float> priors_;
  std::uint64_t asked_ = 0, passes_ = 0, cached_ = 0;
};

}  // namespace damier::learn
