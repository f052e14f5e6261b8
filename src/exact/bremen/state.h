// The board of the exact solution of Brême, of any small size, and how its animals move on it; a
// state after the draft as the side to move sees it, and its number among all states.
//
// This and moves.h are written once for processor and graphics card. Tables are therefore objects
// that are handed in (a kernel keeps its copy near), and arrays are plain ones.
//
// Two animals of one order never share a square, so a state is one pair of different squares (own,
// enemy) for every order, and a duty. Left and right are alike: the mirror brings the mover's
// donkey to the left half. States with the donkey on the middle column keep two numbers, one for
// either image, because their mirror image has its donkey there too.
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

template <class B>
struct State {
  static constexpr int kFree = B::kAnimals;

  int own[B::kAnimals] = {};  // squares by the order of the animal
  int enemy[B::kAnimals] = {};
  int duty = kFree;  // the own animal that must retreat on this ply, or kFree

  bool operator==(const State&) const = default;
};

template <class B>
DAMIER_HOST_DEVICE State<B> mirrored(const State<B>& state) {
  State<B> image;
  image.duty = state.duty;
  for (int i = 0; i < B::kAnimals; ++i) {
    image.own[i] = state.own[i] + B::kColumns - 1 - 2 * (state.own[i] % B::kColumns);
    image.enemy[i] = state.enemy[i] + B::kColumns - 1 - 2 * (state.enemy[i] % B::kColumns);
  }
  return image;
}

// The same animals as the other side sees them, the board turned by 180 degrees; the duty stays.
template <class B>
DAMIER_HOST_DEVICE State<B> turned(const State<B>& state) {
  State<B> image;
  image.duty = state.duty;
  for (int i = 0; i < B::kAnimals; ++i) {
    image.own[i] = B::kSquares - 1 - state.enemy[i];
    image.enemy[i] = B::kSquares - 1 - state.own[i];
  }
  return image;
}

// The numbers of the free states, and of the states of each duty.
//
// The pairs of a free state are its digits, the donkeys' first. An animal with a duty stands on the
// enemy's home row with an enemy, so the lowest enemy there (its partner) needs no square of its
// own: the states of a duty are numbered partner by partner, and they are few. The last digit's
// range is rounded up to whole words of a bit set: some numbers are no states.
template <class B>
struct Numbering {
  using Number = std::uint64_t;

  static constexpr int kWordBits = 32;
  static constexpr int kPlanes = B::kAnimals + 1;  // one a duty, and the free states

  DAMIER_HOST_DEVICE static constexpr Number count(int duty) {
    if (duty == kFree) return count(kFree, kNobody);
    Number sum = 0;
    for (int i = 0; i < B::kAnimals; ++i) sum += i == duty ? 0 : count(duty, i);
    return sum;
  }

  // The state's duty must be one that its squares allow.
  DAMIER_HOST_DEVICE static Number number_of(const State<B>& state) {
    return state.own[0] % B::kColumns < kLeftColumns ? as_it_stands(state)
                                                     : as_it_stands(mirrored(state));
  }

  // Nonsense where the number is no state's.
  DAMIER_HOST_DEVICE static State<B> state_at(Number number, int duty) {
    if (duty == kFree) return state_at(number, kFree, kNobody);
    int partner = duty == 0 ? 1 : 0;
    while (number >= count(duty, partner)) {
      number -= count(duty, partner);
      partner += partner + 1 == duty ? 2 : 1;
    }
    return state_at(number, duty, partner);
  }

  DAMIER_HOST_DEVICE static bool is_state(Number number, int duty) {
    const State<B> state = state_at(number, duty);
    for (int i = 0; i < B::kAnimals; ++i) {
      const bool on_board = state.own[i] < B::kSquares && state.enemy[i] < B::kSquares;
      if (!on_board || state.own[i] == state.enemy[i]) return false;
    }
    return duty == kFree || (state.own[duty] < B::kColumns && number_of(state) == number);
  }

  // All numbers of the state and its mirror image: one, or two with the donkey in the middle.
  template <class Visit>
  DAMIER_HOST_DEVICE static void for_each_number(const State<B>& state, Visit visit) {
    visit(number_of(state));
    if (B::kColumns % 2 == 1 && state.own[0] % B::kColumns == B::kColumns / 2) {
      visit(number_of(mirrored(state)));
    }
  }

 private:
  static constexpr int kFree = State<B>::kFree;
  static constexpr int kNobody = -1;
  static constexpr int kLeftColumns = (B::kColumns + 1) / 2;
  static constexpr int kOthers = B::kSquares - 1;  // enemy squares for one own square

  // Own squares of an animal, the donkey's in the left half.
  DAMIER_HOST_DEVICE static constexpr int own_squares(int animal, int duty) {
    return (animal == duty ? 1 : B::kRows) * (animal == 0 ? kLeftColumns : B::kColumns);
  }

  DAMIER_HOST_DEVICE static constexpr Number range(int animal, int duty, int partner) {
    const int values = own_squares(animal, duty) * (animal == partner ? 1 : kOthers);
    const bool last = animal == B::kAnimals - 1;
    return static_cast<Number>(last ? (values + kWordBits - 1) / kWordBits * kWordBits : values);
  }

  DAMIER_HOST_DEVICE static constexpr Number count(int duty, int partner) {
    Number product = 1;
    for (int i = 0; i < B::kAnimals; ++i) product *= range(i, duty, partner);
    return product;
  }

  DAMIER_HOST_DEVICE static Number as_it_stands(const State<B>& state) {
    if (state.duty == kFree) return as_it_stands(state, kFree, kNobody);
    Number before = 0;
    int partner = state.duty == 0 ? 1 : 0;
    while (state.enemy[partner] != state.own[state.duty]) {
      before += count(state.duty, partner);
      partner += partner + 1 == state.duty ? 2 : 1;
    }
    return before + as_it_stands(state, state.duty, partner);
  }

  DAMIER_HOST_DEVICE static Number as_it_stands(const State<B>& state, int duty, int partner) {
    Number number = 0;
    for (int i = 0; i < B::kAnimals; ++i) {
      const int own = state.own[i];
      const int first = i == 0 ? own / B::kColumns * kLeftColumns + own % B::kColumns : own;
      const int second = state.enemy[i] - (state.enemy[i] > own ? 1 : 0);
      const int digit = i == partner ? first : first * kOthers + second;
      number = number * range(i, duty, partner) + static_cast<Number>(digit);
    }
    return number;
  }

  DAMIER_HOST_DEVICE static State<B> state_at(Number number, int duty, int partner) {
    State<B> state;
    state.duty = duty;
    for (int i = B::kAnimals - 1; i >= 0; --i) {
      const Number base = range(i, duty, partner);
      const int digit = static_cast<int>(number % base);
      number /= base;
      const int first = i == partner ? digit : digit / kOthers, second = digit % kOthers;
      state.own[i] = i == 0 ? first / kLeftColumns * B::kColumns + first % kLeftColumns : first;
      state.enemy[i] = second + (second >= state.own[i] ? 1 : 0);
    }
    if (partner != kNobody) state.enemy[partner] = state.own[duty];
    return state;
  }
};

}  // namespace damier::exact::bremen
