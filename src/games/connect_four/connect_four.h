// Connect Four: Red and Yellow drop discs into columns in turn; four in a line win.
//
// A side's discs are a set of bits, column by column from the bottom up, with one bit above every
// column that stays empty: no shift leads from one column into another unseen.
#pragma once

#include <array>
#include <cstdint>

#include "damier/base/numbers/bits.h"
#include "damier/games/defaults.h"
#include "damier/games/picture.h"

namespace damier::games::connect_four {

using Discs = std::uint64_t;

struct State {
  std::array<Discs, 2> discs = {};
  Side side = Side::first;  // Red is first

  Discs own() const { return discs[at(index(side))]; }
  Discs other() const { return discs[at(index(opponent(side)))]; }
  Discs taken() const { return discs[0] | discs[1]; }

  bool operator==(const State&) const = default;
};

// The column, from the left.
enum class Move : std::uint8_t {};

constexpr int column_of(Move move) { return static_cast<int>(move); }

class ConnectFour : public GameDefaults<ConnectFour> {
 public:
  using State = connect_four::State;
  using Move = connect_four::Move;
  static constexpr int kMaxCols = 12;
  using MoveList = InlineList<Move, kMaxCols>;

  // (rows + 1) * cols must be at most 64, both at least 4.
  explicit ConnectFour(int rows = 6, int cols = 7);

  static const Facts& facts();
  static std::span<const Option> options();
  static Result<ConnectFour> make(const OptionValues& values);
  OptionValues option_values() const;

  int rows() const { return rows_; }
  int cols() const { return cols_; }

  State initial() const { return {}; }

  MoveList legal_moves(const State& state) const {
    MoveList moves;
    if (has_four(state.other())) return moves;
    for (int col = 0; col < cols_; ++col) {
      if ((state.taken() & top_of(col)) == 0) moves.push_back(static_cast<Move>(col));
    }
    return moves;
  }

  void play(State& state, Move move) const {
    state.discs[at(index(state.side))] |= landing(state, column_of(move));
    state.side = opponent(state.side);
  }

  Outcome outcome(const State& state) const {
    if (has_four(state.other())) return win_of(opponent(state.side));
    return state.taken() == all_cells_ ? Outcome::draw : Outcome::ongoing;
  }

  // Cells that would make four count most, then discs near the middle.
  int heuristic(const State& state) const;

  // The sum tells all boards apart; whose turn it is follows from the number of discs.
  std::uint64_t hash(const State& state) const {
    return mix64(state.discs[0] + state.taken() + bottom_);
  }

  std::string position_text(const State& state) const;
  Result<State> parse_position(std::string_view text) const;
  std::string move_text(const State& state, Move move) const;

  int action_count() const { return cols_; }
  Action action(const State&, Move move) const { return action_at(column_of(move)); }

  // Left and right.
  std::span<const Symmetry> symmetries(const State& state) const;
  State transformed(const State& state, Symmetry symmetry) const;
  Move transformed(Move move, Symmetry symmetry) const;

  // (2, rows, cols), from the top: the discs of the side to move, those of the other.
  FeatureShape feature_shape() const { return {2, rows_, cols_}; }
  void write_features(const State& state, std::span<float> out) const;

  Picture picture(const State& state, std::span<const Move> played) const;
  Gesture gesture(const State& state, Move move) const;
  static std::vector<Token> pieces();
  std::string text_of(const Placement& placement) const;
  std::string ending(const State& state) const;

 private:
  // Columns are this many bits apart; a row is one bit above the one below it.
  int height() const { return rows_ + 1; }
  // Rows count from the top, as they are shown.
  Discs bit_at(int row, int col) const { return Discs{1} << (height() * col + rows_ - 1 - row); }
  Discs top_of(int col) const { return bit_at(0, col); }
  // The lowest free cell of a column.
  Discs landing(const State& state, int col) const {
    const Discs column = Discs{((Discs{1} << rows_) - 1) << (height() * col)};
    return ((state.taken() & column) + (Discs{1} << (height() * col))) & column;
  }
  int row_of(Discs disc) const { return rows_ - 1 - lowest_bit(disc) % height(); }
  // One step up, sideways, and along both diagonals.
  std::array<int, 4> steps() const { return {1, height(), height() - 1, height() + 1}; }
  bool has_four(Discs discs) const;
  // The free cells that would complete a line of four.
  Discs completing(Discs discs, Discs taken) const;

  int rows_;
  int cols_;
  Discs bottom_ = 0;
  Discs all_cells_ = 0;
};

static_assert(Game<ConnectFour>);

}  // namespace damier::games::connect_four
