// Moves of rook, bishop, queen and knight on Brême's 5x5 board.
//
// Every line through a square (row, column, two diagonals) has at most one square in each of its
// five places, so its occupancy is folded into five bits by one multiplication, and a table of
// 4 x 25 x 32 words (12.5 KiB) gives the squares that a slider reaches, blockers included.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace damier::games::bremen {

inline constexpr int kSize = 5;
inline constexpr int kSquares = kSize * kSize;
using SquareSet = std::uint32_t;  // bit s: square s = 5 * row + column
inline constexpr SquareSet kBoard = (1u << kSquares) - 1;

constexpr SquareSet square_bit(int square) { return SquareSet{1} << square; }

namespace detail {

enum Line : std::size_t { kRow, kColumn, kDiagonal, kAntidiagonal };
inline constexpr std::array<std::array<int, 2>, 4> kSteps = {{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};

constexpr bool on_board(int row, int col) {
  return row >= 0 && row < kSize && col >= 0 && col < kSize;
}

// Squares reached from (row, col) along +-step, up to and including the first occupied one.
constexpr SquareSet slide(int row, int col, std::array<int, 2> step, SquareSet occupied) {
  SquareSet reached = 0;
  for (const int sign : {1, -1}) {
    for (int r = row + sign * step[0], c = col + sign * step[1]; on_board(r, c);
         r += sign * step[0], c += sign * step[1]) {
      const SquareSet bit = square_bit(kSize * r + c);
      reached |= bit;
      if (occupied & bit) break;
    }
  }
  return reached;
}

struct LineTable {
  std::array<SquareSet, kSquares> mask = {};  // the whole line through the square
  std::array<std::array<SquareSet, 32>, kSquares> reached = {};
};

// The five places of a line: columns, except on a column itself, where they are rows.
constexpr unsigned fold(std::size_t line, SquareSet on_line, int col) {
  if (line == kColumn) {
    // Bits 0, 5, 10, 15, 20 to bits 20 to 24: the other products fall elsewhere, none collide.
    constexpr std::uint64_t kGather = 0x111110;
    return static_cast<unsigned>(((on_line >> col) * kGather) >> 20) & 31u;
  }
  // One bit a column at most: add all rows up in the last one.
  constexpr std::uint64_t kAddRows = 0x108421;
  return static_cast<unsigned>((on_line * kAddRows) >> 20) & 31u;
}

constexpr std::array<LineTable, 4> make_lines() {
  std::array<LineTable, 4> tables = {};
  for (std::size_t line = 0; line < 4; ++line) {
    for (int square = 0; square < kSquares; ++square) {
      const int row = square / kSize, col = square % kSize;
      const auto at = static_cast<std::size_t>(square);
      const SquareSet others = slide(row, col, kSteps[line], 0);
      const SquareSet mask = others | square_bit(square);
      tables[line].mask[at] = mask;
      // Every subset of the line's squares.
      for (SquareSet occupied = mask;; occupied = (occupied - 1) & mask) {
        tables[line].reached[at][fold(line, occupied, col)] =
            slide(row, col, kSteps[line], occupied);
        if (occupied == 0) break;
      }
    }
  }
  return tables;
}

constexpr std::array<SquareSet, kSquares> make_knight() {
  std::array<SquareSet, kSquares> table = {};
  for (int square = 0; square < kSquares; ++square) {
    for (const int dr : {-2, -1, 1, 2}) {
      for (const int dc : {-2, -1, 1, 2}) {
        const int row = square / kSize + dr, col = square % kSize + dc;
        if (dr * dr != dc * dc && on_board(row, col)) {
          table[static_cast<std::size_t>(square)] |= square_bit(kSize * row + col);
        }
      }
    }
  }
  return table;
}

inline constexpr auto kLines = make_lines();
inline constexpr auto kKnight = make_knight();

inline SquareSet along(std::size_t line, int square, SquareSet occupied) {
  const auto at = static_cast<std::size_t>(square);
  const LineTable& table = kLines[line];
  return table.reached[at][fold(line, occupied & table.mask[at], square % kSize)];
}

}  // namespace detail

inline SquareSet rook_reach(int square, SquareSet occupied) {
  return detail::along(detail::kRow, square, occupied) |
         detail::along(detail::kColumn, square, occupied);
}

inline SquareSet bishop_reach(int square, SquareSet occupied) {
  return detail::along(detail::kDiagonal, square, occupied) |
         detail::along(detail::kAntidiagonal, square, occupied);
}

inline SquareSet knight_reach(int square) {
  return detail::kKnight[static_cast<std::size_t>(square)];
}

}  // namespace damier::games::bremen
