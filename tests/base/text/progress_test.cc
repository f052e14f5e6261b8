#include "damier/base/text/progress.h"

#include <gtest/gtest.h>

namespace damier {
namespace {

TEST(Progress, LineShowsShareRateAndTimeLeft) {
  Progress progress("perft", 10, "nodes");
  progress.add(5, 1'000'000);
  EXPECT_EQ(progress.line(10, 80),
            "perft  [============>           ]  50 %  100 k nodes/s  0:10 left");
  EXPECT_EQ(progress.line(10, 50), "perft  [====>    ]  50 %  100 k nodes/s  0:10 left");
  EXPECT_EQ(progress.line(10, 40), "perft   50 %  100 k nodes/s  0:10 left") << "no room for a bar";
}

TEST(Progress, NothingDoneYetHasNoTimeLeft) {
  const Progress progress("train", 10, "");
  EXPECT_EQ(progress.line(0, 80), "train  [>                       ]   0 %  0/s  ");
}

TEST(Progress, ShortNumbersKeepThreeDigits) {
  EXPECT_EQ(short_number(7), "7");
  EXPECT_EQ(short_number(0.5), "0.50");
  EXPECT_EQ(short_number(999), "999");
  EXPECT_EQ(short_number(1000), "1.00 k");
  EXPECT_EQ(short_number(12345), "12.3 k");
  EXPECT_EQ(short_number(999600), "1.00 M");
  EXPECT_EQ(short_number(123456789), "123 M");
}

TEST(Progress, ClocksReadAsMinutesAndHours) {
  EXPECT_EQ(clock_text(75.9), "1:15");
  EXPECT_EQ(clock_text(3661), "1:01:01");
  EXPECT_EQ(clock_text(-1), "0:00");
}

}  // namespace
}  // namespace damier
