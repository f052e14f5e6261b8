// The chess engine: from a game so far and what may be spent to the best move, with its score and
// line. UCI, the players, the data of the network and the commands all ask it here.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "damier/games/chess/chess.h"
#include "damier/games/history.h"
#include "damier/search/answer.h"

namespace damier::search::chess {

using games::chess::Chess;
using games::chess::Move;
using games::chess::State;
using search::Bound;
using History = games::History<Chess>;
using Milliseconds = std::chrono::milliseconds;

class EvaluationNetwork;
class Searcher;
class SharedTable;

struct EngineOptions {
  std::size_t table_bytes = std::size_t{16} << 20;
  int threads = 1;
  int lines = 1;                // MultiPV: the number of best moves, each with its line
  Milliseconds overhead{10};    // of every move: what the way to the clock takes
  std::optional<int> elo = {};  // plays about this strong; none: as well as it can
  // None: the hand-written evaluation.
  std::shared_ptr<const EvaluationNetwork> network = {};
};

struct Clock {
  Milliseconds left{0};
  Milliseconds increment{0};
};

// What ends a search; what is 0, empty or none does not. Without any it runs until it is stopped.
struct SearchLimits {
  int depth = 0;            // plies
  std::uint64_t nodes = 0;  // of all threads together; exact with one thread
  int mate = 0;             // ends when a mate in this many moves is found
  Milliseconds move_time{0};
  std::optional<Clock> clock = {};    // of the side to move
  int moves_to_go = 0;                // until the clock is set anew; 0: never
  std::vector<Move> root_moves = {};  // only these are looked at
  bool ponder = false;  // clocks count from ponder_hit() on; until then only stop() ends it
};

// Expected results in thousandths, for the side to move.
struct WinDrawLoss {
  int win = 0, draw = 1000, loss = 0;
};

struct Line {
  int score = 0;                 // hundredths of a pawn, for the side to move
  std::optional<int> mate = {};  // moves of the winner; negative: is mated
  Bound bound = Bound::exact;
  WinDrawLoss expected = {};
  std::vector<Move> moves;  // from the root; one at least
};

// After each depth, and at the end.
struct SearchReport {
  int depth = 0;
  int selective_depth = 0;
  std::vector<Line> lines;  // the best first; none: there is no legal move
  std::uint64_t nodes = 0;
  double seconds = 0;
  int table_full = 0;  // thousandths

  // Only where there is a line.
  Move best() const { return lines.front().moves.front(); }
};

class Engine {
 public:
  explicit Engine(EngineOptions options = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Between searches only. A table of another size, or new_game(), forgets what was found.
  void configure(EngineOptions options);
  const EngineOptions& options() const { return options_; }
  void new_game();

  // Blocks until a limit is reached, stop() is called or the user interrupts. There is a best move
  // whatever the limits, unless it is mate or stalemate. `on_report` is called on this thread. With
  // one thread, after new_game(), the same limits of depth or nodes give the same answer.
  SearchReport search(const History& history, const SearchLimits& limits,
                      const std::function<void(const SearchReport&)>& on_report = {});
  // From any thread. A stop() before a search begins is not lost: call ready() when the order to
  // search is taken, and stop() holds from then on.
  void ready();
  void stop();
  void ponder_hit();

  // The static evaluation in hundredths of a pawn, for the side to move; without looking ahead.
  int evaluate(const State& state) const;

 private:
  using Time = std::chrono::steady_clock;

  void make_searchers();
  void take_order(bool ponder);
  double seconds_since(Time::time_point start) const;
  std::uint64_t nodes() const;
  SearchReport report_of(const Searcher& searcher, const State& root, std::size_t lines) const;
  const Searcher& best_searcher() const;
  void wait_for_stop(bool only_ponder);

  EngineOptions options_;
  std::unique_ptr<SharedTable> table_;
  std::vector<std::unique_ptr<Searcher>> searchers_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> pondering_{false};
  bool ready_ = false;      // an order was announced and has not begun; guarded by mutex_
  bool hit_early_ = false;  // ponder_hit() before it began; guarded by mutex_
  std::atomic<Time::time_point> start_{Time::now()};  // of the clock
  Time::time_point ordered_ = Time::now();
};

}  // namespace damier::search::chess
