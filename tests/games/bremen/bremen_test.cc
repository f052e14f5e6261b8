#include "damier/games/bremen/bremen.h"

#include <set>

#include "tests/games/bremen/plain.h"
#include <gtest/gtest.h>

#include "damier/games/history.h"
#include "damier/games/perft.h"

namespace damier::games::bremen {
namespace {

State position(std::string_view text, const Bremen& game = Bremen()) {
  auto state = game.parse_position(text);
  EXPECT_TRUE(state) << state.error().text();
  return *state;
}

std::set<std::string> moves_of(const Bremen& game, const State& state) {
  std::set<std::string> texts;
  for (const Move move : game.legal_moves(state)) texts.insert(game.move_text(state, move));
  return texts;
}

State after(const Bremen& game, std::string_view text, std::initializer_list<const char*> moves) {
  State state = position(text, game);
  for (const char* move : moves) {
    const auto parsed = game.parse_move(state, move);
    EXPECT_TRUE(parsed) << parsed.error().text();
    game.play(state, *parsed);
  }
  return state;
}

TEST(Bremen, PerftTable) {
  const Bremen game;
  const State state = position("a1b1c1d1/a5b5c5d5 b");
  const std::vector<std::uint64_t> nodes = {1, 20, 370, 7371, 142774, 2896663};
  for (std::size_t depth = 0; depth < nodes.size(); ++depth) {
    EXPECT_EQ(perft(game, state, static_cast<int>(depth)), nodes[depth]) << depth;
  }
}

TEST(SlowBremen, BulkAndPlainPerftAgreeSevenPliesDeep) {
  const Bremen game;
  const State state = position("a1b1c1d1/a5b5c5d5 b");
  EXPECT_EQ(perft(game, state, 6), perft_plain(game, state, 6));
  EXPECT_EQ(perft(game, state, 7), perft_plain(game, state, 7));
}

TEST(Bremen, PerftOfTheDraft) {
  const Bremen game;
  EXPECT_EQ(perft(game, game.initial(), 1), 20u);
  EXPECT_EQ(perft(game, game.initial(), 3), 4800u);
  // 5 * 4 * 3 * 2 orders of animals and squares a side, and Blue moves next.
  EXPECT_EQ(perft(game, game.initial(), 4), 57600u);
}

TEST(Bremen, AgreesWithThePlainRulesInRandomGames) {
  for (const bool rooster : {false, true}) {
    for (const bool carried : {false, true}) {
      const Bremen game({rooster, carried, 0});
      int finished = 0;
      for (std::uint64_t number = 0; number < 60; ++number) {
        RandomStream random(Seed{3}, "bremen", number);
        State state = game.initial();
        PlainBremen plain(rooster, carried);
        for (int ply = 0; ply < 400; ++ply) {
          ASSERT_EQ(game.position_text(state), plain.position());
          const auto moves = moves_of(game, state);
          ASSERT_EQ(moves, plain.moves()) << plain.position();
          const Outcome outcome = game.outcome(state);
          const int winner = plain.winner();
          ASSERT_EQ(outcome, winner < 0    ? Outcome::ongoing
                             : winner == 0 ? Outcome::first_wins
                                           : Outcome::second_wins);
          if (outcome != Outcome::ongoing) {
            ++finished;
            break;
          }
          const std::string move =
              *std::next(moves.begin(), std::ptrdiff_t(random.below(moves.size())));
          game.play(state, *game.parse_move(state, move));
          plain.play(move);
        }
      }
      EXPECT_GT(finished, 3) << "too few games reached an end to say anything about ends";
    }
  }
}

TEST(Bremen, AnAnimalCarriesAllAboveIt) {
  const Bremen game;
  // Blue's donkey on c3 under Red's dog and Blue's rooster: the whole stack rides to c2.
  EXPECT_EQ(game.position_text(after(game, "c3b1c1c3/a5c3c5d5 b", {"dc2"})), "c2b1c1c2/a5c2c5d5 r");
  // The rooster leaves alone.
  EXPECT_EQ(game.position_text(after(game, "c3b1c1c3/a5c3c5d5 b", {"rd4"})), "c3b1c1d4/a5c3c5d5 r");
}

TEST(Bremen, AnimalsLandOnLowerOnesOnly) {
  const Bremen game;
  const auto moves = moves_of(game, position("a1b1c1d1/a2b5c5d5 b"));
  EXPECT_FALSE(moves.contains("da2")) << "a donkey cannot stand on a donkey";
  EXPECT_TRUE(moves.contains("ga2")) << "a dog can";
}

TEST(Bremen, TheMoveThatMakesAStackOfFourWins) {
  // Blue's donkey, Red's dog, Blue's cat on c3; Red's rooster flies onto it.
  const std::string_view before = "c3b1c3a1/a5c3e5c4 r";
  const Bremen game;
  const State won = after(game, before, {"rc3"});
  EXPECT_EQ(game.outcome(won), Outcome::second_wins);
  EXPECT_TRUE(game.legal_moves(won).empty());
  EXPECT_EQ(game.ending(won), "a stack of four");
}

TEST(Bremen, OptionallyTheOwnerOfTheRoosterWins) {
  // Blue's dog, with a cat and Red's rooster on its back, lands on Red's donkey.
  const Bremen mover_wins, rooster_wins({.rooster_wins = true});
  const State state = after(mover_wins, "a1c3c3b1/d2e5d5c3 b", {"gd2"});
  EXPECT_EQ(mover_wins.outcome(state), Outcome::first_wins);
  EXPECT_EQ(rooster_wins.outcome(state), Outcome::second_wins);
}

TEST(Bremen, RetreatBindsTheLowestAnimalForOnePly) {
  const Bremen game;
  // Blue's dog comes home to e1 with Red's cat and rooster on its back.
  State state = after(game, "a1c3c2b1/a5b5c3c3 b", {"ge1"});
  EXPECT_EQ(game.position_text(state), "a1e1c2b1/a5b5e1e1 r !c");
  ASSERT_FALSE(moves_of(game, state).empty());
  for (const std::string& move : moves_of(game, state)) EXPECT_EQ(move[0], 'c') << move;
  game.play(state, game.legal_moves(state)[0]);
  game.play(state, *game.parse_move(state, "da2"));
  EXPECT_GT(moves_of(game, state).size(), 10u) << "the duty is gone after one ply";
}

TEST(Bremen, RetreatFallsAwayWhenTheAnimalCannotMove) {
  const Bremen game;
  // Red's donkey on a1 is shut in by b1 and a2: Red is free.
  const State state = position("b1a1a2c1/a1d5c5e5 r !d");
  const auto moves = moves_of(game, state);
  ASSERT_FALSE(moves.empty());
  for (const std::string& move : moves) EXPECT_NE(move[0], 'd') << move;
}

TEST(Bremen, OptionallyOnlyCarriedAnimalsMustRetreat) {
  // Blue's rooster flies onto Red's cat on Blue's home row: it carries nobody.
  const std::string_view before = "a2b1d3c3/a5b5c1e5 b";
  const Bremen stack, carried({.only_carried_bind = true});
  EXPECT_EQ(stack.position_text(after(stack, before, {"rc1"})), "a2b1d3c1/a5b5c1e5 r !c");
  EXPECT_EQ(carried.position_text(after(carried, before, {"rc1"})), "a2b1d3c1/a5b5c1e5 r");
}

TEST(Bremen, TheEnemysHomeRowBindsNobody) {
  const Bremen game;
  EXPECT_EQ(game.position_text(after(game, "a2b1d3c3/a5b5c5e4 b", {"rc5"})), "a2b1d3c5/a5b5c5e4 r");
}

TEST(Bremen, ActionsAreSeenByTheMover) {
  const Bremen game;
  const State blue = position("a1b1c1d1/a5b5c5d5 b"), red = position("a1b1c1d1/a5b5c5d5 r");
  // a1 is square 20; for Red the board is turned, so e5 (square 4) has that index.
  EXPECT_EQ(index(game.action(blue, play_move(0, 20))), 20);
  EXPECT_EQ(index(game.action(red, play_move(0, 4))), 20);
  EXPECT_EQ(index(game.action(blue, play_move(3, 12))), 75 + 12);
  const State draft = game.initial();
  EXPECT_EQ(index(game.action(draft, draft_move(2, 21))), 100 + 10 + 1);
  State reply = draft;
  game.play(reply, draft_move(2, 21));
  EXPECT_EQ(index(game.action(reply, draft_move(2, 1))), 100 + 10 + 3) << "b5 is Red's d";
}

TEST(Bremen, FeaturesAreSeenByTheMover) {
  const Bremen game;
  std::vector<float> blue(9 * 25), red(9 * 25);
  game.write_features(position("a1b1c1d1/a5e1c5d5 b"), blue);
  EXPECT_EQ(blue[0 * 25 + 20], 1.0f) << "Blue's donkey on a1";
  EXPECT_EQ(blue[5 * 25 + 24], 1.0f) << "Red's dog on e1";
  EXPECT_EQ(std::count(blue.begin(), blue.end(), 1.0f), 8);
  game.write_features(position("e1b1c1d1/a5e1c5d5 r !g"), red);
  EXPECT_EQ(red[0 * 25 + 24], 1.0f) << "Red's donkey on a5, turned";
  EXPECT_EQ(red[1 * 25 + 0], 1.0f) << "Red's dog on e1, turned";
  EXPECT_EQ(red[8 * 25 + 0], 1.0f) << "which must retreat";
  EXPECT_EQ(std::count(red.begin(), red.end(), 1.0f), 9);
}

TEST(Bremen, DraftFeaturesShowBothHomeRows) {
  const Bremen game;
  std::vector<float> features(40);
  game.write_draft_features(position("-b1--/---- r"), features);
  EXPECT_EQ(features[(1 * 2 + 0) * 5 + 3], 1.0f) << "Blue's dog on b1, in Red's upper row, turned";
  EXPECT_EQ(std::count(features.begin(), features.end(), 1.0f), 1);
}

// Whether the side to move wins within `plies`; independent of any solver.
bool wins_within(const Bremen& game, const State& state, int plies) {
  if (plies <= 0) return false;
  for (const Move move : game.legal_moves(state)) {
    State next = state;
    game.play(next, move);
    if (game.outcome(next) == win_of(state.side)) return true;
    if (plies < 3 || game.outcome(next) != Outcome::ongoing) continue;
    bool all_lose = true;
    for (const Move reply : game.legal_moves(next)) {
      State last = next;
      game.play(last, reply);
      all_lose = game.outcome(last) == Outcome::ongoing && wins_within(game, last, plies - 2);
      if (!all_lose) break;
    }
    if (all_lose) return true;
  }
  return false;
}

bool loses_within(const Bremen& game, const State& state, int plies) {
  for (const Move move : game.legal_moves(state)) {
    State next = state;
    game.play(next, move);
    if (game.outcome(next) == win_of(state.side)) return false;
    if (game.outcome(next) == Outcome::ongoing && !wins_within(game, next, plies - 1)) return false;
  }
  return true;
}

struct ExactFact {
  const char* position;
  bool win;
  int distance;
};

void check_fact(const ExactFact& fact) {
  const Bremen game({.max_plies = 0});
  const State state = position(fact.position);
  const auto holds = [&](int plies) {
    return fact.win ? wins_within(game, state, plies) : loses_within(game, state, plies);
  };
  EXPECT_TRUE(holds(fact.distance)) << fact.position;
  if (fact.distance > 2) {
    EXPECT_FALSE(holds(fact.distance - 2)) << fact.position;
  }
}

TEST(Bremen, KnownForcedWinsAndLosses) {
  for (const ExactFact& fact : {ExactFact{"b4d1c2e2/c2c2c1a3 b", true, 1},
                                {"a3d2c3e5/a4a3a3a2 b", false, 2},
                                {"c4d3d3b5/e3a4e2b1 b", true, 3},
                                {"a3a2c3a5/d1d1d1b4 b", false, 4},
                                {"a2a2c1a4/b3d4b3a5 b", true, 5},
                                {"c1d2b4b1/a4a4c4c4 b", false, 6},
                                {"a4b2b2c1/b3c3e1d3 b", true, 7}}) {
    check_fact(fact);
  }
}

TEST(Bremen, ImpossiblePositionsAreNamed) {
  const Bremen game;
  const auto error = [&](std::string_view text) {
    const auto result = game.parse_position(text);
    if (result) return std::string("accepted");
    return result.error().text().substr(text.size() + 13);
  };
  EXPECT_EQ(error("a1b1c1d1/a5b1c5d5 b"), "two dogs on b1; a stack is strictly increasing");
  EXPECT_EQ(error("a1a1a1a1/b5b5b5b5 b"), "two stacks of four; the first one ends the game");
  EXPECT_EQ(error("a1b1c1d1/a5b5c5 b"),
            "expected the red rooster's square (a1 to e5, or -) at column 16");
  EXPECT_EQ(error("a1b1c1f1/a5b5c5d5 b"),
            "expected the blue rooster's square (a1 to e5, or -) at column 7");
  EXPECT_EQ(error("a1b1c1d1 a5b5c5d5 b"), "expected '/' at column 9");
  EXPECT_EQ(error("a1b1c1d1/a5b5c5d5"),
            "expected a space and the side to move, b or r, at column 18");
  EXPECT_EQ(error("a1b1c1d1/a5b5c5d5 b !x"),
            "expected the end or a duty to retreat (!d, !g, !c, !r) at column 20");
  EXPECT_EQ(
      error("a1b1--/---- b"),
      "in a draft begun by blue, blue to move after 2 blue and 0 red placements is impossible");
  EXPECT_EQ(error("a2---/---- r"), "a2 is not on the home row of its side, as the draft asks");
  EXPECT_EQ(error("a1a1--/a5--- r"), "two animals on a1 in the draft");
  EXPECT_EQ(error("a1b1c1d1/a5b5c5d5 b !d"),
            "the blue donkey on a1 has no duty to retreat: it is not on the opponent's home row");
  EXPECT_EQ(error("e1b1c1d1/a5a1c5d5 r !g"),
            "the red dog on a1 has no duty to retreat: it shares its square with no enemy");
}

}  // namespace
}  // namespace damier::games::bremen
