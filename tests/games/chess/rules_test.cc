// The laws of chess, one test a rule.

#include "tests/games/chess/test_kit.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/games/chess/san.h"
#include "damier/games/history.h"
#include "damier/games/playout.h"

namespace damier::games::chess {
namespace {

void play(History<Chess>& history, std::initializer_list<const char*> moves) {
  for (const char* move : moves) {
    ASSERT_EQ(history.outcome(), Outcome::ongoing) << "before " << move;
    const auto parsed = history.game().parse_move(history.state(), move);
    ASSERT_TRUE(parsed) << parsed.error().text();
    history.play(*parsed);
  }
}

void shuffle_knights(History<Chess>& history, int times) {
  for (int i = 0; i < times; ++i) play(history, {"Nf3", "Nf6", "Ng1", "Ng8"});
}

struct Ending {
  const char* fen;
  Outcome outcome;
  const char* why;
};

TEST(Chess, MateStalemateAndDeadPositionsEndTheGame) {
  const char* const dead = "neither side has the material to mate";
  const Ending endings[] = {
      {"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Outcome::second_wins,
       "checkmate"},
      {"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Outcome::first_wins, "checkmate"},
      {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Outcome::draw, "stalemate"},
      {"8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", Outcome::draw, "stalemate"},
      {"8/8/4k3/8/8/3K4/8/8 w - - 0 1", Outcome::draw, dead},
      {"8/8/4k3/8/8/3KN3/8/8 w - - 0 1", Outcome::draw, dead},
      {"8/8/4kb2/8/8/3K4/8/8 w - - 0 1", Outcome::draw, dead},
      {"8/8/4kb2/8/8/2BK4/8/8 w - - 0 1", Outcome::draw, dead},
      {"8/B1B5/1B2k3/8/8/3K2b1/8/8 b - - 0 1", Outcome::draw, dead},
  };
  const Chess game;
  for (const Ending& ending : endings) {
    const State state = read_fen(game, ending.fen);
    EXPECT_EQ(game.outcome(state), ending.outcome) << ending.fen;
    EXPECT_EQ(game.ending(state), ending.why) << ending.fen;
    EXPECT_TRUE(game.legal_moves(state).empty()) << ending.fen;
    EXPECT_EQ(game.count_moves(state), 0) << ending.fen;
  }
}

TEST(Chess, MaterialThatCanStillMateIsNoDraw) {
  const Chess game;
  for (const char* fen : {"8/8/4kn2/8/8/2NK4/8/8 w - - 0 1", "8/8/4kn2/8/8/2BK4/8/8 w - - 0 1",
                          "8/8/4k3/8/8/2NKN3/8/8 w - - 0 1", "8/8/4kb2/8/8/3K1B2/8/8 w - - 0 1",
                          "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1", "8/8/4k3/8/8/3K4/R7/8 w - - 0 1"}) {
    EXPECT_EQ(game.outcome(read_fen(game, fen)), Outcome::ongoing) << fen;
  }
}

TEST(Chess, DeadMaterialIsPlayedOnWhenAskedFor) {
  const Chess game({.material_draws = false});
  EXPECT_EQ(game.outcome(read_fen(game, "8/8/4k3/8/8/3K4/8/8 w - - 0 1")), Outcome::ongoing);
}

TEST(Chess, TheThirdOccurrenceIsADraw) {
  const Chess game;
  History history(game, game.initial());
  shuffle_knights(history, 1);
  EXPECT_EQ(history.outcome(), Outcome::ongoing) << "the second";
  shuffle_knights(history, 1);
  EXPECT_EQ(history.outcome(), Outcome::draw);
  EXPECT_EQ(history.ending(), "the position occurred 3 times");
}

TEST(Chess, FivefoldRepetitionAndNoneAreOptions) {
  const Chess five({.repetitions = 5});
  History history(five, five.initial());
  shuffle_knights(history, 3);
  EXPECT_EQ(history.outcome(), Outcome::ongoing);
  shuffle_knights(history, 1);
  EXPECT_EQ(history.outcome(), Outcome::draw);
  const Chess none({.repetitions = 0});
  History endless(none, none.initial());
  shuffle_knights(endless, 12);
  EXPECT_EQ(endless.outcome(), Outcome::ongoing);
}

TEST(Chess, ALostCastlingRightMakesAnotherPosition) {
  const Chess game;
  History history(game, read_fen(game, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"));
  for (int i = 0; i < 2; ++i) play(history, {"Rb1", "Rb8", "Ra1", "Ra8"});
  EXPECT_EQ(history.outcome(), Outcome::ongoing) << "twice without the rights, once with them";
  play(history, {"Rb1", "Rb8"});
  EXPECT_EQ(history.outcome(), Outcome::draw);
}

TEST(Chess, AnEnPassantThatCanBeTakenMakesAnotherPosition) {
  const Chess game;
  const State with = read_fen(game, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
  const State without = read_fen(game, "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
  EXPECT_FALSE(with == without);
  EXPECT_NE(game.hash(with), game.hash(without));
}

TEST(Chess, AnEnPassantThatWouldUncoverTheKingMakesNone) {
  const Chess game;
  State state = read_fen(game, "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1");
  game.play(state, read_move(game, state, "e4"));
  EXPECT_TRUE(state == read_fen(game, "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"));
  EXPECT_TRUE(state == read_fen(game, "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1"));
  EXPECT_EQ(game.position_text(state), "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1");
}

TEST(Chess, FiftyMovesWithoutCaptureOrPawnMoveAreADraw) {
  const Chess game;
  History history(game, read_fen(game, "4k3/8/8/8/8/8/4P3/R3K3 w Q - 98 80"));
  play(history, {"Ra2", "Kd8"});
  EXPECT_EQ(history.outcome(), Outcome::draw);
  EXPECT_EQ(history.ending(), "50 moves without a capture or a pawn move");
  ASSERT_TRUE(history.undo());
  EXPECT_EQ(history.outcome(), Outcome::ongoing);
}

TEST(Chess, APawnMoveOrACaptureBeginsTheCountAnew) {
  const Chess game;
  for (const char* move : {"e3", "e4", "Rxa8", "Ra2"}) {
    State state = read_fen(game, "r3k3/8/8/8/8/8/4P3/R3K3 w Q - 99 80");
    game.play(state, read_move(game, state, move));
    EXPECT_EQ(state.halfmove_clock, std::string(move) == "Ra2" ? 100 : 0) << move;
  }
}

TEST(Chess, SeventyFiveMovesAndNoLimitAreOptions) {
  for (const auto& [limit, clock] : {std::pair{75, 150}, {50, 100}}) {
    const Chess game({.move_rule = limit});
    State state = read_fen(game, "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 80");
    state.halfmove_clock = static_cast<std::uint16_t>(clock - 1);
    EXPECT_EQ(game.outcome(state), Outcome::ongoing);
    state.halfmove_clock = static_cast<std::uint16_t>(clock);
    EXPECT_EQ(game.outcome(state), Outcome::draw);
  }
  const Chess endless({.move_rule = 0});
  EXPECT_EQ(endless.outcome(read_fen(endless, "4k3/8/8/8/8/8/8/R3K3 w - - 9999 80")),
            Outcome::ongoing);
}

TEST(Chess, MateOnTheLastMoveOfTheCountWins) {
  const Chess game;
  History history(game, read_fen(game, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80"));
  play(history, {"Ra8#"});
  EXPECT_EQ(history.outcome(), Outcome::first_wins);
  EXPECT_EQ(history.ending(), "checkmate");
}

TEST(Chess, CastlingMovesBothPiecesAndEndsTheRights) {
  const Chess game;
  const char* const start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  State state = read_fen(game, start);
  game.play(state, read_move(game, state, "O-O"));
  EXPECT_EQ(game.position_text(state), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
  game.play(state, read_move(game, state, "Kd8"));
  EXPECT_EQ(game.position_text(state), "r2k3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
  state = read_fen(game, start);
  game.play(state, read_move(game, state, "O-O-O"));
  EXPECT_EQ(game.position_text(state), "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1");
  state = read_fen(game, start);
  game.play(state, read_move(game, state, "Rxa8"));
  EXPECT_EQ(game.position_text(state), "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1");
}

TEST(Chess, CastlingInChess960TakesKingAndRookToTheUsualSquares) {
  const Chess game({.chess960 = true});
  State state = read_fen(game, "1rk4r/8/8/8/8/8/8/1RK4R w KQkq - 0 1");
  game.play(state, read_move(game, state, "O-O-O"));
  EXPECT_EQ(game.position_text(state), "1rk4r/8/8/8/8/8/8/2KR3R b kq - 1 1");
  state = read_fen(game, "1rk4r/8/8/8/8/8/8/4K3 b kq - 0 1");
  game.play(state, read_move(game, state, "c8h8"));
  EXPECT_EQ(game.position_text(state), "1r3rk1/8/8/8/8/8/8/4K3 w - - 1 2");
}

TEST(Chess, AKingThatTakesARookTakesItsRight) {
  const Chess game;
  State state = read_fen(game, "4k2r/6K1/8/8/8/8/P7/8 w k - 0 1");
  game.play(state, read_move(game, state, "Kxh8"));
  EXPECT_EQ(game.position_text(state), "4k2K/8/8/8/8/8/P7/8 b - - 0 1");
  EXPECT_EQ(state.castling, 0u);
  EXPECT_EQ(state.hash, zobrist_hash(state));
}

TEST(Chess, OfTwoTakersEnPassantAPinnedOneStays) {
  const Chess game;
  const State state = read_fen(game, "3k4/8/8/8/3pPp2/8/8/3RK3 b - e3 0 1");
  EXPECT_TRUE(game.parse_move(state, "fxe3"));
  EXPECT_FALSE(game.parse_move(state, "dxe3"));
}

TEST(Chess, MaterialIsCountedForTheSideToMove) {
  const Chess game;
  EXPECT_EQ(game.heuristic(game.initial()), 0);
  EXPECT_EQ(game.heuristic(read_fen(game, "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1")), 600);
  EXPECT_EQ(game.heuristic(read_fen(game, "4k3/8/8/8/8/8/4P3/R3K3 b - - 0 1")), -600);
  EXPECT_EQ(game.heuristic(read_fen(game, "4k1n1/8/8/8/8/2B5/8/4K3 w - - 0 1")), 10);
  EXPECT_EQ(game.heuristic(read_fen(game, "q3k3/8/8/8/8/8/8/4K3 b - - 0 1")), 900);
}

TEST(Chess, OptionsAreReadAndShown) {
  const auto game = Chess::make({{"variant", "chess960"}, {"start", "0"}, {"moves", "75"}});
  ASSERT_TRUE(game);
  EXPECT_EQ(game->rules().start, 0);
  EXPECT_EQ(game->rules().move_rule, 75);
  EXPECT_EQ(options_text(game->option_values()),
            "variant=chess960,start=0,repetition=3,moves=75,material=draw");
  EXPECT_FALSE(Chess::make({{"start", "960"}, {"variant", "chess960"}}));
  EXPECT_FALSE(Chess::make({{"repetition", "4"}}));
  const auto lonely = Chess::make({{"start", "17"}});
  ASSERT_FALSE(lonely);
  EXPECT_EQ(lonely.error().message, "start=17 needs variant=chess960; the usual start is 518");
}

TEST(Chess, TranspositionsHaveOneHash) {
  const Chess game;
  State one = game.initial(), other = game.initial();
  for (const char* move : {"Nf3", "Nf6", "c4", "e6"}) {
    game.play(one, read_move(game, one, move));
  }
  for (const char* move : {"c4", "e6", "Nf3", "Nf6"}) {
    game.play(other, read_move(game, other, move));
  }
  EXPECT_EQ(game.hash(one), game.hash(other));
  EXPECT_TRUE(one == other);
}

RC_GTEST_PROP(Chess, TheHashKeptByPlayingIsTheHashFromScratch, (std::uint64_t seed)) {
  for (const RandomPly& ply : random_game(any_chess(seed), seed, 200)) {
    RC_ASSERT(ply.after.hash == zobrist_hash(ply.after));
    RC_ASSERT((ply.after.sides[0] & ply.after.sides[1]) == 0u);
    Bitboard all = 0;
    for (const Bitboard kind : ply.after.kinds) {
      RC_ASSERT((all & kind) == 0u);
      all |= kind;
    }
    RC_ASSERT(all == ply.after.occupied());
    RC_ASSERT((ply.after.castling & ~ply.after.of(Kind::rook)) == 0u);
  }
}

TEST(Chess, DifferentPositionsOfRandomGamesHaveDifferentHashes) {
  std::vector<std::pair<std::uint64_t, std::string>> seen;
  const Chess game;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    for (const RandomPly& ply : random_game(game, seed, 300)) {
      const std::string fen = game.position_text(ply.after);
      seen.emplace_back(game.hash(ply.after), fen.substr(0, fen.find_last_of(' ') - 2));
    }
  }
  std::sort(seen.begin(), seen.end());
  for (std::size_t i = 1; i < seen.size(); ++i) {
    if (seen[i - 1].first != seen[i].first) continue;
    const auto board = [](const std::string& fen) { return fen.substr(0, fen.find(' ')); };
    ASSERT_EQ(board(seen[i - 1].second), board(seen[i].second));
  }
}

TEST(Chess, ThereAre1858Actions) {
  const Chess game;
  EXPECT_EQ(game.action_count(), 1858);
  const State white = read_fen(game, "1n5k/P7/8/8/8/8/8/K7 w - - 0 1");
  const State black = read_fen(game, "k7/8/8/8/8/8/p7/1N5K b - - 0 1");
  for (const char* move : {"a7a8n", "a7b8r", "a7a8q"}) {
    std::string mirrored = move;
    mirrored[1] = '2';
    mirrored[3] = '1';
    const Action ours = game.action(white, read_move(game, white, move));
    const Action theirs = game.action(black, read_move(game, black, mirrored));
    EXPECT_EQ(ours == theirs, move[4] != 'q') << "small promotions are told by their files alone";
  }
}

TEST(Chess, RandomGamesEnd) {
  const Chess game;
  RandomStream random(Seed{1}, "test");
  for (int i = 0; i < 20; ++i) {
    const Playout playout = random_playout(game, game.initial(), random, 5000);
    EXPECT_LT(playout.plies, 5000);
  }
}

}  // namespace
}  // namespace damier::games::chess
