#include "damier/base/parallel/threads.h"

#include <atomic>
#include <memory>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

#include "damier/base/numbers/random.h"

namespace damier {
namespace {

TEST(ThreadPool, EveryItemIsDoneOnce) {
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (const std::size_t count : {0u, 1u, 3u, 1000u}) {
      std::vector<std::atomic<int>> done(count);
      pool.for_each(count, [&](std::size_t i) { ++done[i]; });
      for (const auto& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(ThreadPool, ResultsDoNotDependOnTheNumberOfThreads) {
  const auto draw = [](int threads) {
    ThreadPool pool(threads);
    std::vector<std::uint64_t> numbers(500);
    pool.for_each(numbers.size(),
                  [&](std::size_t i) { numbers[i] = RandomStream(Seed{9}, "work", i)(); });
    return numbers;
  };
  EXPECT_EQ(draw(1), draw(2));
  EXPECT_EQ(draw(1), draw(4));
}

TEST(ThreadPool, AnExceptionComesOutAndThePoolGoesOn) {
  ThreadPool pool(3);
  EXPECT_THROW(pool.for_each(100,
                             [](std::size_t i) {
                               if (i == 17) throw std::runtime_error("17");
                             }),
               std::runtime_error);
  std::atomic<int> done = 0;
  pool.for_each(50, [&](std::size_t) { ++done; });
  EXPECT_EQ(done, 50);
}

TEST(ThreadPool, ManySmallBatchesFollowEachOther) {
  for (const int threads : {2, 4}) {  // as many as there are cores, and more on a small machine
    ThreadPool pool(threads);
    std::atomic<std::size_t> sum = 0;
    for (int batch = 0; batch < 2000; ++batch) pool.for_each(3, [&](std::size_t i) { sum += i; });
    EXPECT_EQ(sum, 2000u * 3u);
  }
}

TEST(Workers, AreAtMostAsManyAsThreadsAndStayForTheNextCall) {
  ThreadPool pool(3);
  Workers<std::vector<std::size_t>> workers;
  std::atomic<int> made = 0;
  const auto make = [&] {
    ++made;
    return std::vector<std::size_t>{};
  };
  std::vector<std::atomic<int>> done(1000);
  for (int call = 0; call < 2; ++call) {
    workers.for_each(pool, done.size(), make, [&](std::vector<std::size_t>& mine, std::size_t i) {
      mine.push_back(i);
      ++done[i];
    });
  }
  EXPECT_GE(made, 1);
  EXPECT_LE(made, 3);
  for (const auto& times : done) EXPECT_EQ(times, 2);
}

TEST(Workers, AWorkerServesOneItemAtATime) {
  ThreadPool pool(4);
  Workers<std::shared_ptr<std::atomic<int>>> workers;
  std::atomic<int> shared = 0;
  workers.for_each(
      pool, 2000, [] { return std::make_shared<std::atomic<int>>(0); },
      [&](std::shared_ptr<std::atomic<int>>& mine, std::size_t) {
        if (++*mine > 1) ++shared;
        --*mine;
      });
  EXPECT_EQ(shared, 0);
}

TEST(Workers, AWorkerThatFailedDoesNotComeBack) {
  ThreadPool pool(1);
  Workers<int> workers;
  int made = 0;
  const auto make = [&] { return ++made; };
  EXPECT_THROW(workers.for_each(pool, 1, make,
                                [](int&, std::size_t) { throw std::runtime_error("broken"); }),
               std::runtime_error);
  workers.for_each(pool, 1, make, [](int& mine, std::size_t) { EXPECT_EQ(mine, 2); });
}

}  // namespace
}  // namespace damier
