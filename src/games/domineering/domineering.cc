// Domineering's boards, texts, symmetries, network input and random games.

#include "damier/games/domineering/domineering.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/coordinates.h"
#include "damier/games/domineering/playouts_kernel.h"

namespace damier::games::domineering {

namespace {

constexpr std::array<Option, 1> kOptions = {{
    {"board", "8x8", "ROWSxCOLS, up to 64 cells", "the size of the board"},
}};

constexpr BoardForm kForm = {".#", ". and #", ". or #", "vh"};

constexpr auto kSymmetries = board_symmetries(true);

// On any processor.
struct AnyBits {
  static std::uint64_t count(std::uint64_t x) { return static_cast<std::uint64_t>(bit_count(x)); }

  // The n-th set bit of x alone; 0 when x is 0.
  static std::uint64_t nth_bit(std::uint64_t x, std::uint64_t n) {
    if (x == 0) return 0;
    constexpr std::uint64_t kOnes = 0x0101010101010101u, kHighs = 0x8080808080808080u;
    // The bytes' bit counts, summed up from the lowest byte; then the byte that holds the bit.
    std::uint64_t sums = x - ((x >> 1) & 0x5555555555555555u);
    sums = (sums & 0x3333333333333333u) + ((sums >> 2) & 0x3333333333333333u);
    sums = ((sums + (sums >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * kOnes;
    const std::uint64_t not_reached = (((n * kOnes) | kHighs) - sums) & kHighs;
    const std::uint64_t place = ((not_reached >> 7) * kOnes >> 56) * 8;
    std::uint64_t rank = n - (((sums << 8) >> place) & 0xFF);
    std::uint64_t byte = (x >> place) & 0xFF;
    for (; rank > 0; --rank) byte &= byte - 1;
    return (byte & (0 - byte)) << place;
  }
};

constexpr CompiledFor<const PlayoutKernels*> kCompiledPlayouts = {
    .plain = &k_playouts_plain,
#if defined(__x86_64__)
    .bmi2 = &k_playouts_bmi2,
#endif
};

const PlayoutKernels& playouts_for(std::optional<Isa> isa) {
  static const PlayoutKernels& best = *kCompiledPlayouts.best();
  return isa ? *kCompiledPlayouts.of(*isa) : best;
}

KernelBoard kernel_board(const Domineering& game, const State& state) {
  const Side other = opponent(state.side);
  return {state.free,
          {game.lower_cells(state.side), game.lower_cells(other)},
          {game.shift(state.side), game.shift(other)}};
}

}  // namespace

const Facts& Domineering::facts() {
  static constexpr Facts kFacts = {
      .name = "domineering",
      .title = "Domineering",
      .summary = "Vertical and Horizontal lay dominoes in turn; who cannot lay one loses",
      .rules =
          R"(A board of 8 x 8 cells, or any other of up to 64 (--board ROWSxCOLS). Vertical moves first and
covers two free cells one above the other; Horizontal covers two side by side. Who cannot move
loses.

Move:      the domino's upper or left cell, column letter and row number: a1 is the top left.
Position:  rows from the top, '.' free and '#' taken, separated by '/', then v or h.)",
      .move_notation = "column and row of the domino's upper or left cell, as a1",
      .sides = {"vertical", "horizontal"},
      .colours = {Colour::blue, Colour::orange},
  };
  return kFacts;
}

Domineering::Domineering(int rows, int cols)
    : rows_(rows),
      cols_(cols),
      vertical_shift_(std::min(cols, 63)),  // 64 only on one row, where Vertical cannot move
      all_cells_(~CellSet{0} >> (64 - rows * cols)) {
  assert(rows > 0 && cols > 0 && rows * cols <= 64);
  for (int cell = 0; cell < rows * cols; ++cell) {
    if (cell / cols < rows - 1) lower_cells_[0] |= CellSet{1} << cell;
    if (cell % cols < cols - 1) lower_cells_[1] |= CellSet{1} << cell;
  }
}

std::span<const Option> Domineering::options() { return kOptions; }

Result<Domineering> Domineering::make(const OptionValues& values) {
  const OptionReader reader(kOptions, values);
  TRY(reader.check());
  const auto size = TRY(parse_board_size(reader.text("board"), false));
  const std::int64_t cells = std::int64_t{size.rows} * size.cols;
  if (cells < 1 || cells > 64) {
    return Error{fmt::format("board {} has {}; expected 1 to 64", reader.text("board"),
                             counted(cells, "cell"))};
  }
  return Domineering(size.rows, size.cols);
}

OptionValues Domineering::option_values() const {
  return {{"board", fmt::format("{}x{}", rows_, cols_)}};
}

std::string Domineering::position_text(const State& state) const {
  BoardText board{std::string(at(rows_ * cols_), '#'), state.side};
  for (CellSet cells = state.free; cells != 0; cells &= cells - 1) {
    board.cells[at(lowest_bit(cells))] = '.';
  }
  return board_text(board, cols_, kForm);
}

Result<State> Domineering::parse_position(std::string_view text) const {
  const auto board = TRY(parse_board(text, rows_, cols_, kForm));
  State state{0, board.to_move};
  for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
    if (board.cells[cell] == '.') state.free |= CellSet{1} << cell;
  }
  return state;
}

std::string Domineering::move_text(const State&, Move move) const {
  return cell_name({cell_of(move) / cols_, cell_of(move) % cols_});
}

std::span<const Symmetry> Domineering::symmetries(const State&) const {
  return std::span(kSymmetries).first(rows_ == cols_ ? 8 : 4);
}

State Domineering::transformed(const State& state, Symmetry symmetry) const {
  State out{0, symmetry.swap_sides ? opponent(state.side) : state.side};
  for (CellSet cells = state.free; cells != 0; cells &= cells - 1) {
    out.free |= CellSet{1} << symmetry.apply(lowest_bit(cells), rows_, cols_);
  }
  return out;
}

Move Domineering::transformed(Move move, Symmetry symmetry) const {
  const Side side = side_of(move);
  const int cell = std::min(symmetry.apply(cell_of(move), rows_, cols_),
                            symmetry.apply(cell_of(move) + shift(side), rows_, cols_));
  return make_move(cell, symmetry.swap_sides ? opponent(side) : side);
}

void Domineering::write_features(const State& state, std::span<float> out) const {
  const std::size_t cells = at(rows_ * cols_);
  assert(out.size() == 3 * cells);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const bool free = (state.free >> cell & 1) != 0;
    out[cell] = free ? 0.0f : 1.0f;
    out[cells + cell] = free ? 1.0f : 0.0f;
    out[2 * cells + cell] = state.side == Side::first ? 0.0f : 1.0f;
  }
}

Picture Domineering::picture(const State& state, std::span<const Move> played) const {
  Picture picture{.rows = rows_, .cols = cols_, .ruled = false};
  for (int row = 0; row < rows_; ++row) picture.row_labels.push_back(std::to_string(row + 1));
  for (int col = 0; col < cols_; ++col) picture.col_labels.push_back(column_name(col));
  for (int cell = 0; cell < rows_ * cols_; ++cell) {
    picture.cells.emplace_back();
    if ((state.free >> cell & 1) == 0) picture.cells.back().tokens = {{"block", std::nullopt}};
  }
  // The state does not know who covered a cell; the moves do.
  for (const Move move : played) {
    const Side side = side_of(move);
    const Shade shade = &move == &played.back() ? Shade::highlight : Shade::none;
    const bool vertical = side == Side::first;
    // Each half is called by where it ends: the other half lies on the other side.
    const auto lay = [&](int cell, std::string_view end) {
      picture.cells[at(cell)] = {{{fmt::format("domino-{}", end), side}}, shade};
    };
    lay(cell_of(move), vertical ? "up" : "left");
    lay(cell_of(move) + shift(side), vertical ? "down" : "right");
  }
  return picture;
}

std::string Domineering::text_of(const Placement& placement) const {
  State state{0, placement.to_move};
  for (std::size_t cell = 0; cell < placement.cells.size(); ++cell) {
    if (placement.cells[cell].empty()) state.free |= CellSet{1} << cell;
  }
  return position_text(state);
}

Gesture Domineering::gesture(const State&, Move move) const {
  return {"cover", {cell_of(move), cell_of(move) + shift(side_of(move))}};
}

const PlayoutKernels k_playouts_plain = playout_kernels<AnyBits>();

Outcome random_outcome(const Domineering& game, const State& state, RandomStream& random,
                       std::optional<Isa> isa) {
  RandomStream::State words = random.state();
  const bool won = playouts_for(isa).mover_wins(kernel_board(game, state), words.data());
  random = RandomStream(words);
  return win_of(won ? state.side : opponent(state.side));
}

PlayoutTally random_playouts(const Domineering& game, const State& state, std::uint64_t games,
                             Seed seed, std::uint64_t item, std::optional<Isa> isa) {
  std::uint64_t streams[kLanes][4];
  for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
    const RandomStream stream(seed, "domineering.playouts", kLanes * item + lane);
    for (std::size_t word = 0; word < 4; ++word) streams[lane][word] = stream.state()[word];
  }
  const KernelTally tally = playouts_for(isa).tally(kernel_board(game, state), games, streams);
  const bool mover_is_first = state.side == Side::first;
  return {.games = games,
          .first_wins = mover_is_first ? tally.mover_wins : games - tally.mover_wins,
          .draws = 0,
          .plies = tally.plies};
}

}  // namespace damier::games::domineering
