// A pool of threads for independent work items. Items are told apart by their index, and each draws
// from the random stream of that index, so results do not depend on the number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace damier {

// All cores that this process may use.
int available_threads();

// The one way to start a thread. It is not joinable where the system has no room for one more, and
// ends where its work runs out of memory.
template <class Work>
std::jthread start_thread(Work work) {
  try {
    return std::jthread([work = std::move(work)](std::stop_token stop) {
      try {
        work(stop);
      } catch (const std::bad_alloc&) {
        // An exception that leaves a thread would end the process.
      }
    });
  } catch (const std::system_error&) {
    return {};
  } catch (const std::bad_alloc&) {
    return {};
  }
}

class ThreadPool {
 public:
  // `threads` counts the calling thread, which works too: ThreadPool(1) starts none. Where not all
  // can be started, fewer do the same work.
  explicit ThreadPool(int threads = available_threads());
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls work(i) once for every i in [0, count) and returns when all are done. The first exception
  // is thrown again here, after the rest has stopped. Not to be called from inside work(). Nothing
  // is allocated.
  template <class Work>
  void for_each(std::size_t count, const Work& work) {
    run(count, &work,
        [](const void* called, std::size_t i) { (*static_cast<const Work*>(called))(i); });
  }

 private:
  struct Batch;
  using Call = void (*)(const void* work, std::size_t i);

  bool start_workers(int count);  // false if the system had no room for all of them
  void stop_workers();
  void run(std::size_t count, const void* work, Call call);
  void worker_loop();
  static void run_items(Batch& batch);
  // Waits without sleeping for a moment, unless there are more threads than cores.
  template <class Ready>
  void watch(const Ready& ready) const;

  const bool watches_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  Batch* batch_ = nullptr;  // guarded by mutex_
  // Changed under mutex_, watched without it.
  std::atomic<std::size_t> generation_ = 0;
  std::atomic<int> busy_ = 0;  // workers inside the current batch
  bool stopping_ = false;      // guarded by mutex_
  std::vector<std::jthread> workers_;
};

// Workers that keep something from one work item to the next: a player with its memory, a network
// with its buffers. There are as many as threads are at work at once, made when they are needed.
// Which worker does which item is chance, so a result must depend on the item's number alone.
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
