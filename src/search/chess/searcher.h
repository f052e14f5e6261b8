// One thread of a search: iterative deepening over principal variation search, with its own memory
// of moves and a table that it shares with the other threads.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "damier/search/chess/engine.h"
#include "damier/search/chess/move_memory.h"
#include "damier/search/chess/move_picker.h"
#include "damier/search/chess/position_evaluator.h"
#include "damier/search/chess/score.h"
#include "damier/search/chess/shared_table.h"

namespace damier::search::chess {

struct RootMove {
  Move move = {};
  int score = -kInfiniteScore;     // of this depth; infinite: not looked at, or worse than others
  int previous = -kInfiniteScore;  // of the last depth that was finished
  Bound bound = Bound::exact;
  int selective_depth = 0;
  std::uint64_t nodes = 0;  // spent on it in this search
  std::vector<Move> line;

  // Of the last search that found one.
  int known_score() const { return score != -kInfiniteScore ? score : previous; }
};

class Searcher {
 public:
  Searcher(SharedTable& table, std::shared_ptr<const EvaluationNetwork> network);

  void forget() { memory_.clear(); }

  // Before every search; `moves` are the root's.
  void begin(const History& history, const std::vector<Move>& moves, int lines);
  // Deepens until `stop`, or after a depth when `go_on` says no. `look` is asked every so many
  // nodes (it says how many until the next time) and may raise `stop`.
  void deepen(int max_depth, std::atomic<bool>& stop, const std::function<bool()>& go_on,
              const std::function<std::uint64_t()>& look);

  // The best first; as many as `lines` are sorted.
  const std::vector<RootMove>& root_moves() const { return root_moves_; }
  int depth() const { return depth_; }  // that was finished
  int selective_depth() const { return selective_depth_; }
  std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

 private:
  enum class Node : std::uint8_t { root, principal, zero_window };
  struct Frame {
    State state;
    games::chess::Bitboard checkers = 0;
    Move move = {};  // that is being looked at; none: a null move
    int moved_to = kNoPieceSquare;
    Move excluded = {};  // by a search for a second good move
    Move killers[2] = {};
    int evaluation = kNoScore;
    int reversible = 0;  // plies back to which a position can be repeated
    int extensions = 0;  // double ones on the way here
    int cutoffs = 0;     // of the children
    int line_length = 0;
    std::array<Move, kMaxPly + 1> line;
  };

  void search_line(int depth, std::size_t line);
  template <Node kNode>
  int search(int depth, int alpha, int beta, int ply, bool cut_node);
  template <bool kPrincipal>
  int quiesce(int alpha, int beta, int ply);

  // Plays into the next frame. The evaluator hears of it in enter(): many moves are dropped
  // between.
  void play(int ply, Move move);
  void enter(int ply, Move move);
  void leave() {
    evaluator_.pop();
    --path_length_;
  }
  int null_search(int depth, int beta, int ply, bool cut_node);
  int probable_cut(int depth, int beta, int ply, bool cut_node, int evaluation, Move table_move);
  bool is_draw(int ply) const;
  bool is_over_by_length(const State& state) const {
    return quiet_limit_ > 0 && state.quiet_plies >= quiet_limit_;
  }
  int corrected(const State& state, int evaluation) const;
  std::uint64_t table_key(const State& state) const;
  void learn_quiet(int ply, Move move, int bonus);
  void learn_cutoff(int ply, Move best, int depth, const Move* quiets, int quiet_count,
                    const Move* captures, int capture_count);
  int quiet_history(int ply, Move move);
  QuietHints hints(int ply);
  bool over();
  void count_node() {
    nodes_.store(nodes_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  Frame& frame(int ply) { return frames_[static_cast<std::size_t>(ply + kBefore)]; }
  const Frame& frame(int ply) const { return frames_[static_cast<std::size_t>(ply + kBefore)]; }
  template <bool kPrincipal>
  void set_line(int ply, Move move);

  static constexpr int kBefore = 6;  // frames before the root, so that looking back needs no test

  SharedTable& table_;
  PositionEvaluator evaluator_;
  MoveMemory memory_;
  Reach reach_;
  games::chess::Chess game_;
  std::vector<Frame> frames_;
  std::vector<std::uint64_t> path_;  // hashes of the game and of the line that is looked at
  std::size_t path_length_ = 0;
  int repetitions_ = 3;
  int quiet_limit_ = 100;

  std::vector<RootMove> root_moves_;
  std::size_t lines_ = 1;
  std::size_t line_ = 0;  // the one that is searched
  int depth_ = 0;
  int root_depth_ = 0;
  int selective_depth_ = 0;
  int null_move_ply_ = 0;  // from here on null moves are allowed
  std::atomic<std::uint64_t> nodes_{0};
  std::uint64_t next_look_ = 0;
  std::atomic<bool>* stop_ = nullptr;
  const std::function<std::uint64_t()>* look_ = nullptr;
};

}  // namespace damier::search::chess
