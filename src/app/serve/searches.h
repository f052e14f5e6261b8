// Thinking for the pages: a queue of limited length, on threads of its own, so that the server
// answers at once whatever is being thought about. A thought has a time limit, tells how it gets
// on, and ends early when its page asks something newer.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "damier/app/serve/http.h"
#include "damier/search/answer.h"

namespace damier::app::serve {

struct SearchLimits {
  int threads = 2;
  std::size_t waiting = 32;
  double seconds = 30;  // of one thought
};

struct Search {
  // Who asks, and for what: a newer search of both takes its place.
  std::string page = {};
  std::string task = {};
  // Reads interrupted() now and then.
  std::function<Result<HttpReply>(search::Watch&)> think = {};
  std::function<std::string(games::Action)> move_text = {};  // for telling the best move so far
  Respond respond = {};
};

class SearchQueue {
 public:
  SearchQueue(const SearchLimits& limits, EventLog& events);
  ~SearchQueue();  // ends all thoughts
  SearchQueue(const SearchQueue&) = delete;
  SearchQueue& operator=(const SearchQueue&) = delete;

  // Ends what the page asked for the same before; responds at once where there is no room.
  void add(Search search);
  // Ends what a page asked for.
  void stop(std::string_view page, std::string_view task);

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    Search search;
    search::Watch watch = {};
    std::atomic<bool> stop{false};
    bool replaced = false;
    Clock::time_point begin = {};
  };

  void work(std::stop_token stop);
  void look_on(std::stop_token stop);
  void tell_progress(const Running& running) const;

  SearchLimits limits_;
  EventLog& events_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Search> waiting_;                     // guarded by mutex_
  std::vector<std::shared_ptr<Running>> running_;  // guarded by mutex_
  std::vector<std::jthread> threads_;
};

}  // namespace damier::app::serve
