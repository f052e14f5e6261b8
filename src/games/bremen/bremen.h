// Les Tacticiens de Brême: four animals a side on 5x5, drafted on the home rows, then stacked; the
// move that makes a stack of four wins.
//
// A stack is strictly increasing (donkey, dog, cat, rooster), so the squares of the eight animals
// say everything: who stands on a square, and in which order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "damier/base/numbers/bits.h"
#include "damier/games/defaults.h"
#include "damier/games/picture.h"

namespace damier::games::bremen {

inline constexpr int kSize = 5;
inline constexpr int kSquares = kSize * kSize;
using SquareSet = std::uint32_t;  // bit s: square s = 5 * row + column
inline constexpr SquareSet kBoard = (1u << kSquares) - 1;

constexpr SquareSet square_bit(int square) { return SquareSet{1} << square; }

// Moves of rook, bishop, queen and knight on Brême's 5x5 board.
//
// Every line through a square (row, column, two diagonals) has at most one square in each of its
// five places, so its occupancy is folded into five bits by one multiplication, and a table of
// 4 x 25 x 32 words (12.5 KiB) gives the squares that a slider reaches, blockers included.
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

inline constexpr auto kLines = [] {
  std::array<LineTable, 4> tables = {};
  for (std::size_t line = 0; line < 4; ++line) {
    for (int square = 0; square < kSquares; ++square) {
      const int row = square / kSize, col = square % kSize;
      const SquareSet mask = slide(row, col, kSteps[line], 0) | square_bit(square);
      tables[line].mask[at(square)] = mask;
      // Every subset of the line's squares.
      for (SquareSet occupied = mask;; occupied = (occupied - 1) & mask) {
        tables[line].reached[at(square)][fold(line, occupied, col)] =
            slide(row, col, kSteps[line], occupied);
        if (occupied == 0) break;
      }
    }
  }
  return tables;
}();

inline constexpr auto kKnight = [] {
  std::array<SquareSet, kSquares> table = {};
  for (int square = 0; square < kSquares; ++square) {
    for (const int dr : {-2, -1, 1, 2}) {
      for (const int dc : {-2, -1, 1, 2}) {
        const int row = square / kSize + dr, col = square % kSize + dc;
        if (dr * dr == dc * dc || !on_board(row, col)) continue;
        table[at(square)] |= square_bit(kSize * row + col);
      }
    }
  }
  return table;
}();

inline SquareSet along(std::size_t line, int square, SquareSet occupied) {
  const LineTable& table = kLines[line];
  return table.reached[at(square)][fold(line, occupied & table.mask[at(square)], square % kSize)];
}

inline SquareSet rook_reach(int square, SquareSet occupied) {
  return along(kRow, square, occupied) | along(kColumn, square, occupied);
}

inline SquareSet bishop_reach(int square, SquareSet occupied) {
  return along(kDiagonal, square, occupied) | along(kAntidiagonal, square, occupied);
}

inline SquareSet knight_reach(int square) { return kKnight[at(square)]; }

enum class Animal : std::uint8_t { donkey, dog, cat, rooster };  // rook, bishop, knight, queen
inline constexpr int kAnimals = 4;
inline constexpr std::uint8_t kNotPlaced = kSquares;

constexpr int index(Animal animal) { return static_cast<int>(animal); }
constexpr Animal animal_at(int i) { return static_cast<Animal>(i); }

// Blue is first and lives on row 4 (rank 1); Red lives on row 0 (rank 5).
constexpr int home_row(Side side) { return side == Side::first ? 4 : 0; }
constexpr SquareSet home_squares(Side side) { return SquareSet{31} << (kSize * home_row(side)); }

struct State {
  static constexpr std::uint8_t kFree = kAnimals;

  std::array<std::array<std::uint8_t, kAnimals>, 2> squares = {
      {{kNotPlaced, kNotPlaced, kNotPlaced, kNotPlaced},
       {kNotPlaced, kNotPlaced, kNotPlaced, kNotPlaced}}};
  Side side = Side::first;
  std::uint8_t duty = kFree;  // the animal that must retreat on this ply, or kFree

  auto& of(Side whose) { return squares[at(games::index(whose))]; }
  const auto& of(Side whose) const { return squares[at(games::index(whose))]; }
  bool operator==(const State&) const = default;
};

// Play: 25 * animal + square. Draft: 100 + 25 * animal + square.
enum class Move : std::uint8_t {};
inline constexpr int kFirstDraftMove = kAnimals * kSquares;

constexpr Move play_move(int animal, int square) {
  return static_cast<Move>(kSquares * animal + square);
}
constexpr Move draft_move(int animal, int square) {
  return static_cast<Move>(kFirstDraftMove + kSquares * animal + square);
}
constexpr bool is_draft(Move move) { return static_cast<int>(move) >= kFirstDraftMove; }
constexpr int animal_of(Move move) { return static_cast<int>(move) % kFirstDraftMove / kSquares; }
constexpr int square_of(Move move) { return static_cast<int>(move) % kSquares; }

struct RuleOptions {
  bool rooster_wins = false;       // winner=rooster: the owner of the top animal wins
  bool only_carried_bind = false;  // retreat=carried: only enemy animals carried by the move count
  int max_plies = 300;             // maxply: a draw after this many plies of play, 0 for none
};

class Bremen : public GameDefaults<Bremen> {
 public:
  using State = bremen::State;
  using Move = bremen::Move;
  using MoveList = InlineList<Move, 40>;  // 8 + 8 + 8 + 16 squares at the very most

  Bremen() = default;
  explicit Bremen(RuleOptions rules) : rules_(rules) {}

  static const Facts& facts();
  static std::span<const Option> options();
  static Result<Bremen> make(const OptionValues& values);
  OptionValues option_values() const;

  State initial() const { return {}; }
  int repetition_limit() const { return 3; }
  int ply_limit() const { return rules_.max_plies; }
  bool counts_toward_limit(const State& state) const { return !is_drafting(state); }

  // Red places last, so the draft is over when Red is complete.
  bool is_drafting(const State& state) const {
    return std::ranges::find(state.squares[1], kNotPlaced) != state.squares[1].end();
  }

  MoveList legal_moves(const State& state) const {
    MoveList moves;
    if (is_drafting(state)) {
      const SquareSet empty = home_squares(state.side) & ~Boards(state).occupied;
      for (int animal = 0; animal < kAnimals; ++animal) {
        if (own_square(state, animal) != kNotPlaced) continue;
        append(moves, empty, [&](int square) { return draft_move(animal, square); });
      }
      return moves;
    }
    const Boards boards(state);
    if (boards.has_stack_of_four()) return moves;
    if (state.duty != State::kFree) {
      append(moves, targets(state, boards, state.duty),
             [&](int square) { return play_move(state.duty, square); });
      if (!moves.empty()) return moves;
    }
    for (int animal = 0; animal < kAnimals; ++animal) {
      append(moves, targets(state, boards, animal),
             [&](int square) { return play_move(animal, square); });
    }
    return moves;
  }

  int count_moves(const State& state) const {
    if (is_drafting(state)) return static_cast<int>(legal_moves(state).size());
    const Boards boards(state);
    if (boards.has_stack_of_four()) return 0;
    if (state.duty != State::kFree) {
      const int forced = bit_count(targets(state, boards, state.duty));
      if (forced > 0) return forced;
    }
    int count = 0;
    for (int animal = 0; animal < kAnimals; ++animal) {
      count += bit_count(targets(state, boards, animal));
    }
    return count;
  }

  void play(State& state, Move move) const {
    const Side mover = state.side, enemy = opponent(mover);
    const int animal = animal_of(move), to = square_of(move);
    auto& own = state.of(mover);
    auto& others = state.of(enemy);
    const auto target = static_cast<std::uint8_t>(to);
    state.side = enemy;
    state.duty = State::kFree;
    if (is_draft(move)) {
      own[at(animal)] = target;
      return;
    }
    // The animal carries all that stand above it, of either colour.
    const std::uint8_t from = own[at(animal)];
    const bool at_home = to / kSize == home_row(mover);
    for (int i = kAnimals - 1; i >= animal; --i) {
      if (own[at(i)] == from) own[at(i)] = target;
      if (others[at(i)] == from) {
        others[at(i)] = target;
        if (at_home) state.duty = static_cast<std::uint8_t>(i);
      }
    }
    if (!at_home || rules_.only_carried_bind) return;
    // Any enemy in the stack binds, and the lowest one must go.
    for (int i = kAnimals - 1; i >= 0; --i) {
      if (others[at(i)] == target) state.duty = static_cast<std::uint8_t>(i);
    }
  }

  Outcome outcome(const State& state) const {
    if (is_drafting(state)) return Outcome::ongoing;
    const Boards boards(state);
    if (boards.has_stack_of_four()) return win_of(winner(state, boards));
    return count_moves(state) == 0 ? win_of(opponent(state.side)) : Outcome::ongoing;
  }

  // A stack counts for the owner of its top animal, the more the higher it is.
  int heuristic(const State& state) const;

  std::uint64_t hash(const State& state) const {
    std::uint64_t packed = state.duty * 2u + static_cast<unsigned>(games::index(state.side)) + 1u;
    for (const auto& side : state.squares) {
      for (const std::uint8_t square : side) packed = packed << 5 | square;
    }
    return mix64(packed);
  }

  std::string position_text(const State& state) const;
  Result<State> parse_position(std::string_view text) const;
  std::string move_text(const State& state, Move move) const;

  // 0 to 99: 25 * animal + square in play; 100 to 119: 100 + 5 * animal + column in the draft. Both
  // as the mover sees the board: Red's is turned by 180 degrees.
  int action_count() const { return kFirstDraftMove + kAnimals * kSize; }
  Action action(const State& state, Move move) const;

  // The mirror image left to right; after the draft also the exchange of the two sides.
  std::span<const Symmetry> symmetries(const State& state) const;
  State transformed(const State& state, Symmetry symmetry) const;
  Move transformed(Move move, Symmetry symmetry) const;

  // (9, 5, 5): the mover's four animals, the opponent's four, the animal that must retreat; as the
  // mover sees the board.
  FeatureShape feature_shape() const { return {9, kSize, kSize}; }
  void write_features(const State& state, std::span<float> out) const;
  // The square of the planes that a cell of the picture is.
  int feature_square(const State& state, int cell) const {
    return state.side == Side::first ? cell : kSquares - 1 - cell;
  }
  // (4, 2, 5): one plane an animal, the opponent's home row above the mover's own.
  FeatureShape draft_feature_shape() const { return {kAnimals, 2, kSize}; }
  void write_draft_features(const State& state, std::span<float> out) const;

  Picture picture(const State& state, std::span<const Move> played) const;
  Gesture gesture(const State& state, Move move) const;
  static std::vector<Token> pieces();
  static void put(Placement& placement, int cell, const Token& piece);
  std::string text_of(const Placement& placement) const;
  std::string ending(const State& state) const;

 private:
  // Where animals of each order or above stand: a stack's top is below order k exactly where no
  // animal of order k or above stands.
  struct Boards {
    explicit Boards(const State& state) {
      SquareSet four = kBoard, any = 0;
      for (std::size_t i = kAnimals; i-- > 0;) {
        const SquareSet here =
            (square_bit(state.squares[0][i]) | square_bit(state.squares[1][i])) & kBoard;
        four &= here;
        any |= here;
        at_least[i] = any;
      }
      occupied = any;
      stacks_of_four = four;
    }
    bool has_stack_of_four() const { return stacks_of_four != 0; }

    std::array<SquareSet, kAnimals> at_least;
    SquareSet occupied;
    SquareSet stacks_of_four;
  };

  static std::uint8_t own_square(const State& state, int animal) {
    return state.of(state.side)[at(animal)];
  }

  static SquareSet targets(const State& state, const Boards& boards, int animal) {
    const int from = own_square(state, animal);
    const SquareSet open = ~boards.at_least[at(animal)];
    switch (animal_at(animal)) {
      case Animal::donkey:
        return rook_reach(from, boards.occupied) & open;
      case Animal::dog:
        return bishop_reach(from, boards.occupied) & open;
      case Animal::cat:
        return knight_reach(from) & open;
      case Animal::rooster:
        break;
    }
    return (rook_reach(from, boards.occupied) | bishop_reach(from, boards.occupied)) & open;
  }

  template <class MakeMove>
  static void append(MoveList& moves, SquareSet squares, MakeMove make) {
    for (; squares != 0; squares &= squares - 1) moves.push_back(make(lowest_bit(squares)));
  }

  Side winner(const State& state, const Boards& boards) const {
    if (!rules_.rooster_wins) return opponent(state.side);
    const int stack = lowest_bit(boards.stacks_of_four);
    return state.squares[0][index(Animal::rooster)] == stack ? Side::first : Side::second;
  }

  RuleOptions rules_;
};

static_assert(Game<Bremen>);

}  // namespace damier::games::bremen
