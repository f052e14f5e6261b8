// The exact value of a position by search alone: alpha-beta for near ends, whose distance it knows
// exactly, and proof-number search for far ones.
//
// The methods take turns with ever larger budgets, because nobody can say in advance which of them
// will be the fast one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "damier/games/history.h"
#include "damier/search/alpha_beta.h"
#include "damier/search/limit.h"
#include "damier/search/proof.h"
#include "damier/search/report.h"

namespace damier::search {

inline constexpr std::size_t kSolverBytes = std::size_t{64} << 20;  // of its tables

template <class Move>
struct Solution {
  Verdict value = Verdict::unknown;  // for the side to move
  int distance = -1;                 // plies to the end, exact; -1: unknown
  std::vector<Move> best_moves;  // all of the best value and distance where the distance is known
  std::vector<Move> line;
  // Where the value is unknown: what looks best so far, and how many plies decide nothing.
  std::optional<Move> so_far;
  int depth = 0;
  std::uint64_t nodes = 0;
  double seconds = 0;
};

namespace detail {

template <games::Game G>
class SearchSolver {
 public:
  using Move = typename G::Move;

  SearchSolver(const games::History<G>& history, Budget budget, std::size_t table_bytes,
               Watch* watch)
      : history_(history), budget_(budget), table_bytes_(table_bytes), watch_(watch) {}

  Solution<Move> solve() {
    const G& game = history_.game();
    const games::Side mover = game.side_to_move(history_.state());
    if (const auto outcome = history_.outcome(); outcome != games::Outcome::ongoing) {
      solution_.value = proof_of(outcome, mover);
      solution_.distance = 0;
      return solution_;
    }
    // Each round may spend so many nodes on each of the three questions.
    for (round_ = kFirstRound; solution_.value == Verdict::unknown && has_budget();
         round_ = 4 * round_) {
      if (round_ > kFirstRound) guess();
      if (!has_budget()) break;
      look_ahead(0, round_);
      if (solution_.value == Verdict::unknown && mover_wins_ == Attack::unknown && has_budget()) {
        mover_wins_ = prove(mover);
      }
      if (solution_.value == Verdict::unknown && mover_loses_ == Attack::unknown && has_budget()) {
        mover_loses_ = prove(games::opponent(mover));
      }
      conclude();
    }
    // How far away it is, and which moves are best, if that can be had at a bearable price.
    if (bound_ > 0 && has_budget()) look_ahead(bound_, kDistanceRounds * round_);
    solution_.seconds = clock_.seconds();
    return solution_;
  }

 private:
  static constexpr std::uint64_t kFirstRound = 1u << 16;
  static constexpr std::uint64_t kDistanceRounds = 4;
  static constexpr std::uint64_t kGuessShare = 4;

  bool has_budget() const {
    if (interrupted()) return false;
    if (budget_.nodes > 0 && solution_.nodes >= budget_.nodes) return false;
    return budget_.seconds <= 0 || clock_.seconds() < budget_.seconds;
  }

  Budget share(std::uint64_t nodes) const {
    Budget share{.nodes = nodes};
    if (budget_.nodes > 0) share.nodes = std::min(share.nodes, budget_.nodes - solution_.nodes);
    // Never 0, which would mean no limit.
    if (budget_.seconds > 0) share.seconds = std::max(budget_.seconds - clock_.seconds(), 1e-3);
    return share;
  }

  // A table in proportion to the nodes: a large one takes long to clear.
  std::size_t table_bytes(std::uint64_t nodes) const {
    return static_cast<std::size_t>(std::min<std::uint64_t>(table_bytes_, 64 * nodes));
  }

  // What looks best before anything is decided: for whoever does not wait for the end.
  void guess() {
    if constexpr (games::HasHeuristic<G>) {
      const std::uint64_t nodes = round_ / kGuessShare;
      AlphaBeta<G> search(history_.game(),
                          {.depth = 0, .budget = share(nodes), .table_bytes = table_bytes(nodes)});
      const Report<Move> report = search.search(history_);
      solution_.nodes += report.nodes;
      note(report.best_move().move);
      guessed_ = true;
    }
  }

  void note(Move move) {
    solution_.so_far = move;
    if (watch_ != nullptr) watch_->set_best(history_.game().action(history_.state(), move));
  }

  void look_ahead(int depth, std::uint64_t nodes) {
    AlphaBeta<G> search(history_.game(), {.depth = depth,
                                          .budget = share(nodes),
                                          .table_bytes = table_bytes(nodes),
                                          .heuristic = false,
                                          .all_best = true});
    const Report<Move> report = search.search(history_, nullptr, false, watch_);
    solution_.nodes += report.nodes;
    solution_.depth = std::max(solution_.depth, report.depth);
    const MoveReport<Move>& best = report.best_move();
    const bool refuted =
        solution_.so_far &&
        std::any_of(report.moves.begin(), report.moves.end(), [&](const MoveReport<Move>& move) {
          return move.move == *solution_.so_far && move.proof == Verdict::loss;
        });
    if (!guessed_ || refuted) note(best.move);
    // A draw of the best move is one of the position only if no other move can be better.
    const bool settled =
        best.proof == Verdict::win ||
        std::all_of(report.moves.begin(), report.moves.end(),
                    [](const MoveReport<Move>& move) { return move.proof != Verdict::unknown; });
    if (!settled) return;
    solution_.value = best.proof;
    solution_.distance = best.distance;
    solution_.line = report.line;
    solution_.best_moves.clear();
    for (const MoveReport<Move>& move : report.moves) {
      if (move.score == best.score) solution_.best_moves.push_back(move.move);
    }
  }

  Attack prove(games::Side attacker) {
    ProofSearch<G> search(
        history_.game(),
        {.budget = share(round_), .table_bytes = table_bytes(round_), .watch = watch_});
    const ProofResult<Move> result = search.prove(history_, attacker);
    solution_.nodes += result.nodes;
    if (result.verdict == Attack::wins) {
      solution_.line = result.line;
      bound_ = result.plies;
    }
    return result.verdict;
  }

  void conclude() {
    if (solution_.value != Verdict::unknown) return;
    if (mover_wins_ == Attack::wins) {
      solution_.value = Verdict::win;
    } else if (mover_loses_ == Attack::wins) {
      solution_.value = Verdict::loss;
    } else if (mover_wins_ == Attack::does_not_win && mover_loses_ == Attack::does_not_win) {
      solution_.value = Verdict::draw;
      find_moves_that_hold();
    }
    if (!solution_.line.empty()) solution_.best_moves.assign(1, solution_.line[0]);
  }

  // The moves that keep a draw, as far as the budget goes.
  void find_moves_that_hold() {
    const games::Side mover = history_.game().side_to_move(history_.state());
    for (const Move move : history_.game().legal_moves(history_.state())) {
      if (!has_budget()) return;
      games::History<G> after(history_);
      after.play(move);
      ProofSearch<G> search(
          history_.game(),
          {.budget = share(round_), .table_bytes = table_bytes(round_), .watch = watch_});
      const auto result = search.prove(after, games::opponent(mover));
      solution_.nodes += result.nodes;
      if (result.verdict == Attack::does_not_win) solution_.best_moves.push_back(move);
    }
  }

  const games::History<G>& history_;
  Budget budget_;
  std::size_t table_bytes_;
  Watch* watch_;
  Limit clock_{Budget{}};
  bool guessed_ = false;  // by the game's heuristic
  std::uint64_t round_ = 0;
  int bound_ = 0;  // the plies that a proven win takes at most
  Attack mover_wins_ = Attack::unknown;
  Attack mover_loses_ = Attack::unknown;
  Solution<Move> solution_;
};

}  // namespace detail

// Unknown when the budget runs out first. Without a budget it goes on until it knows.
template <games::Game G>
Solution<typename G::Move> solve_by_search(const games::History<G>& history, Budget budget,
                                           std::size_t table_bytes = kSolverBytes,
                                           Watch* watch = nullptr) {
  return detail::SearchSolver<G>(history, budget, table_bytes, watch).solve();
}

template <games::Game G>
Solution<typename G::Move> solve_by_search(const G& game, const typename G::State& state,
                                           Budget budget, std::size_t table_bytes = kSolverBytes) {
  return solve_by_search(games::History<G>(game, state), budget, table_bytes);
}

}  // namespace damier::search
