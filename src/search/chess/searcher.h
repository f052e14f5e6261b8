// One thread of a search: iterative deepening with aspiration windows over principal variation
// search, with histories of its own and a table that it shares with the other threads.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "damier/search/chess/engine.h"
#include "damier/search/chess/history.h"
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

  void clear_histories() { histories_.clear(); }

  // Before every search; `moves` are the root's.
  void begin(const History& history, const std::vector<Move>& moves, int lines);
  // Until `stop`, or after a depth when `go_on` says no. `check_limits` may raise `stop`, and says
  // after how many nodes it wants to be called again.
  void iterative_deepening(int max_depth, std::atomic<bool>& stop,
                           const std::function<bool()>& go_on,
                           const std::function<std::uint64_t()>& check_limits);

  // The best first; as many as `lines` are sorted.
  const std::vector<RootMove>& root_moves() const { return root_moves_; }
  int depth() const { return depth_; }  // that was finished
  int selective_depth() const { return selective_depth_; }
  std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

 private:
  enum class NodeType : std::uint8_t { root, pv, non_pv };
  struct Frame {
    State state;
    games::chess::Bitboard checkers = 0;
    Move move = {};  // that is being searched; none: a null move
    int piece_to = kNoPieceTo;
    Move excluded_move = {};  // by a singular extension's search
    Move killers[2] = {};
    int static_evaluation = kNoScore;
    int reversible = 0;         // plies back to which a position can be repeated
    int double_extensions = 0;  // on the way here
    int cutoff_count = 0;       // of the children
    int line_length = 0;
    std::array<Move, kMaxPly + 1> line;
  };

  void aspiration_search(int depth, std::size_t line);
  template <NodeType kNodeType>
  int search(int depth, int alpha, int beta, int ply, bool cut_node);
  template <bool kPv>
  int quiescence(int alpha, int beta, int ply);

  // Plays into the next frame. The evaluator is told in enter(): many moves are pruned between.
  void play(int ply, Move move);
  void enter(int ply, Move move);
  void leave() {
    evaluator_.pop();
    --path_length_;
  }
  // The steps of a node; these three give kNoScore where they do not end it.
  int leaf_score(int ply);
  int null_move_pruning(int depth, int beta, int ply, bool cut_node, int estimate);
  int probcut(int depth, int beta, int ply, bool cut_node, Move table_move);
  int null_move_search(int depth, int beta, int ply, bool cut_node);
  struct Singularity {
    int extension = 0;
    int multi_cut = kNoScore;  // the node's score when more than one move fails high
  };
  Singularity singular_extension(int depth, int beta, int ply, bool pv, bool cut_node, Move move,
                                 int table_score);
  RootMove* find_root_move(Move move);
  void record_root_move(RootMove& root_move, int score, int alpha, int beta, bool is_first);
  bool is_draw(int ply) const;
  bool reaches_halfmove_limit(const State& state) const {
    return halfmove_limit_ > 0 && state.halfmove_clock >= halfmove_limit_;
  }
  // What the table says may then come too late.
  bool nears_halfmove_limit(const State& state) const {
    return halfmove_limit_ > 0 && state.halfmove_clock >= halfmove_limit_ - 10;
  }
  int corrected_evaluation(const State& state, int evaluation) const;
  std::uint64_t table_key(const State& state) const;
  void update_quiet_histories(int ply, Move move, int bonus);
  void update_histories(int ply, Move best, int depth, const Move* quiets, int quiet_count,
                        const Move* captures, int capture_count);
  int quiet_history(int ply, Move move);
  QuietOrder quiet_order(int ply);
  // Checks the limits now and then.
  bool poll_stop();
  bool stopped() const { return stop_->load(std::memory_order_relaxed); }
  void count_node() {
    nodes_.store(nodes_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  Frame& frame(int ply) { return frames_[static_cast<std::size_t>(ply + kBefore)]; }
  const Frame& frame(int ply) const { return frames_[static_cast<std::size_t>(ply + kBefore)]; }
  template <bool kPv>
  void update_line(int ply, Move move);

  static constexpr int kBefore = 6;  // frames before the root, so that looking back needs no test

  SharedTable& table_;
  PositionEvaluator evaluator_;
  Histories histories_;
  Attacks attacks_;
  games::chess::Chess game_;
  std::vector<Frame> frames_;
  std::vector<std::uint64_t> path_;  // hashes of the game and of the line that is searched
  std::size_t path_length_ = 0;
  int repetitions_ = 3;
  int halfmove_limit_ = 100;

  std::vector<RootMove> root_moves_;
  std::size_t lines_ = 1;
  std::size_t line_ = 0;  // the one that is searched
  int depth_ = 0;
  int root_depth_ = 0;
  int selective_depth_ = 0;
  int null_move_ply_ = 0;  // from here on null moves are allowed
  std::atomic<std::uint64_t> nodes_{0};
  std::uint64_t next_limit_check_ = 0;
  std::atomic<bool>* stop_ = nullptr;
  const std::function<std::uint64_t()>* check_limits_ = nullptr;
};

}  // namespace damier::search::chess
