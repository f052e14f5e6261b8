// The chess board's vocabulary: squares, kinds of pieces, and sets of squares.
//
// Square 0 is a1, 1 is b1, 63 is h8, and a Bitboard holds square s as bit s. White is Side::first.
// What the move kernels use is always inlined: they are compiled for several instruction sets, and
// no copy of theirs may be shared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "damier/base/numbers/bits.h"
#include "damier/games/game.h"

namespace damier::games::chess {

inline constexpr int kBoardSize = 8;
inline constexpr int kSquares = kBoardSize * kBoardSize;

using Bitboard = std::uint64_t;

enum class Square : std::uint8_t { a1, none = kSquares };

[[gnu::always_inline]] constexpr inline int index(Square square) {
  return static_cast<int>(square);
}
[[gnu::always_inline]] constexpr inline Square square_at(int i) { return static_cast<Square>(i); }

// Files a to h and ranks 1 to 8 count from 0.
[[gnu::always_inline]] constexpr inline Square square_at(int file, int rank) {
  return static_cast<Square>(kBoardSize * rank + file);
}
[[gnu::always_inline]] constexpr inline int file_of(Square square) { return index(square) & 7; }
[[gnu::always_inline]] constexpr inline int rank_of(Square square) { return index(square) >> 3; }

[[gnu::always_inline]] constexpr inline Bitboard bit(int square) { return Bitboard{1} << square; }
[[gnu::always_inline]] constexpr inline Bitboard bit(Square square) { return bit(index(square)); }

// The lowest square of the set, taken out of it; the set must not be empty.
[[gnu::always_inline]] constexpr inline int take_lowest(Bitboard& squares) {
  const int square = lowest_bit(squares);
  squares &= squares - 1;
  return square;
}

inline constexpr Bitboard kFileA = 0x0101010101010101;
inline constexpr Bitboard kFileH = kFileA << 7;
inline constexpr Bitboard kRank1 = 0xFF;
inline constexpr Bitboard kRank8 = kRank1 << 56;
inline constexpr Bitboard kLightSquares = 0x55AA55AA55AA55AA;

constexpr int home_rank(Side side) { return side == Side::first ? 0 : 7; }
constexpr Bitboard home_squares(Side side) { return side == Side::first ? kRank1 : kRank8; }

enum class Kind : std::uint8_t { pawn, knight, bishop, rook, queen, king };
inline constexpr int kKinds = 6;

[[gnu::always_inline]] constexpr inline int index(Kind kind) { return static_cast<int>(kind); }
constexpr Kind kind_at(int i) { return static_cast<Kind>(i); }

struct Piece {
  Kind kind = Kind::pawn;
  Side side = Side::first;

  bool operator==(const Piece&) const = default;
};

inline constexpr std::string_view kKindNames[kKinds] = {"pawn", "knight", "bishop",
                                                        "rook", "queen",  "king"};
constexpr std::string_view side_name(Side side) { return side == Side::first ? "White" : "Black"; }

inline std::string square_name(Square square) {
  return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}

constexpr std::optional<Square> parse_square(std::string_view text) {
  if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') {
    return std::nullopt;
  }
  return square_at(text[0] - 'a', text[1] - '1');
}

}  // namespace damier::games::chess
