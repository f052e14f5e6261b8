// A chess position and a chess move.
//
// Two states are equal when they are the same position by the laws (article 9.2): the pieces, the
// side to move, the castling rights, and whether an en passant capture is legal. The clocks are
// carried along but not compared, so that repetition is plain equality.
#pragma once

#include <cstdint>
#include <cstring>

#include "damier/base/numbers/random.h"
#include "damier/games/chess/board.h"

namespace damier::games::chess {

struct State {
  // Plain arrays: the move kernels read them, and may not share library functions.
  Bitboard kinds[kKinds] = {};  // by kind, of both sides
  Bitboard sides[2] = {};
  Bitboard castling = 0;  // the rooks that may still castle
  std::uint64_t hash = 0;
  Side side = Side::first;
  // The square behind a pawn that has just made its double step, when the side to move can legally
  // capture it there; none otherwise.
  Square en_passant = Square::none;
  std::uint16_t halfmove_clock = 0;  // since the last capture or pawn move
  std::uint16_t move_number = 1;     // as in a score sheet: goes up after Black's move

  bool operator==(const State& other) const {
    return hash == other.hash && std::memcmp(kinds, other.kinds, sizeof kinds) == 0 &&
           std::memcmp(sides, other.sides, sizeof sides) == 0 && castling == other.castling &&
           side == other.side && en_passant == other.en_passant;
  }

  Bitboard of(Side whose) const { return sides[games::index(whose)]; }
  Bitboard of(Kind kind) const { return kinds[index(kind)]; }
  Bitboard of(Side whose, Kind kind) const { return of(whose) & of(kind); }
  Bitboard of(Piece piece) const { return of(piece.side, piece.kind); }
  Bitboard occupied() const { return sides[0] | sides[1]; }
  Square king(Side whose) const { return square_at(lowest_bit(of(whose, Kind::king))); }

  std::optional<Piece> at(Square square) const {
    const Bitboard here = bit(square);
    if ((occupied() & here) == 0) return std::nullopt;
    return Piece{kind_on(here), (sides[0] & here) != 0 ? Side::first : Side::second};
  }

  // The square must be occupied.
  Kind kind_on(Bitboard here) const {
    int kind = 0;
    while ((kinds[kind] & here) == 0) ++kind;
    return kind_at(kind);
  }

  // Without the hash.
  void put(Piece piece, Square square) {
    kinds[index(piece.kind)] |= bit(square);
    sides[games::index(piece.side)] |= bit(square);
  }
};

static_assert(sizeof(State) == 88);

// What moves, and how: a move carries it so that playing needs no look at the board.
enum class MoveType : std::uint8_t {
  pawn,  // these six in the order of Kind
  knight,
  bishop,
  rook,
  queen,
  king,
  double_push,
  en_passant,
  castling,  // written as the king taking its own rook
  promote_knight,
  promote_bishop,
  promote_rook,
  promote_queen,
};

// Bits 0 to 5: the square of arrival; 6 to 11: of departure; 12 to 15: the type.
enum class Move : std::uint16_t {};

[[gnu::always_inline]] constexpr inline Move make_move(int from, int to, MoveType type) {
  return static_cast<Move>(to | from << 6 | static_cast<int>(type) << 12);
}
constexpr Move make_move(Square from, Square to, MoveType type) {
  return make_move(index(from), index(to), type);
}
constexpr Square to_of(Move move) { return square_at(static_cast<int>(move) & 63); }
constexpr Square from_of(Move move) { return square_at(static_cast<int>(move) >> 6 & 63); }
constexpr MoveType type_of(Move move) {
  return static_cast<MoveType>(static_cast<int>(move) >> 12);
}

constexpr bool is_castling(Move move) { return type_of(move) == MoveType::castling; }
constexpr bool is_promotion(Move move) { return type_of(move) >= MoveType::promote_knight; }

// The kind that leaves the square of departure.
constexpr Kind mover_of(Move move) {
  const MoveType type = type_of(move);
  if (type <= MoveType::king) return static_cast<Kind>(type);
  return type == MoveType::castling ? Kind::king : Kind::pawn;
}
// The kind that a promotion puts on the board; the move must be one.
constexpr Kind promoted_of(Move move) {
  return kind_at(static_cast<int>(type_of(move)) - static_cast<int>(MoveType::promote_knight) + 1);
}

// Castling: where the king and the rook end, whatever squares they come from.
constexpr bool castles_short(Move move) { return file_of(to_of(move)) > file_of(from_of(move)); }
constexpr Square castled_king(Move move) {
  return square_at(castles_short(move) ? 6 : 2, rank_of(from_of(move)));
}
constexpr Square castled_rook(Move move) {
  return square_at(castles_short(move) ? 5 : 3, rank_of(from_of(move)));
}

// No position has more than 218 legal moves; the rest is room for the unused moves that a kernel
// writes there.
using MoveList = InlineList<Move, 256>;

// The random numbers behind the hash of a position (Zobrist, 1970): one for each thing that can be
// so or not, joined by exclusive or, so that a move changes only what it touches.
struct ZobristKeys {
  std::uint64_t pieces[2][kKinds][kSquares] = {};
  std::uint64_t castling[kSquares] = {};  // by the rook's square
  std::uint64_t en_passant[kBoardSize] = {};
  std::uint64_t black_to_move = 0;
};

inline constexpr auto kZobrist = [] {
  ZobristKeys keys;
  std::uint64_t counter = 0;
  const auto next = [&counter] { return mix64(counter += 0x9E3779B97F4A7C15u); };
  for (auto& side : keys.pieces) {
    for (auto& kind : side) {
      for (auto& square : kind) square = next();
    }
  }
  for (auto& square : keys.castling) square = next();
  for (auto& file : keys.en_passant) file = next();
  keys.black_to_move = next();
  return keys;
}();

// From scratch: what playing keeps up to date step by step.
inline std::uint64_t zobrist_hash(const State& state) {
  std::uint64_t hash = state.side == Side::second ? kZobrist.black_to_move : 0;
  for (int side = 0; side < 2; ++side) {
    for (int kind = 0; kind < kKinds; ++kind) {
      for (Bitboard squares = state.sides[side] & state.kinds[kind]; squares != 0;) {
        hash ^= kZobrist.pieces[side][kind][take_lowest(squares)];
      }
    }
  }
  for (Bitboard rooks = state.castling; rooks != 0;) hash ^= kZobrist.castling[take_lowest(rooks)];
  if (state.en_passant != Square::none) hash ^= kZobrist.en_passant[file_of(state.en_passant)];
  return hash;
}

}  // namespace damier::games::chess
