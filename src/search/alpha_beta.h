// Alpha-beta: iterative deepening, principal variation search, a transposition table, killer moves
// and history scores.
//
// Pruning and memory change the work, not the answer. Without the rules that look back, the
// score at depth n is that of the plain minimax of n plies (minimax_plain.h): what the table
// knows is used only where a search of the same depth would have found it. The sides must move
// in turn.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "damier/games/history.h"
#include "damier/search/answer.h"
#include "damier/search/path.h"

namespace damier::search {

// What alpha-beta remembers of positions: a table of buckets of two. The first entry of a bucket is
// kept for the deeper search, the second always takes the newest.
//
// The move is only a proposal. Two positions can share a key, so a reader of the table looks the
// move up among the legal ones.
template <class Move>
class TranspositionTable {
 public:
  struct Entry {
    std::uint64_t key = 0;
    std::int16_t score = 0;  // wins and losses counted from this position
    std::int16_t depth = 0;
    Move move = {};
    Bound bound : 7 = Bound::none;
    // No leaf that was cut off by the depth entered the score: a deeper search says the same.
    bool complete : 1 = false;
    std::uint8_t generation = 0;
  };

  explicit TranspositionTable(std::size_t bytes)
      : buckets_(std::bit_floor(bytes / sizeof(Bucket) + 1)) {}

  // Forgets everything, at the cost of one step in most cases.
  void clear() {
    if (++generation_ != 0) return;
    buckets_.assign(buckets_.size(), Bucket{});
    generation_ = 1;
  }

  const Entry* find(std::uint64_t key) const {
    for (const Entry& entry : bucket(key)) {
      if (entry.key == key && entry.generation == generation_) return &entry;
    }
    return nullptr;
  }

  void store(Entry entry) {
    entry.generation = generation_;
    Bucket& here = buckets_[entry.key & (buckets_.size() - 1)];
    const Entry& first = here[0];
    const bool deeper = first.generation != generation_ || entry.depth >= first.depth;
    // One position stands in a bucket once, or an old result could outlive a new one.
    if (deeper && first.key != entry.key && first.generation == generation_) here[1] = first;
    if (!deeper && first.key == entry.key) return;
    here[deeper ? 0 : 1] = entry;
  }

 private:
  using Bucket = std::array<Entry, 2>;

  const Bucket& bucket(std::uint64_t key) const { return buckets_[key & (buckets_.size() - 1)]; }

  std::vector<Bucket> buckets_;
  std::uint8_t generation_ = 0;  // an entry of 0 is empty: clear() comes before the first use
};

struct AlphaBetaOptions {
  std::size_t table_bytes = std::size_t{16} << 20;
  bool heuristic = true;   // otherwise all that is undecided counts 0
  bool all_best = false;   // finds every move that is as good as the best one
  bool draws_ties = true;  // among these; otherwise the first one is taken
};

template <games::Game G>
class AlphaBeta {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  static constexpr int kMaxDepth = 1000;

  explicit AlphaBeta(G game, AlphaBetaOptions options = {})
      : game_(std::move(game)),
        options_(options),
        table_(options.table_bytes),
        action_scores_(2 * static_cast<std::size_t>(game_.action_count())) {}

  // `every_move` gives each move its own exact score instead of the proof that it is not better.
  Answer<Move> answer(const games::History<G>& history, const Ask& ask) {
    Answer<Move> answer;
    if (history.outcome() != games::Outcome::ongoing) return answer;
    Work work(history, ask);
    work_ = &work;
    every_move_ = ask.every_move;
    RandomStream* const ties = options_.draws_ties ? ask.random : nullptr;
    all_best_ = options_.all_best || ties != nullptr;
    table_.clear();
    std::ranges::fill(action_scores_, 0);
    const State root = history.state();
    std::vector<RootMove> moves, done;
    for (const Move move : game_.legal_moves(root)) moves.push_back({move, moves.size()});
    const int last = ask.depth > 0 ? std::min(ask.depth, kMaxDepth) : kMaxDepth;
    for (int depth = 1; depth <= last; ++depth) {
      if (!search_root(root, depth, moves)) break;
      done = moves;
      answer.depth = depth;
      if (ask.watch != nullptr) ask.watch->set_depth(depth);
      if (is_settled(done)) break;
      std::ranges::stable_sort(moves, std::greater(), [](const RootMove& move) {
        return std::pair(move.score, move.exact);
      });
    }
    fill(answer, done, ties);
    answer.nodes = work.limit.nodes();
    answer.seconds = work.limit.seconds();
    work_ = nullptr;
    return answer;
  }

 private:
  static constexpr int kInfinity = std::numeric_limits<std::int16_t>::max();

  struct RootMove {
    Move move;
    std::size_t place;  // in the game's order
    int score = 0;
    bool exact = false;     // otherwise the score is an upper bound
    bool complete = false;  // no leaf was cut off by the depth
    std::vector<Move> line = {};
  };

  // What belongs to one call of answer().
  struct Work {
    Work(const games::History<G>& history, const Ask& ask)
        : path(history), limit(ask), watch(ask.watch) {}

    Path<G> path;
    Limit limit;
    Watch* watch;
    int depth = 0;            // of this iteration
    bool limit_near = false;  // the game's limit of plies can be met within this depth
    bool complete = true;     // no leaf has been cut off in the node at work
    std::vector<std::vector<Move>> lines = {};      // by ply: the best line from there
    std::vector<std::array<Move, 2>> killers = {};  // by ply
  };

  // False when the budget ran out; the first iteration always ends.
  bool search_root(const State& root, int depth, std::vector<RootMove>& moves) {
    Work& work = *work_;
    work.depth = depth;
    work.limit_near = work.path.plies_left() <= depth;
    work.lines.resize(static_cast<std::size_t>(depth) + 2);
    work.killers.resize(static_cast<std::size_t>(depth) + 2);
    for (int& score : action_scores_) score /= 8;
    int best = -kInfinity;
    for (RootMove& move : moves) {
      State next = root;
      game_.play(next, move.move);
      // A move that is only as good as the best one is of interest when all of them are wanted.
      const int alpha = best - (all_best_ && best > -kInfinity ? 1 : 0);
      const bool full = every_move_ || best == -kInfinity;
      work.complete = true;
      int score = 0;
      if (!full) score = -visit(next, depth - 1, 1, -alpha - 1, -alpha);
      if (full || score > alpha) {
        score = -visit(next, depth - 1, 1, -kInfinity, full ? kInfinity : -alpha);
        move.line.assign(1, move.move);
        move.line.insert(move.line.end(), work.lines[1].begin(), work.lines[1].end());
      }
      if (stopped()) return false;
      move.score = score;
      move.exact = full || score > alpha;
      move.complete = work.complete;
      // Without a heuristic whatever is undecided is as good as anything else.
      if (score > best && options_.heuristic && work.watch != nullptr) {
        work.watch->set_best(game_.action(root, move.move));
      }
      best = std::max(best, score);
    }
    return true;
  }

  // Whether a deeper search would say the same.
  bool is_settled(const std::vector<RootMove>& moves) const {
    const auto final = [](const RootMove& move) { return move.complete || is_decided(move.score); };
    const auto wins = [](const RootMove& move) { return move.score > games::kHeuristicLimit; };
    return std::ranges::all_of(moves, final) || (!every_move_ && std::ranges::any_of(moves, wins));
  }

  void fill(Answer<Move>& answer, const std::vector<RootMove>& moves, RandomStream* ties) const {
    answer.moves.resize(moves.size());
    int best = -kInfinity;
    std::vector<const RootMove*> by_place(moves.size());
    for (const RootMove& move : moves) {
      by_place[move.place] = &move;
      if (move.exact) best = std::max(best, move.score);
    }
    std::vector<const RootMove*> tied;
    for (const RootMove* move : by_place) {
      MoveAnswer<Move>& out = answer.moves[move->place];
      out.move = move->move;
      out.value = expected_result(move->score);
      if (move->exact) out.score = move->score;
      if (is_decided(move->score) && (move->exact || move->score < 0)) {
        out.known = decided(move->score);
        if (!move->exact) out.known.plies.reset();
      } else if (move->exact && move->complete) {
        out.known.verdict = Verdict::draw;
      }
      if (move->exact && move->score == best) tied.push_back(move);
    }
    const RootMove& chosen = *tied[ties == nullptr ? 0 : ties->below(tied.size())];
    put_best_first(answer.moves, chosen.place);
    answer.known = known_from(answer.moves);
    answer.line = chosen.line;
  }

  bool stopped() const { return work_->limit.over() && work_->depth > 1; }

  // The score of the position after a move, for the side to move there.
  int visit(const State& state, int depth, int ply, int alpha, int beta) {
    Work& work = *work_;
    work.limit.count();
    if (stopped()) return 0;
    const std::uint64_t hash = game_.hash(state);
    work.path.push(state, hash);
    const bool complete_before = std::exchange(work.complete, true);
    const int score = look(state, hash, depth, ply, alpha, beta);
    work.complete = work.complete && complete_before;
    work.path.pop();
    return score;
  }

  int look(const State& state, std::uint64_t hash, int depth, int ply, int alpha, int beta) {
    Work& work = *work_;
    std::vector<Move>& line = work.lines[static_cast<std::size_t>(ply)];
    line.clear();
    if (const auto outcome = game_.outcome(state); outcome != games::Outcome::ongoing) {
      const Verdict proof = verdict_of(outcome, game_.side_to_move(state));
      return proof == Verdict::draw ? 0 : proof == Verdict::win ? kWinScore - ply : ply - kWinScore;
    }
    if (work.path.recurrence() != Recurrence::none) {
      work.complete = work.path.drawn_by_past();
      return 0;
    }
    if (work.path.drawn_by_length()) return 0;
    if (depth == 0) {
      work.complete = false;
      return heuristic(state);
    }
    // The limit of plies makes the way to a position matter.
    const std::uint64_t key =
        work.limit_near ? hash ^ mix64(static_cast<std::uint64_t>(work.path.plies_left())) : hash;
    const typename TranspositionTable<Move>::Entry* known = table_.find(key);
    const bool on_main_line = beta - alpha > 1;
    if (known != nullptr && !on_main_line) {
      const int score = from_table(known->score, ply);
      if (answers(*known, score, depth, ply, alpha, beta)) {
        work.complete = known->complete || is_decided(score);
        return score;
      }
    }
    return look_at_moves(state, key, known == nullptr ? nullptr : &known->move, depth, ply, alpha,
                         beta);
  }

  int look_at_moves(const State& state, std::uint64_t key, const Move* known, int depth, int ply,
                    int alpha, int beta) {
    Work& work = *work_;
    const auto moves = game_.legal_moves(state);
    MoveOrder order(*this, state, moves, known, depth, ply);
    int best = -kInfinity;
    Move best_move = moves[0];
    const int alpha_before = alpha;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const Move move = order.next(i);
      State next = state;
      game_.play(next, move);
      assert(game_.side_to_move(next) != game_.side_to_move(state));
      int score = 0;
      if (i > 0) score = -visit(next, depth - 1, ply + 1, -alpha - 1, -alpha);
      if (i == 0 || (score > alpha && score < beta)) {
        score = -visit(next, depth - 1, ply + 1, -beta, -alpha);
      }
      if (stopped()) return 0;
      if (score <= best) continue;
      best = score;
      best_move = move;
      if (score <= alpha) continue;
      alpha = score;
      remember_line(move, ply);
      if (score >= beta) {
        reward(state, move, depth, ply);
        break;
      }
    }
    // A win or a loss within the depth stays one in a deeper search, whatever was cut off.
    work.complete = work.complete || is_decided(best);
    typename TranspositionTable<Move>::Entry entry;
    entry.key = key;
    entry.score = static_cast<std::int16_t>(to_table(best, ply));
    entry.depth = static_cast<std::int16_t>(depth);
    entry.move = best_move;
    entry.bound = best >= beta ? Bound::lower : best > alpha_before ? Bound::exact : Bound::upper;
    entry.complete = work.complete;
    table_.store(entry);
    return best;
  }

  int heuristic(const State& state) const {
    if constexpr (games::HasHeuristic<G>) {
      if (options_.heuristic) {
        return std::clamp(game_.heuristic(state), -games::kHeuristicLimit, games::kHeuristicLimit);
      }
    }
    return 0;
  }

  // Whether the entry answers a search of `depth` plies with this window, as if it had been done.
  static bool answers(const typename TranspositionTable<Move>::Entry& entry, int score, int depth,
                      int ply, int alpha, int beta) {
    const bool same_search = entry.depth == depth || (entry.complete && entry.depth < depth) ||
                             (is_decided(score) && decided_distance(score) - ply <= depth);
    if (!same_search) return false;
    return entry.bound == Bound::exact || (entry.bound == Bound::lower && score >= beta) ||
           (entry.bound == Bound::upper && score <= alpha);
  }

  void remember_line(Move move, int ply) {
    auto& line = work_->lines[static_cast<std::size_t>(ply)];
    const auto& rest = work_->lines[static_cast<std::size_t>(ply) + 1];
    line.assign(1, move);
    line.insert(line.end(), rest.begin(), rest.end());
  }

  int& action_score(const State& state, Move move) {
    const auto side = static_cast<std::size_t>(games::index(game_.side_to_move(state)));
    const auto action = static_cast<std::size_t>(games::index(game_.action(state, move)));
    return action_scores_[side * (action_scores_.size() / 2) + action];
  }

  void reward(const State& state, Move move, int depth, int ply) {
    auto& killers = work_->killers[static_cast<std::size_t>(ply)];
    if (!(killers[0] == move)) killers = {move, killers[0]};
    action_score(state, move) += depth * depth;
  }

  // The moves, the most promising first; each is only looked for when it is needed.
  class MoveOrder {
   public:
    MoveOrder(AlphaBeta& search, const State& state, const typename G::MoveList& moves,
              const Move* known, int depth, int ply)
        : moves_(moves) {
      const auto& killers = search.work_->killers[static_cast<std::size_t>(ply)];
      for (std::size_t i = 0; i < moves.size(); ++i) {
        const Move move = moves[i];
        order_[i] = static_cast<std::uint16_t>(i);
        scores_[i] = known != nullptr && *known == move ? kKnown
                     : killers[0] == move               ? kKiller
                     : killers[1] == move               ? kKiller - 1
                     : depth > 1                        ? search.action_score(state, move)
                                                        : 0;
      }
    }

    Move next(std::size_t i) {
      std::size_t best = i;
      for (std::size_t j = i + 1; j < moves_.size(); ++j) {
        if (scores_[order_[j]] > scores_[order_[best]]) best = j;
      }
      // Keeps the rest in the game's order.
      std::rotate(order_.begin() + static_cast<std::ptrdiff_t>(i),
                  order_.begin() + static_cast<std::ptrdiff_t>(best),
                  order_.begin() + static_cast<std::ptrdiff_t>(best) + 1);
      return moves_[order_[i]];
    }

   private:
    static constexpr int kKnown = std::numeric_limits<int>::max();
    static constexpr int kKiller = kKnown - 1;

    const typename G::MoveList& moves_;
    std::array<std::uint16_t, G::MoveList::capacity()> order_;
    std::array<int, G::MoveList::capacity()> scores_;
  };

  G game_;
  AlphaBetaOptions options_;
  TranspositionTable<Move> table_;
  std::vector<int> action_scores_;  // by side and action: how often the move cut, deep ones more
  bool every_move_ = false;
  bool all_best_ = false;
  Work* work_ = nullptr;
};

}  // namespace damier::search
