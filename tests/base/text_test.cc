#include "damier/base/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace damier {
namespace {

const std::vector<std::string> kGames = {"fanorona", "bremen", "minesweeper", "domineering"};

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a,b,,c", ','), (std::vector<std::string_view>{"a", "b", "", "c"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
}

TEST(Text, TrimRemovesBlanksAtBothEnds) {
  EXPECT_EQ(trim("  a b\r\n"), "a b");
  EXPECT_EQ(trim(" \t "), "");
}

TEST(Text, ParseIntegerTakesWholeNumbersInRangeOnly) {
  EXPECT_EQ(*parse_integer("42", 0, 100, "n"), 42);
  for (const char* wrong : {"", "x", "4x", " 4", "101", "-1", "99999999999999999999", "1.5"}) {
    const auto result = parse_integer(wrong, 0, 100, "DEPTH");
    ASSERT_FALSE(result) << wrong;
    EXPECT_NE(result.error().message.find("expected a whole number from 0 to 100"),
              std::string::npos);
  }
}

TEST(Text, SlipsOfTheKeyboardAreRecognised) {
  for (const char* slip : {"fanorna", "fanroona", "fan", "fanoronaa", "Fanorona"}) {
    EXPECT_EQ(did_you_mean(slip, kGames), "fanorona") << slip;
  }
  EXPECT_EQ(did_you_mean("chess", kGames), std::nullopt);
  EXPECT_EQ(did_you_mean("", kGames), std::nullopt);
}

TEST(Text, UnknownNamesListTheKnownOnesNearestFirst) {
  EXPECT_EQ(unknown_name("game", "bremn", kGames).message,
            "unknown game 'bremn'; did you mean 'bremen'? "
            "(known: bremen, fanorona, domineering, minesweeper)");
}

TEST(Text, QuotesAreSafeToPrint) {
  EXPECT_EQ(in_quotes("a\x1b[31m"), "'a\\x1b[31m'");
  EXPECT_EQ(in_quotes("\xff\xfe"), "'\\xff\\xfe'");
  EXPECT_EQ(in_quotes("é"), "'é'");
  EXPECT_LT(in_quotes(std::string(1000, 'x')).size(), 80u);
  EXPECT_EQ(in_quotes(std::string(59, 'x') + "éa"), "'" + std::string(59, 'x') + "…'");
}

RC_GTEST_PROP(Text, QuotesNeverHoldControlBytes, (const std::string& text)) {
  for (const char c : in_quotes(text)) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20);
}

RC_GTEST_PROP(Text, EveryNameIsNearestToItself, ()) {
  const auto word = *rc::gen::elementOf(kGames);
  RC_ASSERT(nearest_first(word, kGames).front() == word);
}

}  // namespace
}  // namespace damier
