// How good single moves are, by the exact solver.

#include "damier/play/analysis/move_quality.h"

#include <gtest/gtest.h>

#include "damier/play/registry.h"

namespace damier::play {
namespace {

std::shared_ptr<const Toolkit> toolkit_of(const char* game, const games::OptionValues& rules) {
  static const Registry registry = builtin_games();
  return registry.toolkit(registry.make(game, rules).value());
}

Result<std::vector<MoveQualities>> looked_at(const Toolkit& toolkit, ThreadPool& pool,
                                             int* heard = nullptr) {
  return moves_in_games(toolkit, {"perfect", "random"}, {"random", "flat:2"}, 120, Seed{1}, pool,
                        [heard] {
                          if (heard != nullptr) ++*heard;
                        });
}

TEST(MoveQuality, ComparesTheMoveWithThePosition) {
  const MoveQuality slow = {{Verdict::win, 3}, {Verdict::win, 7}};
  EXPECT_TRUE(slow.keeps());
  EXPECT_FALSE(slow.is_best());
  EXPECT_EQ(slow.loss(), 0);
  EXPECT_EQ(slow.detour(), 4);
  const MoveQuality blunder = {{Verdict::win, 3}, {Verdict::loss, 2}};
  EXPECT_FALSE(blunder.keeps());
  EXPECT_EQ(blunder.loss(), 2);
  EXPECT_EQ(blunder.detour(), std::nullopt);
  EXPECT_FALSE((MoveQuality{{Verdict::draw}, {}}.keeps())) << "nothing is known of the move";
}

TEST(MoveQuality, SharesGoByValueAndByPhase) {
  MoveQualities all{"somebody",
                    {{{Verdict::win, 3}, {Verdict::win, 5}, 0},
                     {{Verdict::win, 3}, {Verdict::draw}, 3},
                     {{Verdict::draw}, {Verdict::draw}, 9}}};
  EXPECT_EQ(all.kept().n, 3);
  EXPECT_DOUBLE_EQ(all.lost().value, 1.0 / 3);
  EXPECT_EQ(all.kept_of(Verdict::win).value, 0.5);
  EXPECT_EQ(all.kept_of(Verdict::draw).value, 1);
  EXPECT_EQ(all.phases(), 3u);
  EXPECT_EQ(all.kept_in(0).n, 2);
  EXPECT_EQ(all.kept_in(1).n, 0);
  EXPECT_EQ(all.detours().value, 2);
  std::vector<std::string> names;
  for (const Metric& metric : metrics_by_phase(all)) names.push_back(metric.name);
  for (const Metric& metric : metrics_by_value(all)) names.push_back(metric.name);
  EXPECT_EQ(names, (std::vector<std::string>{"kept", "kept_plies_0_3", "kept_plies_8_11", "kept",
                                             "kept_won", "kept_drawn", "plies_lost"}));
}

TEST(MoveQuality, PerfectKeepsEveryWinAndRandomDoesNot) {
  ThreadPool pool(2);
  for (const auto& toolkit :
       {toolkit_of("domineering", {{"board", "5x5"}}), toolkit_of("fanorona", {})}) {
    int heard = 0;
    const auto all = looked_at(*toolkit, pool, &heard);
    ASSERT_TRUE(all) << all.error().text();
    ASSERT_EQ(all->size(), 2u);
    EXPECT_EQ(heard, 120);
    EXPECT_EQ((*all)[0].player, "perfect");
    EXPECT_EQ((*all)[0].kept().n, 120);
    EXPECT_EQ((*all)[0].kept().value, 1);
    EXPECT_LT((*all)[1].kept().value, 0.95);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < (*all)[1].phases(); ++i) sum += (*all)[1].kept_in(i).n;
    EXPECT_EQ(sum, 120) << "phases add up to all";
  }
}

TEST(MoveQuality, DoesNotDependOnTheThreads) {
  const auto toolkit = toolkit_of("domineering", {{"board", "4x5"}});
  ThreadPool one(1), three(3);
  const auto a = looked_at(*toolkit, one), b = looked_at(*toolkit, three);
  ASSERT_TRUE(a && b);
  for (std::size_t i = 0; i < (*a)[1].moves.size(); ++i) {
    EXPECT_EQ((*a)[1].moves[i].after, (*b)[1].moves[i].after) << i;
    EXPECT_EQ((*a)[1].moves[i].plies, (*b)[1].moves[i].plies) << i;
  }
}

TEST(MoveQuality, AGameThatIsNotSolvedIsRefused) {
  ThreadPool pool(1);
  const auto all = looked_at(*toolkit_of("chess", {}), pool);
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().text(), "chess is not solved: nothing says which moves are good");
}

}  // namespace
}  // namespace damier::play
