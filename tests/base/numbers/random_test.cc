#include "damier/base/numbers/random.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace damier {
namespace {

TEST(RandomStream, GeneratorMatchesItsPublishedReference) {
  // The authors' C code, started from {1, 2, 3, 4}; the same list is in other libraries' tests.
  RandomStream random(RandomStream::State{1, 2, 3, 4});
  for (const std::uint64_t expected : std::vector<std::uint64_t>{
           41943041u, 58720359u, 3588806011781223u, 3591011842654386u, 9228616714210784205u,
           9973669472204895162u, 14011001112246962877u, 12406186145184390807u}) {
    EXPECT_EQ(random(), expected);
  }
}

TEST(RandomStream, GoesOnFromAStoredState) {
  RandomStream random(Seed{3}, "stored");
  random();
  RandomStream copy(random.state());
  EXPECT_EQ(copy(), random());
}

TEST(RandomStream, NumbersNeverChangeBetweenVersions) {
  // Data sets and saved games rest on these.
  RandomStream random(Seed{1}, "test", 0);
  const std::vector<std::uint64_t> numbers = {random(), random(), random()};
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{1097356361373961412u, 16991519454546624245u,
                                                 13016881209678476260u}));
}

TEST(RandomStream, SeedNameAndIndexEachMakeAnotherStream) {
  std::set<std::uint64_t> first;
  for (const std::uint64_t seed : {0, 1}) {
    for (const char* name : {"", "a", "b", "ab", "ba"}) {
      for (const std::uint64_t index : {0, 1, 2}) {
        first.insert(RandomStream(Seed{seed}, name, index)());
      }
    }
  }
  EXPECT_EQ(first.size(), 2u * 5u * 3u);
}

RC_GTEST_PROP(RandomStream, BelowStaysBelow, (std::uint64_t seed)) {
  const auto bound = *rc::gen::positive<std::uint64_t>();
  RandomStream random(Seed{seed}, "below");
  for (int i = 0; i < 20; ++i) RC_ASSERT(random.below(bound) < bound);
}

// Chi-squared over `cells` equally likely cells: mean cells - 1, deviation sqrt(2 (cells - 1)).
double deviations_from_uniform(const std::vector<int>& counts, int draws) {
  const double expected = static_cast<double>(draws) / static_cast<double>(counts.size());
  double chi_squared = 0;
  for (const int count : counts) chi_squared += (count - expected) * (count - expected) / expected;
  const double freedom = static_cast<double>(counts.size()) - 1;
  return (chi_squared - freedom) / std::sqrt(2 * freedom);
}

TEST(RandomStream, BelowIsUniform) {
  constexpr int kDraws = 700000;
  RandomStream random(Seed{5}, "uniform");
  std::vector<int> counts(7);
  for (int i = 0; i < kDraws; ++i) ++counts[random.below(7)];
  EXPECT_LT(std::abs(deviations_from_uniform(counts, kDraws)), 4);
}

TEST(RandomStream, ShuffleReachesAllOrdersAlike) {
  constexpr int kDraws = 240000;
  RandomStream random(Seed{6}, "shuffle");
  std::vector<int> counts(24);
  for (int i = 0; i < kDraws; ++i) {
    std::vector<int> order = {0, 1, 2, 3};
    random.shuffle(std::span(order));
    std::vector<int> sorted = {0, 1, 2, 3};
    std::size_t rank = 0;
    while (sorted != order) {
      std::next_permutation(sorted.begin(), sorted.end());
      ++rank;
    }
    ++counts[rank];
  }
  EXPECT_LT(std::abs(deviations_from_uniform(counts, kDraws)), 4);
}

TEST(RandomStream, UniformHasTheRightMeanAndRange) {
  RandomStream random(Seed{7}, "mean");
  double sum = 0;
  constexpr int kDraws = 1000000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.uniform();
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    sum += x;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 4 * std::sqrt(1.0 / 12 / kDraws));
}

}  // namespace
}  // namespace damier
