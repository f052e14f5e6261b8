// One question about a position and one form of answer, for the position and for its moves:
// alpha-beta, tree and bandit, the solvers and tables of exact/, engines and networks answer like
// this, and players are made of them (play/players).
//
// Values, scores and what is known of a move are those of the side that plays it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/random.h"
#include "damier/games/history.h"
#include "damier/games/known.h"

namespace damier::search {

using games::Known;
using games::opposite;
using games::Verdict;

// Scores of searches that count in hundredths. A win n plies ahead is kWinScore - n, so that short
// wins and long losses are preferred; what a heuristic says stays within games::kHeuristicLimit.
inline constexpr int kWinScore = 30'000;

constexpr bool is_decided(int score) {
  return score > games::kHeuristicLimit || score < -games::kHeuristicLimit;
}
constexpr int decided_distance(int score) { return kWinScore - (score < 0 ? -score : score); }
// Of a score that is decided.
constexpr Known decided(int score) {
  return {score > 0 ? Verdict::win : Verdict::loss, decided_distance(score)};
}

// Wins and losses count from the root in a search and from the position in its table.
constexpr int to_table(int score, int ply) {
  return !is_decided(score) ? score : score > 0 ? score + ply : score - ply;
}
constexpr int from_table(int score, int ply) { return to_table(score, -ply); }

// What the true score is to one that was found.
enum class Bound : std::uint8_t { none, lower, upper, exact };

// The expected result that goes with a score: the logistic curve that chess engines use.
inline double expected_result(int score) {
  return is_decided(score) ? value_of(decided(score).verdict) : std::tanh(score / 800.0);
}

// What a search has found so far, for somebody who looks on from another thread while it works.
class Watch {
 public:
  void add_nodes(std::uint64_t nodes) { nodes_.fetch_add(nodes, std::memory_order_relaxed); }
  void set_depth(int plies) { depth_ = plies; }
  void set_best(games::Action action) { best_ = static_cast<std::int64_t>(games::index(action)); }

  std::uint64_t nodes() const { return nodes_; }
  int depth() const { return depth_; }  // plies that were looked at whole; 0: not known
  std::optional<games::Action> best() const {
    const std::int64_t best = best_;
    if (best < 0) return std::nullopt;
    return games::action_at(static_cast<int>(best));
  }

 private:
  std::atomic<std::uint64_t> nodes_{0};
  std::atomic<int> depth_{0};
  std::atomic<std::int64_t> best_{-1};  // -1: none yet
};

struct Ask {
  std::uint64_t nodes = 0;         // 0: no limit; of a search that grows a tree: simulations
  double seconds = 0;              // 0: no limit
  int depth = 0;                   // plies; 0: no limit
  bool every_move = false;         // each move by itself, instead of the proof that none is better
  int lines = 0;                   // how many moves want a line of their own; 0: as many as usual
  RandomStream* random = nullptr;  // all chance; without it the first of equals is taken
  Watch* watch = nullptr;          // is told what is found meanwhile
};

// The end of a search: by the limits of what was asked, or because the user interrupted.
class Limit {
 public:
  // The nodes and seconds of `ask`; its watch, if there is one, is told of the nodes.
  explicit Limit(const Ask& ask) : ask_(ask) {}

  // Counts a node and says whether that was one too many. Once over, it stays over.
  bool count() {
    ++nodes_;
    if (ask_.nodes > 0 && nodes_ > ask_.nodes) over_ = true;
    // The clock is slow to read, and a node that asks a large network takes milliseconds.
    if (nodes_ % 16 == 0 && interrupted()) over_ = true;
    if (nodes_ % kBetweenLooks == 0) {
      if (ask_.seconds > 0 && seconds() >= ask_.seconds) over_ = true;
      if (ask_.watch != nullptr) ask_.watch->add_nodes(kBetweenLooks);
    }
    return over_;
  }

  bool over() const { return over_; }
  std::uint64_t nodes() const { return nodes_; }
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  static constexpr std::uint64_t kBetweenLooks = 256;

  Ask ask_;
  std::uint64_t nodes_ = 0;
  bool over_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

template <class Move>
struct MoveAnswer {
  Move move = {};
  Known known = {};
  std::optional<double> value = {};  // expected result, -1 to 1; a bound where only that is known
  std::optional<int> score = {};     // hundredths of the heuristic's unit, where exactly known
  std::uint64_t visits = 0;
  std::optional<double> prior = {};
  // Expected wins, draws and losses in thousandths, where they are told apart.
  std::optional<std::array<int, 3>> results = {};
  std::vector<Move> line = {};  // from this move on, where each move has one
};

template <class Move>
struct Answer {
  Known known = {};  // of the position
  // The legal moves, the best first; a solver may name those alone that keep the value. None: the
  // game is over, or nothing was looked at.
  std::vector<MoveAnswer<Move>> moves = {};
  std::vector<Move> line = {};  // the best line, from the best move on
  std::uint64_t nodes = 0;
  double seconds = 0;
  int depth = 0;         // plies that were looked at whole; 0: not known
  bool stopped = false;  // a solver's limit or an interrupt came first: moves may be missing
  // The same position if the other side were to move, where a solver looked at that, too.
  Verdict for_other_side = Verdict::unknown;

  const MoveAnswer<Move>& best() const { return moves.front(); }
  // The move keeps what the position is known to be worth.
  bool keeps(const MoveAnswer<Move>& move) const {
    return known.is_certain() && move.known == known;
  }
};

template <class A, class G>
concept Answers = games::Game<G> &&
    requires(A asked, const games::History<G> history, const Ask ask) {
  { asked.answer(history, ask) } -> std::same_as<Answer<typename G::Move>>;
};

// What follows for the position from what is known of its moves, the best first.
template <class Move>
Known known_from(const std::vector<MoveAnswer<Move>>& moves) {
  if (moves.empty()) return {};
  const bool all = std::ranges::all_of(moves, [](auto& move) { return move.known.is_certain(); });
  return all || moves.front().known.verdict == Verdict::win ? moves.front().known : Known{};
}

namespace detail {

// Wins before all else, short ones first; losses last, long ones first; where the plies are known
// before where they are not.
constexpr bool is_certainly_better(const Known& a, const Known& b) {
  const int rank = verdict_rank(a.verdict), other = verdict_rank(b.verdict);
  if (rank != other) return rank > other;
  if (rank == 1 || a.plies.has_value() == b.plies.has_value()) return better(a, b);
  return a.plies.has_value();
}

template <class Move>
bool ranks_before(const MoveAnswer<Move>& a, const MoveAnswer<Move>& b) {
  if (is_certainly_better(a.known, b.known)) return true;
  if (is_certainly_better(b.known, a.known)) return false;
  if (a.visits > 0 && b.visits > 0 && a.visits != b.visits) return a.visits > b.visits;
  return a.value.value_or(0) > b.value.value_or(0);
}

}  // namespace detail

// The move number `best`, then the others: those that win before all else, short wins first, those
// that lose last; by visits and value otherwise, and in the order that they have.
template <class Move>
void put_best_first(std::vector<MoveAnswer<Move>>& moves, std::size_t best) {
  if (moves.empty()) return;
  const auto chosen = moves.begin() + static_cast<std::ptrdiff_t>(best);
  std::rotate(moves.begin(), chosen, chosen + 1);
  std::stable_sort(moves.begin() + 1, moves.end(), detail::ranks_before<Move>);
}

// Wins first, losses last; otherwise in the order that they have.
template <class Move>
void put_certain_first(std::vector<MoveAnswer<Move>>& moves) {
  std::ranges::stable_sort(moves, detail::is_certainly_better, &MoveAnswer<Move>::known);
}

// The greatest prior first; all have one.
template <class Move>
void put_likely_first(std::vector<MoveAnswer<Move>>& moves) {
  std::ranges::stable_sort(moves, std::greater(), &MoveAnswer<Move>::prior);
}

}  // namespace damier::search
