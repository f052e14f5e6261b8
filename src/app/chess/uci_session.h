// The engine's side of UCI, the language between chess engines and the programs that show boards:
// takes lines, writes lines. What makes no sense is answered by an "info string" and changes
// nothing.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "damier/search/chess/engine.h"

namespace damier::app {

class UciSession {
 public:
  // `write` gets whole lines without their end, one at a time, from any thread.
  explicit UciSession(std::function<void(std::string_view line)> write);
  ~UciSession();  // ends a search without its answer
  UciSession(const UciSession&) = delete;
  UciSession& operator=(const UciSession&) = delete;

  // False after "quit". Searches go on after it has returned.
  bool take(std::string_view line);
  // Returns when the search under way, if any, has answered; one without a limit is stopped.
  void finish();

 private:
  using Engine = search::chess::Engine;
  using History = search::chess::History;
  using Words = std::vector<std::string_view>;

  struct Settings {
    search::chess::EngineOptions engine;
    int elo = 0;  // that `limits` makes it play
    bool limits = false;
    bool shows_results = false;
    bool chess960 = false;
    bool ponders = false;  // not looked at: "go ponder" says it each time
  };

  void greet();
  void set_option(std::string_view line);
  struct Option;
  // What can be set; where a value makes no sense, nothing is changed.
  std::vector<Option> options_of(Settings& settings);
  void set_position(const Words& words);
  void go(const Words& words);
  void run_search(History history, search::chess::SearchLimits limits);
  void tell_report(const search::chess::SearchReport& report);
  void tell_answer(const search::chess::SearchReport& report, const search::chess::State& state);
  void show_board();
  void show_evaluation();
  void run_bench(const Words& words);

  bool is_searching();
  void stop_search();
  void join_search();
  void say(std::string_view line);
  void complain(std::string_view what);
  std::string move_text(search::chess::Move move) const;

  std::function<void(std::string_view)> write_;
  std::mutex write_mutex_;
  Settings settings_;
  Engine engine_;
  std::optional<History> history_;  // none: the last position made no sense

  std::mutex mutex_;
  std::condition_variable changed_;
  bool searching_ = false;  // guarded by mutex_
  // Guarded by mutex_: false while an answer must wait for stop or ponderhit.
  bool may_answer_ = true;
  bool is_mute_ = false;  // guarded by mutex_
  std::jthread thread_;
};

}  // namespace damier::app
