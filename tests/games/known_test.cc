// What is known of positions: order, one ply back, two bytes.

#include "damier/games/known.h"

#include <vector>

#include <gtest/gtest.h>

namespace damier::games {
namespace {

const std::vector<Known> kDescending = {
    {Verdict::win, 1}, {Verdict::win, 9}, {Verdict::draw}, {Verdict::loss, 30}, {Verdict::loss, 0}};

TEST(Known, ShortWinsAndLongLossesAreBetter) {
  for (std::size_t i = 0; i < kDescending.size(); ++i) {
    for (std::size_t j = 0; j < kDescending.size(); ++j) {
      EXPECT_EQ(better(kDescending[i], kDescending[j]), i < j) << i << " " << j;
    }
  }
  EXPECT_TRUE(better({Verdict::win}, {}));
  EXPECT_TRUE(better({}, {Verdict::loss}));
  EXPECT_FALSE(better({Verdict::win, 3}, {Verdict::win})) << "the other win may be shorter";
}

TEST(Known, OnePlyBeforeALossIsAWinOfOnePlyMore) {
  const auto before = [](const Known& known) {
    return one_ply_before(seen_from_other_side(known));
  };
  EXPECT_EQ(before({Verdict::loss, 4}), (Known{Verdict::win, 5}));
  EXPECT_EQ(before({Verdict::win}), Known{Verdict::loss});
  EXPECT_EQ(before({Verdict::draw}), Known{Verdict::draw});
  EXPECT_EQ(before({}), Known{});
}

TEST(Known, TwoBytesKeepTheOrder) {
  for (std::size_t i = 0; i < kDescending.size(); ++i) {
    EXPECT_EQ(unpacked(packed(kDescending[i])), kDescending[i]);
    if (i > 0) {
      EXPECT_LT(packed(kDescending[i]), packed(kDescending[i - 1]));
    }
  }
  EXPECT_EQ(unpacked(packed({})), Known{});
}

TEST(Known, OfAFinishedGameTheEndIsHere) {
  EXPECT_EQ(known_end(Outcome::first_wins, Side::first), (Known{Verdict::win, 0}));
  EXPECT_EQ(known_end(Outcome::first_wins, Side::second), (Known{Verdict::loss, 0}));
  EXPECT_EQ(verdict_of(Outcome::draw, Side::second), Verdict::draw);
  EXPECT_EQ(verdict_of(Outcome::ongoing, Side::first), Verdict::unknown);
}

}  // namespace
}  // namespace damier::games
