// Monte Carlo at the root alone: random games after each move, shared out evenly or by a bandit.
#pragma once

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "damier/games/history.h"
#include "damier/search/answer.h"
#include "damier/search/evaluator.h"

namespace damier::search {

// The moves at the root with the sums of their results for the side that moves.
template <games::Game G>
class RootArms {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  explicit RootArms(const games::History<G>& history)
      : game_(history.game()), mover_(game_.side_to_move(history.state())) {
    if (history.outcome() != games::Outcome::ongoing) return;
    for (const Move move : game_.legal_moves(history.state())) {
      games::History<G> after(history);
      after.play(move);
      arms_.push_back({move, after.state(), verdict_of(after.outcome(), mover_)});
    }
  }

  std::size_t size() const { return arms_.size(); }
  Move move(std::size_t i) const { return arms_[i].move; }
  // 0 for a move that was not tried.
  double mean(std::size_t i) const {
    return arms_[i].visits == 0 ? 0 : arms_[i].sum / static_cast<double>(arms_[i].visits);
  }
  std::uint64_t visits(std::size_t i) const { return arms_[i].visits; }

  // A move that ends the game has its result without playing on. After an interrupt fewer games
  // are played, but at least one.
  void play(std::size_t i, std::uint64_t games, RandomStream& random) {
    Arm& arm = arms_[i];
    if (arm.proof != Verdict::unknown) {
      arm.sum += static_cast<double>(games) * value_of(arm.proof);
    } else if (games == 1) {
      arm.sum += result_for(mover_, playout(game_, arm.after, random));
    } else {
      const games::PlayoutTally tally = playouts(game_, arm.after, games, random);
      games = tally.games;
      arm.sum += result_for(mover_, tally);
    }
    arm.visits += games;
  }

  Answer<Move> answer(std::size_t best) const {
    Answer<Move> answer;
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      MoveAnswer<Move> move{.move = arms_[i].move, .value = mean(i), .visits = arms_[i].visits};
      if (arms_[i].proof != Verdict::unknown) move.known = {arms_[i].proof, 1};
      answer.moves.push_back(std::move(move));
      answer.nodes += arms_[i].visits;
    }
    put_best_first(answer.moves, best);
    answer.known = known_from(answer.moves);
    answer.line = {arms_[best].move};
    answer.depth = 1;
    answer.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return answer;
  }

 private:
  struct Arm {
    Move move;
    State after;
    Verdict proof;
    double sum = 0;
    std::uint64_t visits = 0;
  };

  G game_;
  games::Side mover_;
  std::vector<Arm> arms_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The same number of random games for every legal move; the best mean is chosen, at random among
// equals.
template <games::Game G>
class FlatSearch {
 public:
  using Move = typename G::Move;

  // With `last_untried` the last move in the list is not tried and counts as a mean of 0, which is
  // how a published program went wrong.
  explicit FlatSearch(std::uint64_t playouts_per_move, bool last_untried = false)
      : playouts_(std::max<std::uint64_t>(playouts_per_move, 1)), last_untried_(last_untried) {}

  Answer<Move> answer(const games::History<G>& history, const Ask& ask) const {
    assert(ask.random != nullptr);
    RootArms<G> arms(history);
    if (arms.size() == 0) return {};
    std::vector<std::size_t> best;
    for (std::size_t i = 0; i < arms.size(); ++i) {
      const bool tried = !last_untried_ || i + 1 < arms.size();
      if (tried) arms.play(i, playouts_, *ask.random);
      if (best.empty() || arms.mean(i) > arms.mean(best[0])) {
        best.assign(1, i);
      } else if (arms.mean(i) == arms.mean(best[0])) {
        best.push_back(i);
      }
      if (ask.watch != nullptr) {
        ask.watch->add_nodes(arms.visits(i));
        ask.watch->set_best(history.game().action(history.state(), arms.move(best[0])));
      }
    }
    return arms.answer(best[best.size() == 1 ? 0 : ask.random->below(best.size())]);
  }

 private:
  std::uint64_t playouts_;
  bool last_untried_;
};

struct BanditOptions {
  double c = 0.4;  // how much it explores
  // The greatest bound is chosen instead of the move that was tried most. With much exploration
  // all bounds are about equal in the end, so this is little better than chance.
  bool choose_bound = false;
  // Moves that were not tried count as tried once with a mean of 0, and each other one as tried
  // once more than it was, instead of every move being tried once first.
  bool from_zero = false;
};

// As many random games in all as FlatSearch, each for the move with the greatest mean + c sqrt(ln t
// / n), after one for each. The move that was tried most is chosen, then the best mean.
template <games::Game G>
class BanditSearch {
 public:
  using Move = typename G::Move;

  explicit BanditSearch(std::uint64_t playouts_per_move, const BanditOptions& options = {})
      : playouts_(std::max<std::uint64_t>(playouts_per_move, 1)), options_(options) {}

  Answer<Move> answer(const games::History<G>& history, const Ask& ask) const {
    assert(ask.random != nullptr);
    RootArms<G> arms(history);
    if (arms.size() == 0) return {};
    const std::size_t moves = arms.size();
    const std::uint64_t total = playouts_ * moves;
    // What a bound is made of, kept at hand: one move changes with each game.
    std::vector<double> means(moves, 0), widths(moves, 1);  // width: 1 / sqrt(n)
    const auto greatest_bound = [&](std::uint64_t games) {
      const double wide = options_.c * std::sqrt(std::log(static_cast<double>(games)));
      double best = -HUGE_VAL;
      std::size_t at = 0;
      for (std::size_t i = 0; i < moves; ++i) {
        const double bound = means[i] + wide * widths[i];
        if (bound > best) {
          best = bound;
          at = i;
        }
      }
      return at;
    };
    const std::uint64_t begin = options_.from_zero ? 1 : moves;
    std::uint64_t t = 0;
    for (; t < total; ++t) {
      if (t >= begin && interrupted()) break;
      const std::size_t chosen = t < begin ? static_cast<std::size_t>(t) : greatest_bound(t);
      arms.play(chosen, 1, *ask.random);
      means[chosen] = arms.mean(chosen);
      widths[chosen] =
          1 / std::sqrt(static_cast<double>(arms.visits(chosen) + (options_.from_zero ? 1 : 0)));
      if (ask.watch != nullptr) {
        ask.watch->add_nodes(1);
        ask.watch->set_best(history.game().action(history.state(), arms.move(chosen)));
      }
    }
    if (options_.choose_bound) return arms.answer(greatest_bound(t));
    std::size_t best = 0;
    for (std::size_t i = 1; i < moves; ++i) {
      const std::pair here(arms.visits(i), arms.mean(i));
      if (here > std::pair(arms.visits(best), arms.mean(best))) best = i;
    }
    return arms.answer(best);
  }

 private:
  std::uint64_t playouts_;
  BanditOptions options_;
};

}  // namespace damier::search
