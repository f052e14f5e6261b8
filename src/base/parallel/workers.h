// Workers that keep something from one work item to the next: a player with its memory, a network
// with its buffers. There are as many as threads are at work at once, made when they are needed.
// Which worker does which item is chance, so a result must depend on the item's number alone.
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "damier/base/parallel/threads.h"

namespace damier {

template <class Worker>
class Workers {
 public:
  // Calls work(worker, i) once for every i in [0, count), on the pool's threads; make() gives one
  // more worker. Workers stay for the next call.
  template <class Make, class Work>
  void for_each(ThreadPool& pool, std::size_t count, const Make& make, const Work& work) {
    pool.for_each(count, [&](std::size_t i) {
      Worker worker = take(make);
      work(worker, i);
      const std::lock_guard lock(mutex_);
      idle_.push_back(std::move(worker));
    });
  }

 private:
  template <class Make>
  Worker take(const Make& make) {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Worker worker = std::move(idle_.back());
        idle_.pop_back();
        return worker;
      }
    }
    return make();
  }

  std::mutex mutex_;
  std::vector<Worker> idle_;  // guarded by mutex_
};

}  // namespace damier
