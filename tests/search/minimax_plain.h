// Minimax without anything clever: the reference that alpha_beta.h is tested against.
#pragma once

#include <algorithm>
#include <vector>

#include "damier/games/history.h"
#include "damier/search/answer.h"
#include "damier/search/path.h"

namespace damier::search {

template <games::Game G>
class PlainMinimax {
 public:
  using State = typename G::State;

  explicit PlainMinimax(const games::History<G>& history)
      : game_(history.game()), state_(history.state()), path_(history) {}

  // The score of every legal move, in the game's order, as AlphaBeta gives it with `every_move`.
  std::vector<int> scores(int depth) {
    std::vector<int> all;
    for (const auto move : game_.legal_moves(state_)) {
      State next = state_;
      game_.play(next, move);
      all.push_back(-visit(next, depth - 1, 1));
    }
    return all;
  }

 private:
  int visit(const State& state, int depth, int ply) {
    path_.push(state, game_.hash(state));
    const int score = look(state, depth, ply);
    path_.pop();
    return score;
  }

  int look(const State& state, int depth, int ply) {
    const auto proof = verdict_of(game_.outcome(state), game_.side_to_move(state));
    if (proof == games::Verdict::win) return kWinScore - ply;
    if (proof == games::Verdict::loss) return ply - kWinScore;
    if (proof == games::Verdict::draw || path_.recurrence() != Recurrence::none ||
        path_.drawn_by_length()) {
      return 0;
    }
    if (depth == 0) {
      if constexpr (games::HasHeuristic<G>) {
        return std::clamp(game_.heuristic(state), -games::kHeuristicLimit, games::kHeuristicLimit);
      }
      return 0;
    }
    int best = -kWinScore;
    for (const auto move : game_.legal_moves(state)) {
      State next = state;
      game_.play(next, move);
      best = std::max(best, -visit(next, depth - 1, ply + 1));
    }
    return best;
  }

  G game_;
  State state_;
  Path<G> path_;
};

}  // namespace damier::search
