// Domineering's boards, texts, symmetries and network input.

#include "damier/games/domineering/domineering.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/coordinates.h"

namespace damier::games::domineering {

namespace {

constexpr std::array<Option, 1> kOptions = {{
    {"board", "8x8", "ROWSxCOLS, up to 64 cells", "the size of the board"},
}};

constexpr auto kSymmetries = board_symmetries(true);

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
  const auto size = parse_board_size(reader.text("board"), false);
  if (!size) return size.error();
  if (size->rows < 1 || size->cols < 1 || size->rows > 64 || size->cols > 64 ||
      size->rows * size->cols > 64) {
    return Error{fmt::format("board {} has {}; expected 1 to 64", reader.text("board"),
                             counted(std::int64_t{size->rows} * size->cols, "cell"))};
  }
  return Domineering(size->rows, size->cols);
}

OptionValues Domineering::option_values() const {
  return {{"board", fmt::format("{}x{}", rows_, cols_)}};
}

std::string Domineering::position_text(const State& state) const {
  std::string text;
  for (int cell = 0; cell < rows_ * cols_; ++cell) {
    if (cell > 0 && cell % cols_ == 0) text += '/';
    text += (state.free >> cell & 1) ? '.' : '#';
  }
  return text + (state.side == Side::first ? " v" : " h");
}

Result<State> Domineering::parse_position(std::string_view text) const {
  text = trim(text);
  const auto error = [&](std::string message) {
    return Error{fmt::format("position {}: {}", in_quotes(text), message)};
  };
  if (text.size() < 2 || text[text.size() - 2] != ' ' ||
      (text.back() != 'v' && text.back() != 'h')) {
    return error("expected rows of . and #, separated by /, a space and the side to move, v or h");
  }
  State state{0, text.back() == 'v' ? Side::first : Side::second};
  const auto lines = split(text.substr(0, text.size() - 2), '/');
  if (std::ssize(lines) != rows_) {
    return error(fmt::format("has {}; expected {} (the board is {}x{})",
                             counted(lines.size(), "row"), rows_, rows_, cols_));
  }
  for (int row = 0; row < rows_; ++row) {
    const std::string_view line = lines[static_cast<std::size_t>(row)];
    if (std::ssize(line) != cols_) {
      return error(
          fmt::format("row {} has {}; expected {}", row + 1, counted(line.size(), "cell"), cols_));
    }
    for (int col = 0; col < cols_; ++col) {
      const char c = line[static_cast<std::size_t>(col)];
      if (c != '.' && c != '#') {
        return error(fmt::format("row {}, column {} is {}; expected . or #", row + 1, col + 1,
                                 in_quotes(line.substr(static_cast<std::size_t>(col), 1))));
      }
      if (c == '.') state.free |= CellSet{1} << (row * cols_ + col);
    }
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
    const int cell = lowest_bit(cells);
    const Cell2 to = symmetry.apply({cell / cols_, cell % cols_}, rows_, cols_);
    out.free |= CellSet{1} << (to.row * cols_ + to.col);
  }
  return out;
}

Move Domineering::transformed(Move move, Symmetry symmetry) const {
  const Side side = side_of(move);
  const auto image = [&](int cell) {
    const Cell2 to = symmetry.apply({cell / cols_, cell % cols_}, rows_, cols_);
    return to.row * cols_ + to.col;
  };
  const int cell = std::min(image(cell_of(move)), image(cell_of(move) + shift(side)));
  return make_move(cell, symmetry.swap_sides ? opponent(side) : side);
}

void Domineering::write_features(const State& state, std::span<float> out) const {
  const int cells = rows_ * cols_;
  assert(std::ssize(out) == 3 * cells);
  for (int cell = 0; cell < cells; ++cell) {
    const bool free = (state.free >> cell & 1) != 0;
    out[static_cast<std::size_t>(cell)] = free ? 0.0f : 1.0f;
    out[static_cast<std::size_t>(cells + cell)] = free ? 1.0f : 0.0f;
    out[static_cast<std::size_t>(2 * cells + cell)] = state.side == Side::first ? 0.0f : 1.0f;
  }
}

Picture Domineering::picture(const State& state, std::span<const Move> played) const {
  Picture picture{.rows = rows_, .cols = cols_, .ruled = false};
  for (int row = 0; row < rows_; ++row) picture.row_labels.push_back(std::to_string(row + 1));
  for (int col = 0; col < cols_; ++col) picture.col_labels.push_back(column_name(col));
  for (int cell = 0; cell < rows_ * cols_; ++cell) {
    const bool free = (state.free >> cell & 1) != 0;
    picture.cells.emplace_back();
    if (!free) picture.cells.back().tokens = {{"block", std::nullopt}};
  }
  // The state does not know who covered a cell; the moves do.
  for (const Move move : played) {
    const Side side = side_of(move);
    const Shade shade = &move == &played.back() ? Shade::highlight : Shade::none;
    const bool vertical = side == Side::first;
    // Each half is called by where it ends: the other half lies on the other side.
    const auto lay = [&](int cell, std::string_view end) {
      picture.cells[static_cast<std::size_t>(cell)] = {{{fmt::format("domino-{}", end), side}},
                                                       shade};
    };
    lay(cell_of(move), vertical ? "up" : "left");
    lay(cell_of(move) + shift(side), vertical ? "down" : "right");
  }
  return picture;
}

std::string Domineering::text_of(const Placement& placement) const {
  std::string text;
  for (int row = 0; row < rows_; ++row) {
    for (int cell = cols_ * row; cell < cols_ * (row + 1); ++cell) {
      text += placement.cells[static_cast<std::size_t>(cell)].empty() ? '.' : '#';
    }
    text += row + 1 < rows_ ? '/' : ' ';
  }
  return text + (placement.to_move == Side::first ? 'v' : 'h');
}

Gesture Domineering::gesture(const State&, Move move) const {
  return {"cover", {cell_of(move), cell_of(move) + shift(side_of(move))}};
}

}  // namespace damier::games::domineering
