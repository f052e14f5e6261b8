#include "damier/base/threads.h"

#include <atomic>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

#include "damier/base/random.h"

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
  ThreadPool pool(4);
  std::atomic<std::size_t> sum = 0;
  for (int batch = 0; batch < 2000; ++batch) pool.for_each(3, [&](std::size_t i) { sum += i; });
  EXPECT_EQ(sum, 2000u * 3u);
}

}  // namespace
}  // namespace damier
