// Minesweeper: one player, bombs that nobody sees, and numbers that tell.
//
// The board's rows are 64-bit words, so a whole row is opened, counted or searched at once; and
// bombs are laid by the first opening, from the state's seed, so that the same seed and the same
// moves always give the same game.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "damier/base/numbers/bits.h"
#include "damier/games/defaults.h"

namespace damier::games::minesweeper {

inline constexpr int kMaxSide = 64;
using Row = std::uint64_t;  // bit c: column c
using Grid = std::array<Row, kMaxSide>;

// What a player sees of a cell: 0 to 8, or one of these.
enum class Code : std::int8_t { bomb = -1, wall = -2, masked = -3, flag = -4 };
constexpr bool is_number(Code code) { return static_cast<int>(code) >= 0; }

struct State {
  Grid bombs = {};
  Grid open = {};
  Grid flags = {};
  Seed seed = Seed{0};
  bool dealt = false;  // the bombs are laid
  bool lost = false;

  bool operator==(const State&) const = default;
};

// What the player sees, and all that a player may use.
struct Observation {
  int rows = 0;
  int cols = 0;
  int bombs = 0;
  std::vector<Code> cells;  // row-major

  Code at(int row, int col) const { return cells[static_cast<std::size_t>(row * cols + col)]; }
  bool operator==(const Observation&) const = default;
};

enum class Act : std::uint8_t { open, flag, chord };

// The act and the cell (row-major, whatever the number of columns).
struct Move {
  Act act = Act::open;
  std::uint16_t cell = 0;

  bool operator==(const Move&) const = default;
};

enum class FirstClick { safe, opening, any };

class Minesweeper : public GameDefaults<Minesweeper> {
 public:
  using State = minesweeper::State;
  using Move = minesweeper::Move;
  using Observation = minesweeper::Observation;
  using MoveList = InlineList<Move, 2 * kMaxSide * kMaxSide>;

  // Up to 64 x 64 cells; the bombs must leave room for the first click.
  explicit Minesweeper(int rows = 9, int cols = 9, int bombs = 10,
                       FirstClick first = FirstClick::safe);

  static const Facts& facts();
  static std::span<const Option> options();
  static std::span<const Preset> presets();
  static Result<Minesweeper> make(const OptionValues& values);
  OptionValues option_values() const;

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int bombs() const { return bombs_; }
  int cells() const { return rows_ * cols_; }
  // Whether the rules keep the next cell opened free of bombs, whichever it is.
  bool protects_opening(const State& state) const {
    return !state.dealt && first_ != FirstClick::any;
  }

  State deal(Seed seed) const {
    State state;
    state.seed = seed;
    return state;
  }

  Side side_to_move(const State&) const { return Side::first; }
  MoveList legal_moves(const State& state) const;
  bool is_legal(const State& state, Move move) const;
  bool uncovers(Move move) const { return move.act != Act::flag; }
  void play(State& state, Move move) const;
  Outcome outcome(const State& state) const;
  std::uint64_t hash(const State& state) const;

  // Opens a cell that is masked and not flagged, and what follows from it.
  void open(State& state, int row, int col) const;
  // Safe cells opened so far.
  int score(const State& state) const;
  // Bombs around a cell; the bombs must be laid.
  int number(const State& state, int row, int col) const;
  // The fewest openings that clear the board: one for each patch of zeros, one for each other safe
  // cell that no patch opens ("Bechtel's Board Benchmark Value").
  int three_bv(const State& state) const;

  Observation observe(const State& state) const;
  std::string observation_text(const Observation& observation) const;
  // A board of any size: the header says which.
  Result<Observation> parse_observation(std::string_view text) const;

  std::string move_text(const State& state, Move move) const;
  Result<Move> parse_move(const State& state, std::string_view text) const;

  // Open, flag and chord, each row-major: 3 * cells.
  int action_count() const { return 3 * cells(); }
  Action action(const State&, Move move) const {
    return action_at(static_cast<int>(move.act) * cells() + move.cell);
  }
  std::optional<Move> move(const State& state, Action action) const;

  std::span<const Symmetry> symmetries(const State& state) const;
  State transformed(const State& state, Symmetry symmetry) const;
  Move transformed(Move move, Symmetry symmetry) const;

  // (11, rows, cols), from the observation: the numbers 0 to 8, masked, flagged.
  FeatureShape feature_shape() const { return {11, rows_, cols_}; }
  void write_features(const State& state, std::span<float> out) const;

  Picture picture(const State& state, std::span<const Move> played) const;
  Gesture gesture(const State& state, Move move) const;
  std::string ending(const State& state) const;
  std::vector<Figure> figures(const State& state) const;

 private:
  void lay_bombs(State& state, int row, int col) const;
  void open_patch(State& state, int row, int col) const;
  void chord(State& state, int row, int col) const;
  bool bit(const Grid& grid, int row, int col) const {
    return (grid[static_cast<std::size_t>(row)] >> col & 1) != 0;
  }
  int around(const Grid& grid, int row, int col) const;
  int count(const Grid& grid) const;
  Grid spread(const Grid& grid) const;  // every cell and its neighbours
  bool is_cleared(const State& state) const;

  int rows_;
  int cols_;
  int bombs_;
  FirstClick first_;
  Row all_columns_;
};

static_assert(HiddenGame<Minesweeper>);

// An opening at random, without listing all the cells that could be opened: a masked cell without a
// flag, all equally likely; the game must not be over.
Move random_opening(const Minesweeper& game, const State& state, RandomStream& random);

}  // namespace damier::games::minesweeper
