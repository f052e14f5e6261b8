// The board of the exact solution of Brême, of any small size, and how its animals move on it.
//
// Everything up to passes.h is written once for processor and graphics card. Tables are therefore
// objects that are handed in (a kernel keeps its copy near), and arrays are plain ones.
#pragma once

#include <bit>
#include <cstdint>

#ifdef __CUDACC__
#define DAMIER_HOST_DEVICE __host__ __device__
#else
#define DAMIER_HOST_DEVICE
#endif

namespace damier::exact::bremen {

// Rows are counted from the opponent's home row to the mover's own, squares row by row. A board
// with fewer animals keeps the lowest of donkey, dog, cat and rooster; a stack of all kinds wins.
template <int Rows, int Columns, int Animals>
struct Board {
  static_assert(Rows >= 2 && Columns >= 2 && Rows * Columns <= 32, "a set of squares has 32 bits");
  static_assert(Animals >= 2 && Animals <= 4, "the donkey, some of the others");

  static constexpr int kRows = Rows;
  static constexpr int kColumns = Columns;
  static constexpr int kAnimals = Animals;
  static constexpr int kSquares = Rows * Columns;
};

using FullBoard = Board<5, 5, 4>;

using SquareSet = std::uint32_t;  // bit s: square s

DAMIER_HOST_DEVICE constexpr SquareSet square_bit(int square) { return SquareSet{1} << square; }

DAMIER_HOST_DEVICE inline int lowest_square(SquareSet set) {
#ifdef __CUDA_ARCH__
  return __ffs(static_cast<int>(set)) - 1;
#else
  return std::countr_zero(set);
#endif
}

DAMIER_HOST_DEVICE inline int highest_square(SquareSet set) {
#ifdef __CUDA_ARCH__
  return 31 - __clz(static_cast<int>(set));
#else
  return 31 - std::countl_zero(set);
#endif
}

// Four straight directions, then four diagonal ones. Those of even number lead to higher squares.
inline constexpr int kStraight = 4, kDirections = 8;

template <class B>
struct Geometry {
  SquareSet rays[kDirections][B::kSquares] = {};  // all squares in a direction, without the first
  SquareSet knight[B::kSquares] = {};

  constexpr Geometry() {
    constexpr int kSteps[kDirections][2] = {{1, 0}, {-1, 0},  {0, 1},  {0, -1},
                                            {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
    constexpr int kJumps[8][2] = {{1, 2},  {1, -2},  {2, 1},  {2, -1},
                                  {-1, 2}, {-1, -2}, {-2, 1}, {-2, -1}};
    for (int square = 0; square < B::kSquares; ++square) {
      const int row = square / B::kColumns, column = square % B::kColumns;
      for (int direction = 0; direction < kDirections; ++direction) {
        const int down = kSteps[direction][0], right = kSteps[direction][1];
        for (int r = row + down, c = column + right; is_on_board(r, c); r += down, c += right) {
          rays[direction][square] |= square_bit(B::kColumns * r + c);
        }
      }
      for (const auto& jump : kJumps) {
        const int r = row + jump[0], c = column + jump[1];
        if (is_on_board(r, c)) knight[square] |= square_bit(B::kColumns * r + c);
      }
    }
  }

 private:
  static constexpr bool is_on_board(int row, int column) {
    return row >= 0 && row < B::kRows && column >= 0 && column < B::kColumns;
  }
};

// The squares from `square` on in directions first to last - 1, each up to and including the first
// occupied one.
template <class B>
DAMIER_HOST_DEVICE SquareSet slide(const Geometry<B>& geometry, int square, SquareSet occupied,
                                   int first, int last) {
  SquareSet reached = 0;
  for (int direction = first; direction < last; ++direction) {
    SquareSet ray = geometry.rays[direction][square];
    const SquareSet blockers = ray & occupied;
    if (blockers != 0) {
      const bool upwards = direction % 2 == 0;
      const int nearest = upwards ? lowest_square(blockers) : highest_square(blockers);
      ray &= ~geometry.rays[direction][nearest];
    }
    reached |= ray;
  }
  return reached;
}

// Where an animal of that order gets to by its way of moving alone. The relation is symmetric: a
// move can be taken back the same way.
template <class B>
DAMIER_HOST_DEVICE SquareSet reach(const Geometry<B>& geometry, int animal, int square,
                                   SquareSet occupied) {
  switch (animal) {
    case 0:  // the donkey, a rook
      return slide(geometry, square, occupied, 0, kStraight);
    case 1:  // the dog, a bishop
      return slide(geometry, square, occupied, kStraight, kDirections);
    case 2:  // the cat, a knight
      return geometry.knight[square];
    default:  // the rooster, a queen
      return slide(geometry, square, occupied, 0, kDirections);
  }
}

}  // namespace damier::exact::bremen
