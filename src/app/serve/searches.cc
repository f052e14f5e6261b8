#include "damier/app/serve/searches.h"

#include <algorithm>
#include <exception>
#include <new>

#include "damier/base/files/interrupt.h"
#include "damier/base/parallel/threads.h"

namespace damier::app::serve {

namespace {

constexpr auto kBetweenProgress = std::chrono::milliseconds(100);

HttpReply replaced_reply() { return error_reply(409, "the page has asked something newer"); }

}  // namespace

SearchQueue::SearchQueue(const SearchLimits& limits, EventLog& events)
    : limits_(limits), events_(events) {
  for (int i = 0; i < limits_.threads; ++i) {
    threads_.push_back(start_thread([this](std::stop_token stop) { work(stop); }));
  }
  threads_.push_back(start_thread([this](std::stop_token stop) { look_on(stop); }));
}

SearchQueue::~SearchQueue() {
  {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
    for (const auto& running : running_) running->stop = true;
    for (auto& thread : threads_) thread.request_stop();
  }
  changed_.notify_all();
  threads_.clear();  // joins them while the rest is still there
}

void SearchQueue::stop(std::string_view page, std::string_view task) {
  if (page.empty()) return;
  std::vector<Respond> due;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(waiting_, [&](Search& search) {
      const bool ends = search.page == page && search.task == task;
      if (ends) due.push_back(std::move(search.respond));
      return ends;
    });
    for (const auto& running : running_) {
      if (running->search.page != page || running->search.task != task) continue;
      running->replaced = true;
      running->stop = true;
    }
  }
  for (const Respond& respond : due) respond(replaced_reply());
}

void SearchQueue::add(Search search) {
  stop(search.page, search.task);
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= limits_.waiting) {
      auto reply = error_reply(503, "too many thoughts are waiting; try again in a moment");
      reply.headers = {{"Retry-After", "2"}};
      return search.respond(std::move(reply));
    }
    waiting_.push_back(std::move(search));
  }
  changed_.notify_all();
}

void SearchQueue::work(std::stop_token stop) {
  for (;;) {
    const auto running = std::make_shared<Running>();
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
      running->search = std::move(waiting_.front());
      running->begin = Clock::now();
      waiting_.pop_front();
      running_.push_back(running);
    }
    changed_.notify_all();
    HttpReply reply;
    try {
      const StopsWith stops(running->stop);
      auto found = running->search.think(running->watch);
      reply = found ? *std::move(found) : error_reply(found.error());
    } catch (const std::bad_alloc&) {
      reply = error_reply(500, "out of memory");
    } catch (const std::exception& error) {
      // No thought may end the server, not even one that runs out of memory.
      reply = error_reply(500, error.what());
    }
    bool replaced = false;
    {
      const std::lock_guard lock(mutex_);
      replaced = running->replaced;
      std::erase(running_, running);
    }
    running->search.respond(replaced ? replaced_reply() : std::move(reply));
  }
}

void SearchQueue::look_on(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  // After a request to stop no wait gives the lock away any more, and those who think need it.
  while (changed_.wait(lock, stop, [this] { return !running_.empty(); }) &&
         !stop.stop_requested()) {
    const auto now = Clock::now();
    for (const auto& running : running_) {
      const std::chrono::duration<double> passed = now - running->begin;
      if (passed.count() >= limits_.seconds) running->stop = true;
      tell_progress(*running);
    }
    // A request to stop ends this wait too.
    changed_.wait_for(lock, stop, kBetweenProgress, [] { return false; });
  }
}

void SearchQueue::tell_progress(const Running& running) const {
  const Search& search = running.search;
  if (search.page.empty() || !search.move_text || running.watch.nodes() == 0) return;
  const auto best = running.watch.best();
  events_.tell("search", search.page,
               {{"task", search.task},
                {"nodes", running.watch.nodes()},
                {"depth", running.watch.depth()},
                {"best", best ? Json(search.move_text(*best)) : Json(nullptr)}});
}

}  // namespace damier::app::serve
