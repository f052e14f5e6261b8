// Lines of positions with their exact answers.

#include "damier/games/judged_line.h"

#include <gtest/gtest.h>

namespace damier::games {
namespace {

std::string refused_line(std::string_view line) {
  const auto read = read_judged_line(line);
  return read ? "" : read.error().text();
}

TEST(JudgedLine, MovesWithoutMarksKeepTheValue) {
  const auto line = read_judged_line("here ; draw ; a1 b2");
  ASSERT_TRUE(line) << line.error().text();
  EXPECT_EQ(line->position, "here");
  EXPECT_EQ(line->known, Known{Verdict::draw});
  EXPECT_FALSE(line->has_marks);
  ASSERT_EQ(line->moves.size(), 2u);
  EXPECT_EQ(line->moves[1].text, "b2");
  EXPECT_EQ(line->moves[1].known, Known{Verdict::draw});
  EXPECT_EQ(read_judged_line("here;win 5;a1").value().known.plies, 5);
}

TEST(JudgedLine, AMarkHoldsForTheMovesBehindIt) {
  const auto line = read_judged_line("here;win 3;+3 a1 b1 +7 c1 = d1 -4 e1");
  ASSERT_TRUE(line) << line.error().text();
  EXPECT_TRUE(line->has_marks);
  EXPECT_EQ(line->known.plies, 3);
  ASSERT_EQ(line->moves.size(), 5u);
  const std::vector<Known> expected = {
      {Verdict::win, 3}, {Verdict::win, 3}, {Verdict::win, 7}, {Verdict::draw}, {Verdict::loss, 4}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(line->moves[i].known, expected[i]) << i;
  }
}

TEST(JudgedLine, WhatIsWrongIsNamed) {
  EXPECT_EQ(refused_line("here;win"),
            "'here;win' has 2 parts; expected POSITION;win|draw|loss;MOVES");
  const std::string values =
      "; expected win, draw or loss, and behind a win or loss its plies, if they are known";
  EXPECT_EQ(refused_line("here;good;a1"), "the value 'good'" + values);
  EXPECT_EQ(refused_line("here;draw 3;a1"), "the value 'draw 3'" + values);
  EXPECT_EQ(refused_line("here;win x;a1"),
            "the plies is 'x'; expected a whole number from 1 to 10000");
  EXPECT_EQ(refused_line("here;win 3;+three a1"),
            "the plies of the mark '+three' is 'three'; expected a whole number from 1 to 10000");
  EXPECT_EQ(refused_line("here;win 3;+3"), "no moves; expected those that keep the value");
  EXPECT_EQ(refused_line("here;win 3;a1 +3 b1"),
            "no mark before the move 'a1'; expected one before the first move or none at all");
  EXPECT_EQ(refused_line("here;win 3;+5 a1 +3 b1"),
            "the value 'win 3' is not that of the first move 'a1'; expected the best moves first");
}

}  // namespace
}  // namespace damier::games
