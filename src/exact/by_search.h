// The exact value of a position by search alone: alpha-beta for near ends, whose distance it knows
// exactly, and proof-number search for far ones.
//
// The methods take turns with ever larger limits, because nobody can say in advance which of them
// will be the fast one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/exact/exact.h"
#include "damier/games/history.h"
#include "damier/search/alpha_beta.h"
#include "damier/search/proof.h"

namespace damier::exact {

namespace detail {

// One question to by_search().
template <games::Game G>
class SearchedPosition {
 public:
  using Move = typename G::Move;
  using Attack = search::Attack;

  SearchedPosition(const games::History<G>& history, const Ask& ask)
      : history_(history), ask_(ask) {}

  Answer<Move> solve() {
    const G& game = history_.game();
    const games::Side mover = game.side_to_move(history_.state());
    if (const auto outcome = history_.outcome(); outcome != games::Outcome::ongoing) {
      answer_.known = known_end(outcome, mover);
      return answer_;
    }
    // Each round may spend this many nodes on each of the three questions.
    for (round_ = kFirstRound; is_open() && has_time(); round_ = 4 * round_) {
      if (round_ > kFirstRound) guess();
      if (!has_time()) break;
      look_ahead(0, round_);
      if (is_open() && mover_wins_ == Attack::unknown && has_time()) mover_wins_ = prove(mover);
      if (is_open() && mover_loses_ == Attack::unknown && has_time()) {
        mover_loses_ = prove(games::opponent(mover));
      }
      conclude();
    }
    // How far away it is, and which moves are best, if the limits allow.
    if (bound_ > 0 && has_time()) look_ahead(bound_, kDistanceRounds * round_);
    if (is_open()) {
      answer_.stopped = true;
      if (so_far_) answer_.line = {*so_far_};
    } else {
      answer_.depth = 0;
    }
    answer_.seconds = watch_.seconds();
    return answer_;
  }

 private:
  static constexpr std::uint64_t kFirstRound = 1u << 16;
  static constexpr std::uint64_t kDistanceRounds = 4;
  static constexpr std::uint64_t kGuessShare = 4;
  static constexpr std::uint64_t kTableBytes = 64 << 20;

  bool is_open() const { return !answer_.known.is_certain(); }

  bool has_time() const {
    if (interrupted()) return false;
    if (ask_.nodes > 0 && answer_.nodes >= ask_.nodes) return false;
    return ask_.seconds <= 0 || watch_.seconds() < ask_.seconds;
  }

  Ask share(std::uint64_t nodes) const {
    Ask share{.nodes = nodes, .watch = ask_.watch};
    if (ask_.nodes > 0) share.nodes = std::min(share.nodes, ask_.nodes - answer_.nodes);
    // Never 0, which would mean no limit.
    if (ask_.seconds > 0) share.seconds = std::max(ask_.seconds - watch_.seconds(), 1e-3);
    return share;
  }

  // A table in proportion to the nodes: a large one takes long to clear.
  static std::size_t table_bytes(std::uint64_t nodes) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(kTableBytes, 64 * nodes));
  }

  // What looks best before anything is decided: for a caller who does not wait for the end.
  void guess() {
    if constexpr (games::HasHeuristic<G>) {
      const std::uint64_t nodes = round_ / kGuessShare;
      Ask ask = share(nodes);
      ask.watch = nullptr;
      search::AlphaBeta<G> search(history_.game(), {.table_bytes = table_bytes(nodes)});
      const Answer<Move> found = search.answer(history_, ask);
      answer_.nodes += found.nodes;
      note(found.best().move);
      guessed_ = true;
    }
  }

  void note(Move move) {
    so_far_ = move;
    if (ask_.watch != nullptr) {
      ask_.watch->set_best(history_.game().action(history_.state(), move));
    }
  }

  void look_ahead(int depth, std::uint64_t nodes) {
    search::AlphaBeta<G> search(
        history_.game(), {.table_bytes = table_bytes(nodes), .heuristic = false, .all_best = true});
    Ask ask = share(nodes);
    ask.depth = depth;
    Answer<Move> found = search.answer(history_, ask);
    answer_.nodes += found.nodes;
    answer_.depth = std::max(answer_.depth, found.depth);
    const bool refuted = so_far_ && std::ranges::any_of(found.moves, [&](const auto& move) {
                           return move.move == *so_far_ && move.known.verdict == Verdict::loss;
                         });
    if (!guessed_ || refuted) note(found.best().move);
    // A draw of the best move is one of the position only if no other move can be better.
    if (!found.known.is_certain()) return;
    answer_.known = found.known;
    answer_.moves = std::move(found.moves);
    for (auto& move : answer_.moves) {
      if (!move.known.is_certain()) move.value.reset();  // a bound that says nothing
    }
    answer_.line = std::move(found.line);
  }

  Attack prove(games::Side attacker) {
    auto found = proof(history_, attacker);
    if (found.verdict == Attack::wins) {
      answer_.line = std::move(found.line);
      bound_ = *found.most_plies;
    }
    return found.verdict;
  }

  search::ProofResult<Move> proof(const games::History<G>& position, games::Side attacker) {
    search::ProofSearch<G> search(history_.game(), table_bytes(round_));
    auto found = search.prove(position, attacker, share(round_));
    answer_.nodes += found.nodes;
    return found;
  }

  void conclude() {
    if (!is_open()) return;
    Known& known = answer_.known;
    if (mover_wins_ == Attack::wins) {
      known.verdict = Verdict::win;
    } else if (mover_loses_ == Attack::wins) {
      known.verdict = Verdict::loss;
    } else if (mover_wins_ == Attack::does_not_win && mover_loses_ == Attack::does_not_win) {
      known.verdict = Verdict::draw;
      find_moves_that_hold();
    }
    if (!answer_.line.empty()) add_move(answer_.line[0]);
  }

  // A move that keeps what the position is worth.
  void add_move(Move move) {
    answer_.moves.push_back(
        {.move = move, .known = answer_.known, .value = value_of(answer_.known.verdict)});
  }

  // The moves that keep a draw, as far as the limits allow.
  void find_moves_that_hold() {
    const games::Side mover = history_.game().side_to_move(history_.state());
    for (const Move move : history_.game().legal_moves(history_.state())) {
      if (!has_time()) return;
      games::History<G> after(history_);
      after.play(move);
      if (proof(after, games::opponent(mover)).verdict == Attack::does_not_win) add_move(move);
    }
  }

  const games::History<G>& history_;
  Ask ask_;
  Stopwatch watch_;
  bool guessed_ = false;        // by the game's heuristic
  std::optional<Move> so_far_;  // what looks best while nothing is known
  std::uint64_t round_ = 0;
  int bound_ = 0;  // the plies that a proven win takes at most
  Attack mover_wins_ = Attack::unknown;
  Attack mover_loses_ = Attack::unknown;
  Answer<Move> answer_;
};

}  // namespace detail

// Unknown when a limit comes first. Without a limit it goes on until it knows.
template <games::Game G>
Answer<typename G::Move> by_search(const games::History<G>& history, const Ask& ask) {
  return detail::SearchedPosition<G>(history, ask).solve();
}

}  // namespace damier::exact
