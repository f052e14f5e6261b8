#include "damier/base/parallel/threads.h"

#include <algorithm>
#include <atomic>
#include <exception>

#include <sched.h>

namespace damier {

int available_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

struct ThreadPool::Batch {
  std::size_t count;
  const void* work;
  Call call;
  std::atomic<std::size_t> next{0};
  std::mutex mutex = {};
  std::exception_ptr failure = {};
};

namespace {

// About 30 microseconds: what it takes to put a thread to sleep and to wake it up again. A network
// has the next piece of work for its threads sooner than that.
constexpr int kLooks = 1000;

void pause_a_moment() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

template <class Ready>
void ThreadPool::watch(const Ready& ready) const {
  if (!watches_) return;
  for (int look = 0; look < kLooks && !ready(); ++look) pause_a_moment();
}

ThreadPool::ThreadPool(int threads) : watches_(threads <= available_threads()) {
  // The work needs room, too: where not all could be started, half of those that could must do.
  for (int wanted = threads - 1; !start_workers(wanted);) {
    wanted = static_cast<int>(workers_.size()) / 2;
    stop_workers();
  }
}

ThreadPool::~ThreadPool() { stop_workers(); }

void ThreadPool::stop_workers() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  workers_.clear();  // joins them
}

bool ThreadPool::start_workers(int count) {
  stopping_ = false;
  for (int i = 0; i < count; ++i) {
    std::jthread worker = start_thread([this](const std::stop_token&) { worker_loop(); });
    if (!worker.joinable()) return false;
    workers_.push_back(std::move(worker));
  }
  return true;
}

void ThreadPool::run_items(Batch& batch) {
  try {
    for (std::size_t i = batch.next++; i < batch.count; i = batch.next++) batch.call(batch.work, i);
  } catch (...) {
    std::lock_guard lock(batch.mutex);
    if (!batch.failure) batch.failure = std::current_exception();
    batch.next = batch.count;
  }
}

void ThreadPool::worker_loop() {
  std::size_t seen = 0;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (generation_ == seen) {
      lock.unlock();
      watch([&] { return generation_ != seen; });
      lock.lock();
      wake_.wait(lock, [&] { return stopping_ || generation_ != seen; });
      if (stopping_) return;
    }
    seen = generation_;
    if (batch_ == nullptr) continue;  // woken too late
    Batch& batch = *batch_;
    ++busy_;
    lock.unlock();
    run_items(batch);
    lock.lock();
    if (--busy_ == 0) done_.notify_all();
  }
}

void ThreadPool::run(std::size_t count, const void* work, Call call) {
  if (count == 1) return call(work, 0);
  Batch batch{count, work, call};
  {
    std::lock_guard lock(mutex_);
    batch_ = &batch;
    ++generation_;
  }
  wake_.notify_all();
  run_items(batch);
  {
    std::lock_guard lock(mutex_);
    batch_ = nullptr;  // a worker that wakes up late finds nothing
  }
  watch([&] { return busy_ == 0; });
  {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return busy_ == 0; });
  }
  if (batch.failure) std::rethrow_exception(batch.failure);
}

}  // namespace damier
