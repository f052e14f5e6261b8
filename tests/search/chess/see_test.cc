#include "damier/search/chess/see.h"

#include "positions.h"
#include <gtest/gtest.h>

namespace damier::search::chess {

namespace {

using namespace games::chess;
using games::Side;
using testing::position;
using testing::random_positions;

// A board on which the exchange is played out, piece by piece.
struct ExchangeBoard {
  State state;

  Bitboard attackers_of(int square, Side side, Kind kind) const {
    const Bitboard pieces = state.of(side, kind), occupied = state.occupied();
    const AttackTables& tables = attack_tables(Isa::plain);
    switch (kind) {
      case Kind::pawn:
        return tables.pawn[side == Side::first ? 1 : 0][square] & pieces;
      case Kind::knight:
        return tables.knight[square] & pieces;
      case Kind::king:
        return tables.king[square] & pieces;
      case Kind::bishop:
      case Kind::rook:
        return slide(square, occupied, kind) & pieces;
      case Kind::queen:
        return (slide(square, occupied, Kind::rook) | slide(square, occupied, Kind::bishop)) &
               pieces;
    }
    return 0;
  }
  bool is_attacked(int square, Side side) const {
    for (int kind = 0; kind < kKinds; ++kind) {
      if (attackers_of(square, side, kind_at(kind)) != 0) return true;
    }
    return false;
  }
  void remove(int square) {
    for (Bitboard& kind : state.kinds) kind &= ~bit(square);
    for (Bitboard& side : state.sides) side &= ~bit(square);
  }
};

// What `side` gains by taking what stands on the square, or by not doing so.
int best_gain(ExchangeBoard board, int square, Side side) {
  const Kind standing = board.state.kind_on(bit(square));
  for (int kind = 0; kind < kKinds; ++kind) {
    const Bitboard takers = board.attackers_of(square, side, kind_at(kind));
    if (takers == 0) continue;
    board.remove(square);
    board.remove(lowest_bit(takers));
    board.state.put({kind_at(kind), side}, square_at(square));
    if (kind_at(kind) == Kind::king && board.is_attacked(square, opponent(side))) return 0;
    const int gain = kSeeValues[index(standing)] - best_gain(board, square, opponent(side));
    return std::max(gain, 0);
  }
  return 0;
}

int plain_exchange(const State& state, Move move) {
  ExchangeBoard board{state};
  const int to = index(to_of(move));
  int gain = 0;
  if (type_of(move) == MoveType::en_passant) {
    gain = kSeeValues[0];
    board.remove(to ^ 8);
  } else if ((state.occupied() & bit(to)) != 0) {
    gain = kSeeValues[index(state.kind_on(bit(to)))];
  }
  board.remove(to);
  board.remove(index(from_of(move)));
  Kind kind = mover_of(move);
  if (is_promotion(move)) {
    kind = promoted_of(move);
    gain += kSeeValues[index(kind)] - kSeeValues[0];
  }
  board.state.put({kind, state.side}, to_of(move));
  return gain - best_gain(board, to, opponent(state.side));
}

TEST(StaticExchange, IsWhatPlayingItOutGains) {
  const Attacks attacks;
  const Generator generator;
  int compared = 0;
  for (const State& state : random_positions(40, 7)) {
    for (const Move move : generator.list(state)) {
      if (is_castling(move)) continue;
      const int gain = plain_exchange(state, move);
      for (const int threshold : {gain - 1, gain, gain + 1, -100, 0, 1, 320}) {
        ASSERT_EQ(see_ge(attacks, state, move, threshold), gain >= threshold)
            << fen_text(state) << " " << index(from_of(move)) << "-" << index(to_of(move))
            << " gains " << gain << ", threshold " << threshold;
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 50'000);
}

TEST(StaticExchange, CountsThePiecesBehind) {
  const Attacks attacks;
  // The rook behind the rook makes taking the guarded pawn a loss of a rook for a pawn only once.
  const State state = position("3r2k1/3p4/8/8/8/8/3R4/3R2K1 w - - 0 1");
  const Move take = make_move(*parse_square("d2"), *parse_square("d7"), MoveType::rook);
  EXPECT_TRUE(see_ge(attacks, state, take, 100));
  const State guarded = position("3r2k1/3p4/4b3/8/8/8/3R4/3R2K1 w - - 0 1");
  EXPECT_FALSE(see_ge(attacks, guarded, take, 0));
}

}  // namespace

}  // namespace damier::search::chess
