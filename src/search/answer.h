// One question about a position and one form of answer, for the position and for its moves:
// alpha-beta, tree and bandit, the solvers and tables of exact/, engines and networks answer like
// this, and players are made of them (play/players).
//
// Values, scores and what is known of a move are those of the side that plays it.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/games/history.h"
#include "damier/games/known.h"
#include "damier/search/watch.h"

namespace damier::search {

using games::Known;
using games::opposite;
using games::Verdict;

struct Ask {
  std::uint64_t nodes = 0;         // 0: no limit; of a search that grows a tree: simulations
  double seconds = 0;              // 0: no limit
  int depth = 0;                   // plies; 0: no limit
  bool every_move = false;         // each move by itself, instead of the proof that none is better
  int lines = 0;                   // how many moves want a line of their own; 0: as many as usual
  RandomStream* random = nullptr;  // all chance; without it the first of equals is taken
  Watch* watch = nullptr;          // is told what is found meanwhile

  bool has_limit() const { return nodes > 0 || seconds > 0; }
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
  if (moves.empty() || moves.front().known.verdict == Verdict::win ||
      std::all_of(moves.begin(), moves.end(),
                  [](const auto& move) { return move.known.is_certain(); })) {
    return moves.empty() ? Known{} : moves.front().known;
  }
  return {};
}

namespace detail {

constexpr int certainty_rank(const Known& known) {
  return known.verdict == Verdict::win ? 2 : known.verdict == Verdict::loss ? 0 : 1;
}

// Wins before all else, short ones first; losses last, long ones first; where the plies are known
// before where they are not.
constexpr bool is_certainly_better(const Known& a, const Known& b) {
  if (certainty_rank(a) != certainty_rank(b)) return certainty_rank(a) > certainty_rank(b);
  if (certainty_rank(a) == 1 || a.plies.has_value() == b.plies.has_value()) return better(a, b);
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
  std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) {
    return detail::is_certainly_better(a.known, b.known);
  });
}

// The greatest prior first; all have one.
template <class Move>
void put_likely_first(std::vector<MoveAnswer<Move>>& moves) {
  std::stable_sort(moves.begin(), moves.end(),
                   [](const auto& a, const auto& b) { return *a.prior > *b.prior; });
}

}  // namespace damier::search
