#include "damier/base/text/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/base/text/columns.h"

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

TEST(Text, TerminalsAreToldNothing) {
  const auto shown = [](std::string_view text) { return terminal_text(text, Colours::shown); };
  EXPECT_EQ(shown("two\nlines\tand é ½ 👍"), "two\nlines\tand é ½ 👍");
  EXPECT_EQ(shown("\x1b[2J\r\a\x7f"), "\\x1b[2J\\x0d\\x07\\u007f");
  EXPECT_EQ(shown("\u009b31m \u0085"), "\\u009b31m \\u0085") << "C1";
  EXPECT_EQ(shown("\u202egnp.\u202c \u2066\u2069 \u200e\u200f \u061c"),
            "\\u202egnp.\\u202c \\u2066\\u2069 \\u200e\\u200f \\u061c")
      << "the direction of writing";
  EXPECT_EQ(shown("\xff \xc2 \xe2\x80"), "\\xff \\xc2 \\xe2\\x80") << "not UTF-8";
  EXPECT_EQ(printable("a\tb\n\u202e"), "a\\x09b\\x0a\\u202e") << "in one line";
}

TEST(Text, OnlyOurColoursAreKept) {
  const auto kept = [](std::string_view text) { return terminal_text(text, Colours::kept); };
  for (const char* ours : {"\x1b[0m", "\x1b[38;5;33;1mblue\x1b[0m", "\x1b[0;38;5;231;48;5;160m!"}) {
    EXPECT_EQ(kept(ours), ours);
    EXPECT_EQ(terminal_text(ours, Colours::shown).find('\x1b'), std::string::npos);
  }
  for (const char* theirs :
       {"\x1b[8m", "\x1b[38;5;256m", "\x1b[38;5m", "\x1b[38;2;1;2;3m", "\x1b[m", "\x1b[", "\x1b",
        "\x1b]0;title\a", "\x1b[2J", "\x1b[1;", "\x1bm", "\x1b[1;;1m"}) {
    EXPECT_EQ(kept(theirs).find('\x1b'), std::string::npos) << kept(theirs);
  }
}

RC_GTEST_PROP(Text, QuotesNeverHoldControlBytes, (const std::string& text)) {
  for (const char c : in_quotes(text)) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20);
}

RC_GTEST_PROP(Text, EveryNameIsNearestToItself, ()) {
  const auto word = *rc::gen::elementOf(kGames);
  RC_ASSERT(nearest_first(word, kGames).front() == word);
}

TEST(Text, CountsInGoodEnglish) {
  EXPECT_EQ(counted(1, "ply"), "1 ply");
  EXPECT_EQ(counted(0, "ply"), "0 plies");
  EXPECT_EQ(counted(11, "ply"), "11 plies");
  EXPECT_EQ(counted(std::size_t{2}, "game"), "2 games");
  EXPECT_EQ(plural(2, "play"), "plays");
  EXPECT_EQ(plural(2, "loss"), "losses");
  EXPECT_EQ(plural(2, "match"), "matches");
  EXPECT_EQ(plural(2, "epoch"), "epochs");
  EXPECT_EQ(plural(1, "data set"), "data set");
}

TEST(Columns, AreCountedAsATerminalShowsThem) {
  EXPECT_EQ(visible_width("Brême"), 5);
  EXPECT_EQ(visible_width("\x1b[38;5;33;1mblue\x1b[0m"), 4) << "colours take no room";
  EXPECT_EQ(visible_width("将棋"), 4);
  EXPECT_EQ(visible_width("e\u0301"), 1) << "an accent of its own";
}

TEST(Columns, ALineIsCutToThem) {
  EXPECT_EQ(cut_to_width("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_to_width("abcdef", 5), "abcd…");
  EXPECT_EQ(cut_to_width("将棋盤", 4), "将…");
  EXPECT_EQ(cut_to_width("abc", 0), "");
}

TEST(Columns, LongLinesAreBrokenBetweenWords) {
  const auto wrapped = [](std::string_view text, int columns) {
    return LineWrapper().add(text, columns);
  };
  EXPECT_EQ(wrapped("one two three\nfour\n", 8), "one two\nthree\nfour\n");
  EXPECT_EQ(wrapped("  --json  one two three four\n", 20),
            "  --json  one two\n          three four\n")
      << "under the second column";
  EXPECT_EQ(wrapped("  one two three\n", 10), "  one two\n  three\n");
  EXPECT_EQ(wrapped("/a/path/that/is/long\n", 8), "/a/path/that/is/long\n") << "no place to break";
  EXPECT_EQ(wrapped("Chess  start=518,moves=50,material=draw\n", 20),
            "Chess  start=518,\n       moves=50,\n       material=draw\n");
  EXPECT_EQ(wrapped("  1 │ a │ b │\n", 13), "  1 │ a │ b │\n") << "what fits stays";
}

TEST(Columns, ALineThatComesInPiecesIsOneLine) {
  LineWrapper wrapper;
  EXPECT_EQ(wrapper.add("  1  name", 16), "  1  name");
  EXPECT_EQ(wrapper.add("   50 %", 16), "   50 %");
  EXPECT_EQ(wrapper.add("   70 %", 16), "\n     70 %");
  EXPECT_EQ(wrapper.add("            ", 16), "       ") << "no spaces beyond the edge";
  EXPECT_EQ(wrapper.add("\nnext", 16), "\nnext");
}

}  // namespace
}  // namespace damier
