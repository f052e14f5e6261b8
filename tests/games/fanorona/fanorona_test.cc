#include "damier/games/fanorona/fanorona.h"

#include <algorithm>
#include <queue>
#include <set>
#include <unordered_set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/games/perft.h"

namespace damier::games::fanorona {
namespace {

State position(std::string_view text) {
  auto state = Fanorona().parse_position(text);
  EXPECT_TRUE(state) << state.error().text();
  return *state;
}

std::set<std::string> moves_of(const State& state) {
  const Fanorona game;
  std::set<std::string> texts;
  for (const Move move : game.legal_moves(state)) texts.insert(game.move_text(state, move));
  return texts;
}

// The rules once more, on a text and with loops: the independent reference.
struct Plain {
  static bool adjacent(int a, int b) {
    if (a == b) return false;
    const int rows = std::abs(a / 3 - b / 3), cols = std::abs(a % 3 - b % 3);
    if (rows > 1 || cols > 1) return false;
    return rows + cols == 1 || a == 4 || b == 4;  // diagonals only through the centre
  }
  static bool aligned(const std::string& cells, char piece) {
    for (const auto& [a, step] :
         {std::pair{0, 1}, {3, 1}, {6, 1}, {0, 3}, {1, 3}, {2, 3}, {0, 4}, {2, 2}}) {
      const auto at = [&](int i) { return cells[static_cast<std::size_t>(a + i * step)]; };
      if (at(0) == piece && at(1) == piece && at(2) == piece) return true;
    }
    return false;
  }
  static std::set<std::string> moves(const std::string& text) {
    std::set<std::string> found;
    if (aligned(text, 'W') || aligned(text, 'B')) return found;
    const char side = text.back();
    for (int from = 0; from < 9; ++from) {
      if (std::tolower(text[static_cast<std::size_t>(from)]) != side) continue;
      for (int to = 0; to < 9; ++to) {
        if (text[static_cast<std::size_t>(to)] == '.' && adjacent(from, to)) {
          found.insert(std::to_string(from) + "-" + std::to_string(to));
        }
      }
    }
    return found;
  }
  static std::string play(std::string text, const std::string& move) {
    const auto from = static_cast<std::size_t>(move[0] - '0');
    const auto to = static_cast<std::size_t>(move[2] - '0');
    text[to] = static_cast<char>(std::toupper(text[from]));
    text[from] = '.';
    text.back() = text.back() == 'w' ? 'b' : 'w';
    return text;
  }
};

TEST(Fanorona, ThirtyTwoDirectedSteps) {
  int steps = 0;
  for (int from = 0; from < kPoints; ++from) {
    for (int to = 0; to < kPoints; ++to) {
      const bool near = (kNeighbours[static_cast<std::size_t>(from)] & point_bit(to)) != 0;
      EXPECT_EQ(near, Plain::adjacent(from, to)) << from << " " << to;
      steps += near;
    }
  }
  EXPECT_EQ(steps, 32);
}

TEST(Fanorona, PerftFromTheStart) {
  const Fanorona game;
  EXPECT_EQ(perft(game, game.initial(), 1), 5u);
  EXPECT_EQ(perft(game, game.initial(), 6), 3892u);
}

TEST(Fanorona, OnlyMovedPiecesMakeALine) {
  const Fanorona game;
  EXPECT_EQ(game.outcome(position("bbb...www w")), Outcome::ongoing);
  EXPECT_EQ(game.outcome(position("bb..b.WWW b")), Outcome::first_wins);
  EXPECT_EQ(game.outcome(position("bb..b.WWw b")), Outcome::ongoing);
  EXPECT_EQ(game.outcome(position("BBBw.w..w w")), Outcome::second_wins);
}

TEST(Fanorona, WhoCannotMoveLoses) {
  const Fanorona game;
  // White on 0, 1, 3 is shut in by Black on 2, 4, 6.
  const State stuck = position("wwbwb.b.. w");
  EXPECT_TRUE(moves_of(stuck).empty());
  EXPECT_EQ(game.outcome(stuck), Outcome::second_wins);
  EXPECT_EQ(game.ending(stuck), "no legal move");
}

TEST(Fanorona, APieceThatMovesIsMarked) {
  const Fanorona game;
  State state = game.initial();
  game.play(state, *game.parse_move(state, "7-4"));
  EXPECT_EQ(game.position_text(state), "bbb.W.w.w b");
  game.play(state, *game.parse_move(state, "0-3"));
  game.play(state, *game.parse_move(state, "4-7"));
  EXPECT_EQ(game.position_text(state), ".bbB..wWw b");
}

// All boards of 3 + 3 pieces, moved or not, with either side to move.
template <class Visit>
void for_all_states(Visit visit) {
  for (unsigned white = 0; white <= kAllPoints; ++white) {
    for (unsigned black = 0; black <= kAllPoints; ++black) {
      if (kSetSize[white] != 3 || kSetSize[black] != 3 || (white & black)) continue;
      const unsigned pieces = white | black;
      for (unsigned moved = pieces;; moved = (moved - 1) & pieces) {
        for (const Side side : {Side::first, Side::second}) {
          visit(State{{PointSet(white), PointSet(black)}, PointSet(moved), side});
        }
        if (moved == 0) break;
      }
    }
  }
}

TEST(Fanorona, TheWholeStateSpaceHasTheKnownCounts) {
  const Fanorona game;
  int states = 0, won = 0, stuck = 0;
  for_all_states([&](const State& state) {
    ++states;
    if (game.outcome(state) == Outcome::ongoing) return;
    (game.ending(state) == "no legal move" ? stuck : won) += 1;
  });
  EXPECT_EQ(states, 215040);
  EXPECT_EQ(won, 5096);
  EXPECT_EQ(stuck, 840);
}

TEST(Fanorona, HashesOfTheWholeStateSpaceDiffer) {
  const Fanorona game;
  std::unordered_set<std::uint64_t> hashes;
  for_all_states([&](const State& state) { hashes.insert(game.hash(state)); });
  EXPECT_EQ(hashes.size(), 215040u);
}

TEST(Fanorona, SixteenThousandStatesAreReachable) {
  const Fanorona game;
  std::set<std::uint64_t> seen = {game.hash(game.initial())};
  std::queue<State> open;
  open.push(game.initial());
  while (!open.empty()) {
    const State state = open.front();
    open.pop();
    for (const Move move : game.legal_moves(state)) {
      State next = state;
      game.play(next, move);
      if (seen.insert(game.hash(next)).second) open.push(next);
    }
  }
  EXPECT_EQ(seen.size(), 16806u);
}

RC_GTEST_PROP(Fanorona, AgreesWithThePlainRules, ()) {
  const Fanorona game;
  // A random position of 3 + 3 pieces.
  std::vector<char> cells = {'.', '.', '.'};
  for (int i = 0; i < 3; ++i) cells.push_back(*rc::gen::elementOf(std::string("wW")));
  for (int i = 0; i < 3; ++i) cells.push_back(*rc::gen::elementOf(std::string("bB")));
  for (std::size_t i = 9; i > 1; --i) {
    std::swap(cells[i - 1], cells[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  std::string text(cells.begin(), cells.end());
  text += *rc::gen::element(std::string(" w"), std::string(" b"));
  const State state = position(text);
  const auto expected = Plain::moves(text);
  RC_ASSERT(moves_of(state) == expected);
  for (const std::string& move : expected) {
    State next = state;
    game.play(next, *game.parse_move(state, move));
    RC_ASSERT(game.position_text(next) == Plain::play(text, move));
  }
}

TEST(Fanorona, FeaturesAreFiveSlotsAPointAndThePlayer) {
  const Fanorona game;
  std::vector<float> features(46);
  game.write_features(position("Bb.w.wb.W b"), features);
  const std::vector<int> contents = {-2, -1, 0, 1, 0, 1, -1, 0, 2};
  for (std::size_t point = 0; point < 9; ++point) {
    for (int slot = 0; slot < 5; ++slot) {
      EXPECT_EQ(features[5 * point + static_cast<std::size_t>(slot)],
                contents[point] == slot - 2 ? 1.0f : 0.0f)
          << point << " " << slot;
    }
  }
  EXPECT_EQ(features[45], -1.0f);
}

TEST(Fanorona, WrongPositionsAreNamed) {
  const Fanorona game;
  const auto error = [&](std::string_view text) {
    return game.parse_position(text).error().text();
  };
  EXPECT_EQ(error("bbb..wwww w"), "position 'bbb..wwww w': white has 4 pieces; expected 3");
  EXPECT_EQ(error("bbb...ww. w"), "position 'bbb...ww. w': white has 2 pieces; expected 3");
  EXPECT_EQ(error("bbbx..www w"),
            "position 'bbbx..www w': point 3 is 'x'; expected one of . w W b B");
  EXPECT_EQ(error("bbb...www x"),
            "position 'bbb...www x': the side to move is 'x'; expected w or b");
  EXPECT_EQ(error("bbb...www"),
            "position 'bbb...www': expected nine points, a space and the side, as 'bbb...www w'");
}

TEST(Fanorona, WrongMovesAreAnsweredWithTheNearest) {
  const Fanorona game;
  EXPECT_EQ(
      game.parse_move(game.initial(), "7-5").error().text(),
      "'7-5' is not a legal move here; did you mean 7-4? (moves are written from-to, as 7-4)");
}

}  // namespace
}  // namespace damier::games::fanorona
