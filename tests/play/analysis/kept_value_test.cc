// How good single moves are, by the exact solver.

#include "damier/play/analysis/kept_value.h"

#include <gtest/gtest.h>

#include "damier/play/registry.h"

namespace damier::play {
namespace {

KeptPlan plan_of(const char* game, games::OptionValues rules) {
  static const Registry registry = builtin_games();
  KeptPlan plan;
  plan.toolkit = registry.toolkit(registry.make(game, rules).value());
  plan.players = {"perfect", "random"};
  plan.hosts = {"random", "flat:2"};
  plan.positions = 120;
  return plan;
}

TEST(KeptValue, PerfectKeepsEveryWinAndRandomDoesNot) {
  ThreadPool pool(2);
  for (const KeptPlan& plan :
       {plan_of("domineering", {{"board", "5x5"}}), plan_of("fanorona", {})}) {
    int heard = 0;
    const auto all = kept_moves(plan, pool, [&] { ++heard; });
    ASSERT_TRUE(all) << all.error().text();
    ASSERT_EQ(all->size(), 2u);
    EXPECT_EQ(heard, 120);
    EXPECT_EQ((*all)[0].player, "perfect");
    EXPECT_EQ((*all)[0].all().n, 120);
    EXPECT_EQ((*all)[0].all().value, 1);
    EXPECT_LT((*all)[1].all().value, 0.95);
    // Phases of four plies add up to all.
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < (*all)[1].kept.size(); ++i) sum += (*all)[1].phase(i).n;
    EXPECT_EQ(sum, 120);
    const auto metrics = metrics_of((*all)[0]);
    ASSERT_GE(metrics.size(), 2u);
    EXPECT_EQ(metrics[0].name, "kept");
    EXPECT_EQ(metrics[1].name, "kept_plies_0_3");
  }
}

TEST(KeptValue, DoesNotDependOnTheThreads) {
  const KeptPlan plan = plan_of("domineering", {{"board", "4x5"}});
  ThreadPool one(1), three(3);
  const auto a = kept_moves(plan, one, [] {}), b = kept_moves(plan, three, [] {});
  ASSERT_TRUE(a && b);
  EXPECT_EQ((*a)[1].kept, (*b)[1].kept);
  EXPECT_EQ((*a)[1].looked_at, (*b)[1].looked_at);
}

TEST(KeptValue, AGameThatIsNotSolvedIsRefused) {
  ThreadPool pool(1);
  const auto all = kept_moves(plan_of("chess", {}), pool, [] {});
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().text(), "chess is not solved: nothing says which moves are good");
}

}  // namespace
}  // namespace damier::play
