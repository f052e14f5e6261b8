#include "damier/base/result.h"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace damier {
namespace {

TEST(Error, TextBeginsWithThePlace) {
  EXPECT_EQ(Error{"no such thing"}.text(), "no such thing");
  EXPECT_EQ((Error{"no such thing", {"a.json", 3, 7}}.text()), "a.json:3:7: no such thing");
  EXPECT_EQ((Error{"no such thing", {"a.json", 3}}.text()), "a.json:3: no such thing");
  EXPECT_EQ((Error{"no such thing", {"", 3, 7}}.text()), "line 3:7: no such thing");
  EXPECT_EQ((Error{"no such thing", {"--board", 0, 7}}.text()), "--board, column 7: no such thing");
}

TEST(Error, TextIsOnePrintableLineWhateverWasRead) {
  EXPECT_EQ(Error{"odd \n\x1b \x7f \xff é"}.text(), "odd \\x0a\\x1b \\u007f \\xff é");
}

TEST(Error, InKeepsTheInnermostSource) {
  EXPECT_EQ(Error{"wrong"}.in("outer").text(), "outer: wrong");
  EXPECT_EQ((Error{"wrong", {"inner"}}.in("outer").text()), "inner: wrong");
  EXPECT_EQ((Error{"wrong", {"", 2, 1}}.in("outer").text()), "outer:2:1: wrong");
}

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> good = 5;
  EXPECT_TRUE(good.ok());
  EXPECT_EQ(*good, 5);
  const Result<int> bad = Error{"wrong"};
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.error().message, "wrong");
}

TEST(Result, IsNeverUsedUnchecked) {
  Result<std::string> bad = Error{"wrong", {"a.json", 3}};
  EXPECT_THROW(
      {
        try {
          static_cast<void>(bad->size());
        } catch (const std::logic_error& error) {
          EXPECT_STREQ(error.what(), "a.json:3: wrong");
          throw;
        }
      },
      std::logic_error);
  EXPECT_THROW(static_cast<void>(*bad), std::logic_error);
  EXPECT_THROW(static_cast<void>(std::move(bad).value()), std::logic_error);
  const Result<int> good = 5;
  EXPECT_THROW(static_cast<void>(good.error()), std::logic_error);
}

}  // namespace
}  // namespace damier
