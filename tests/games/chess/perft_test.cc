// Perft of positions that are hard to get right, against the counts of another engine and against a
// plain generator that tries moves out.

#include "damier/games/perft.h"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/games/chess/perft_table.h"
#include "tests/games/chess/plain.h"
#include "tests/games/chess/test_kit.h"
#include <gtest/gtest.h>

#include "damier/base/parallel/isa.h"
#include "damier/games/chess/attacks.h"
#include "damier/games/chess/chess.h"
#include "damier/games/chess/san.h"

namespace damier::games::chess {
namespace {

std::vector<Isa> kernels() {
  std::vector<Isa> all = {Isa::plain};
  if (can_run(Isa::bmi2)) all.push_back(Isa::bmi2);
  return all;
}

// All depths of all positions up to so many leaves.
void check_table(std::uint64_t low, std::uint64_t high) {
  for (const Isa kernel : kernels()) {
    const Chess game({}, Generator(kernel));
    for (const PerftRow& row : kPerftTable) {
      const State state = read_fen(game, row.fen);
      for (std::size_t i = 0; i < row.counts.size(); ++i) {
        if (row.counts[i] < low || row.counts[i] >= high) continue;
        EXPECT_EQ(perft(game, state, static_cast<int>(i) + 1), row.counts[i])
            << row.remark << ": " << row.fen << " at depth " << i + 1;
      }
    }
  }
}

void check_plain(std::uint64_t low, std::uint64_t high) {
  for (const PerftRow& row : kPerftTable) {
    const plain::Board board{std::string(row.fen)};
    for (std::size_t i = 0; i < row.counts.size(); ++i) {
      if (row.counts[i] < low || row.counts[i] >= high) continue;
      EXPECT_EQ(board.perft(static_cast<int>(i) + 1), row.counts[i])
          << row.remark << ": " << row.fen << " at depth " << i + 1;
    }
  }
}

constexpr std::uint64_t kQuick = 1'000'000;
constexpr std::uint64_t kQuickPlain = 20'000;

TEST(ChessPerft, TheTableIsLarge) { EXPECT_GE(kPerftTable.size(), 66u); }
TEST(ChessPerft, AgreesWithTheTable) { check_table(0, kQuick); }
TEST(ChessPerft, ThePlainGeneratorAgreesWithTheTable) { check_plain(0, kQuickPlain); }

TEST(ChessPerft, DrawsEndNothing) {
  const Chess game;
  const auto count = [&](const char* fen, int depth) {
    return perft(game, read_fen(game, fen), depth);
  };
  // Taking one knight leaves a king and a knight against a king and a knight, taking two of them
  // leaves too little to mate.
  EXPECT_EQ(count("k7/8/2N5/1N6/8/8/8/K6n b - - 0 1", 6), 588695u);
  EXPECT_EQ(count("k7/8/8/8/8/8/8/K7 w - - 0 1", 1), 3u) << "two kings";
  EXPECT_EQ(count("k7/8/8/8/8/8/8/KR6 w - - 100 90", 1), 15u) << "fifty quiet moves each";
  EXPECT_EQ(count("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", 1), 0u) << "mate";
}

TEST(SlowChessPerft, AgreesWithTheDeepEndOfTheTable) { check_table(kQuick, ~std::uint64_t{0}); }
TEST(SlowChessPerft, ThePlainGeneratorAgreesDeeper) { check_plain(kQuickPlain, 3'000'000); }

// The legal moves of every position in random games are those of the plain generator.
void check_random_games(int games, int plies) {
  for (int number = 0; number < games; ++number) {
    RandomStream random(Seed{7}, "chess.plain", static_cast<std::uint64_t>(number));
    const Chess game({.chess960 = true, .start = static_cast<int>(random.below(960))});
    State state = game.initial();
    plain::Board board(game.position_text(state));
    for (int ply = 0; ply < plies; ++ply) {
      const auto moves = game.legal_moves(state);
      if (moves.empty()) break;
      std::vector<std::string> fast, slow;
      for (const Move move : moves) fast.push_back(uci_text(move, true));
      const auto plain_moves = board.legal_moves();
      for (const auto& move : plain_moves) slow.push_back(plain::Board::uci(move));
      std::vector<std::string> sorted = fast;
      std::sort(sorted.begin(), sorted.end());
      std::sort(slow.begin(), slow.end());
      ASSERT_EQ(sorted, slow) << game.position_text(state);
      ASSERT_EQ(game.in_check(state), board.in_check());
      const std::size_t choice = random.below(moves.size());
      game.play(state, moves[choice]);
      for (const auto& move : plain_moves) {
        if (plain::Board::uci(move) == fast[choice]) {
          board.play(move);
          break;
        }
      }
    }
  }
}

TEST(ChessPerft, RandomGamesAgreeMoveByMoveWithThePlainGenerator) { check_random_games(20, 150); }
TEST(SlowChessPerft, ManyRandomGamesAgree) { check_random_games(1000, 300); }

TEST(ChessPerft, BothKernelsListTheSameMovesInTheSameOrder) {
  if (kernels().size() < 2) GTEST_SKIP() << "this processor has one kernel only";
  const Generator one(Isa::plain), other(Isa::bmi2);
  for (const PerftRow& row : kPerftTable) {
    const State state = read_fen(Chess(), row.fen);
    EXPECT_TRUE(std::ranges::equal(one.list(state), other.list(state))) << row.fen;
    EXPECT_EQ(one.checkers(state), other.checkers(state));
  }
}

TEST(ChessAttacks, TheMagicTablesSayWhatSlidingStepByStepSays) {
  const AttackTables& tables = attack_tables(Isa::plain);
  RandomStream random(Seed{3}, "chess.attacks");
  for (int square = 0; square < kSquares; ++square) {
    for (int i = 0; i < 200; ++i) {
      const Bitboard occupied = random() & random();
      ASSERT_EQ(rook_attacks<MagicBits>(tables, square, occupied),
                slide(square, occupied, Kind::rook));
      ASSERT_EQ(bishop_attacks<MagicBits>(tables, square, occupied),
                slide(square, occupied, Kind::bishop));
    }
  }
}

TEST(Chess960, StartsHaveTheirUsualNumbers) {
  const auto back_rank = [](int number) {
    const Chess game({.chess960 = true, .start = number});
    return game.position_text(game.initial()).substr(35, 8);
  };
  EXPECT_EQ(back_rank(0), "BBQNNRKR");
  EXPECT_EQ(back_rank(518), "RNBQKBNR");
  EXPECT_EQ(back_rank(959), "RKRNNQBB");
  EXPECT_EQ(back_rank(1), "BQNBNRKR");
  EXPECT_EQ(back_rank(534), "RNBKQBNR");
}

TEST(Chess960, AllStartsDifferAndHaveTheirKingBetweenTheRooks) {
  std::vector<std::string> seen;
  for (int number = 0; number < 960; ++number) {
    const Chess game({.chess960 = true, .start = number});
    const State state = game.initial();
    seen.push_back(game.position_text(state));
    const Bitboard rooks = state.of(Side::first, Kind::rook);
    const Bitboard king = state.of(Side::first, Kind::king);
    EXPECT_LT(rooks & (0 - rooks), king);
    EXPECT_GT(rooks & (rooks - 1), king);
    const Bitboard bishops = state.of(Side::first, Kind::bishop);
    EXPECT_EQ(bit_count(bishops & kLightSquares), 1);
    EXPECT_EQ(bit_count(bishops), 2);
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}

}  // namespace
}  // namespace damier::games::chess
