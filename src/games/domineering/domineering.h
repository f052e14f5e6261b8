// Domineering: Vertical and Horizontal cover two free cells in turn; who cannot move loses.
//
// A state is the set of free cells (bit cols * y + x) and the side to move, and a side's legal
// moves are one shift and one AND of that set.
#pragma once

#include <cstdint>
#include <optional>

#include "damier/base/numbers/bits.h"
#include "damier/base/parallel/isa.h"
#include "damier/games/defaults.h"
#include "damier/games/picture.h"
#include "damier/games/playout.h"

namespace damier::games::domineering {

using CellSet = std::uint64_t;

struct State {
  CellSet free = 0;
  Side side = Side::first;  // Vertical is first

  bool operator==(const State&) const = default;
};

// The lower-index cell of the domino, plus 64 when it lies horizontally.
enum class Move : std::uint8_t {};

constexpr Move make_move(int cell, Side side) { return static_cast<Move>(cell + 64 * index(side)); }
constexpr int cell_of(Move move) { return static_cast<int>(move) % 64; }
constexpr Side side_of(Move move) {
  return static_cast<int>(move) < 64 ? Side::first : Side::second;
}

class Domineering : public GameDefaults<Domineering> {
 public:
  using State = domineering::State;
  using Move = domineering::Move;
  using MoveList = InlineList<Move, 64>;

  // rows * cols must be from 1 to 64.
  explicit Domineering(int rows = 8, int cols = 8);

  static const Facts& facts();
  static std::span<const Option> options();
  static Result<Domineering> make(const OptionValues& values);
  OptionValues option_values() const;

  int rows() const { return rows_; }
  int cols() const { return cols_; }

  State initial() const { return {all_cells_, Side::first}; }

  // The lower-index cells of the dominoes that `side` could lay on the free cells.
  CellSet placements(CellSet free, Side side) const {
    return free & (free >> shift(side)) & lower_cells_[static_cast<std::size_t>(index(side))];
  }

  MoveList legal_moves(const State& state) const {
    MoveList moves;
    for (CellSet cells = placements(state.free, state.side); cells != 0; cells &= cells - 1) {
      moves.push_back(make_move(lowest_bit(cells), state.side));
    }
    return moves;
  }

  int count_moves(const State& state) const {
    return bit_count(placements(state.free, state.side));
  }

  void play(State& state, Move move) const {
    const CellSet cell = CellSet{1} << cell_of(move);
    state.free &= ~(cell | cell << shift(state.side));
    state.side = opponent(state.side);
  }

  Outcome outcome(const State& state) const {
    return placements(state.free, state.side) == 0 ? win_of(opponent(state.side))
                                                   : Outcome::ongoing;
  }

  // Places for a domino, a quarter of a move each: they overlap and can be taken away.
  int heuristic(const State& state) const {
    return 25 * (bit_count(placements(state.free, state.side)) -
                 bit_count(placements(state.free, opponent(state.side))));
  }

  std::uint64_t hash(const State& state) const {
    return mix64(state.free ^ (state.side == Side::first ? 0 : 0x9E3779B97F4A7C15u));
  }

  std::string position_text(const State& state) const;
  Result<State> parse_position(std::string_view text) const;
  std::string move_text(const State& state, Move move) const;

  int action_count() const { return rows_ * cols_; }
  Action action(const State&, Move move) const { return action_at(cell_of(move)); }

  // The four of a rectangle; on a square also the four that exchange Vertical and Horizontal.
  std::span<const Symmetry> symmetries(const State& state) const;
  State transformed(const State& state, Symmetry symmetry) const;
  Move transformed(Move move, Symmetry symmetry) const;

  // (3, rows, cols): the taken cells, the free cells, the player (all 0 or all 1).
  FeatureShape feature_shape() const { return {3, rows_, cols_}; }
  void write_features(const State& state, std::span<float> out) const;

  Picture picture(const State& state, std::span<const Move> played) const;
  Gesture gesture(const State& state, Move move) const;
  static std::vector<Token> pieces() { return {{"block", std::nullopt}}; }
  std::string text_of(const Placement& placement) const;
  std::string ending(const State&) const { return "no legal move"; }

  // The other cell of a domino is this many bits above its lower one.
  int shift(Side side) const { return side == Side::first ? vertical_shift_ : 1; }
  CellSet lower_cells(Side side) const {
    return lower_cells_[static_cast<std::size_t>(index(side))];
  }

 private:
  int rows_;
  int cols_;
  int vertical_shift_;
  CellSet all_cells_;
  std::array<CellSet, 2> lower_cells_ = {};  // by side: cells that can be the lower one
};

static_assert(Game<Domineering>);

// Random games to their ends without move lists, which searches prefer where a game has them; many
// run four side by side on their own random streams, so that the processor works on one while
// another waits for its chain of shifts, counts and selects. Tests choose the instruction set,
// plain or bmi2; the games are the same. One game:
Outcome random_outcome(const Domineering& game, const State& state, RandomStream& random,
                       std::optional<Isa> isa = {});
// `games` uniformly random games from `state`. The numbers come from the streams of `seed` named
// "domineering.playouts" with the indices that belong to `item`: the result depends on nothing
// else. A move is drawn with 32 random bits, so a probability is off by less than 2^-26.
PlayoutTally random_playouts(const Domineering& game, const State& state, std::uint64_t games,
                             Seed seed, std::uint64_t item = 0, std::optional<Isa> isa = {});

}  // namespace damier::games::domineering
