// Connect Four's lines, texts, symmetry, network input and board.

#include "damier/games/connect_four/connect_four.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/coordinates.h"

namespace damier::games::connect_four {

namespace {

constexpr std::array<Option, 1> kOptions = {{
    {"board", "6x7", "ROWSxCOLS, each 4 to 12, COLS * (ROWS + 1) up to 64",
     "the size of the board"},
}};

constexpr std::array<Symmetry, 2> kSymmetries = {{{}, {.mirror_cols = true}}};

constexpr BoardForm kForm = {".ry", ". r y", ". r or y", "ry"};

}  // namespace

const Facts& ConnectFour::facts() {
  static constexpr Facts kFacts = {
      .name = "connect-four",
      .title = "Connect Four",
      .summary = "discs dropped into columns; four in a line win",
      .rules =
          R"(A board of 6 rows and 7 columns that stands upright, or another size (--board ROWSxCOLS). Red
begins. A turn drops a disc into a column that is not full; it falls onto the lowest free cell.
Four own discs in a line, upright, level or diagonal, win. A full board without such a line is a
draw.

Move:      the letter of the column, as d.
Position:  rows from the top, '.' free, 'r' and 'y', separated by '/', then the side to move.)",
      .move_notation = "the letter of the column, as d",
      .sides = {"red", "yellow"},
      .colours = {Colour::red, Colour::yellow},
  };
  return kFacts;
}

ConnectFour::ConnectFour(int rows, int cols) : rows_(rows), cols_(cols) {
  assert(rows >= 4 && cols >= 4 && cols <= kMaxCols && height() * cols <= 64);
  for (int col = 0; col < cols; ++col) {
    bottom_ |= bit_at(rows - 1, col);
    for (int row = 0; row < rows; ++row) all_cells_ |= bit_at(row, col);
  }
}

std::span<const Option> ConnectFour::options() { return kOptions; }

Result<ConnectFour> ConnectFour::make(const OptionValues& values) {
  const OptionReader reader(kOptions, values);
  TRY(reader.check());
  const auto size = TRY(parse_board_size(reader.text("board"), false));
  const auto fits = [](int length) { return length >= 4 && length <= kMaxCols; };
  if (!fits(size.rows) || !fits(size.cols) || (size.rows + 1) * size.cols > 64) {
    return Error{fmt::format("board {} is not possible; expected {}", reader.text("board"),
                             kOptions[0].expected)};
  }
  return ConnectFour(size.rows, size.cols);
}

OptionValues ConnectFour::option_values() const {
  return {{"board", fmt::format("{}x{}", rows_, cols_)}};
}

bool ConnectFour::has_four(Discs discs) const {
  for (const int step : steps()) {
    const Discs pairs = discs & discs >> step;
    if ((pairs & pairs >> 2 * step) != 0) return true;
  }
  return false;
}

Discs ConnectFour::completing(Discs discs, Discs taken) const {
  Discs cells = 0;
  for (const int step : steps()) {
    const Discs one = discs >> step, two = discs >> 2 * step, three = discs >> 3 * step;
    cells |= (discs & one & two) << 3 * step;
    cells |= (discs & one & three) << 2 * step;
    cells |= (discs & two & three) << step;
    cells |= one & two & three;
  }
  return cells & all_cells_ & ~taken;
}

int ConnectFour::heuristic(const State& state) const {
  constexpr int kCompleting = 30, kNearer = 2;
  const auto worth = [&](Discs discs) {
    int sum = kCompleting * bit_count(completing(discs, state.taken()));
    for (int col = 0; col < cols_; ++col) {
      const Discs column = ((Discs{1} << rows_) - 1) << (height() * col);
      sum += kNearer * std::min(col, cols_ - 1 - col) * bit_count(discs & column);
    }
    return sum;
  };
  return worth(state.own()) - worth(state.other());
}

std::string ConnectFour::position_text(const State& state) const {
  BoardText board{{}, state.side};
  for (int cell = 0; cell < rows_ * cols_; ++cell) {
    const Discs bit = bit_at(cell / cols_, cell % cols_);
    board.cells += (state.discs[0] & bit) != 0 ? 'r' : (state.discs[1] & bit) != 0 ? 'y' : '.';
  }
  return board_text(board, cols_, kForm);
}

Result<State> ConnectFour::parse_position(std::string_view text) const {
  const auto error = [&](std::string_view why) { return position_error(trim(text), why); };
  const auto board = TRY(parse_board(text, rows_, cols_, kForm));
  State state{{}, board.to_move};
  for (int cell = 0; cell < rows_ * cols_; ++cell) {
    const char c = board.cells[at(cell)];
    if (c != '.') state.discs[c == 'r' ? 0 : 1] |= bit_at(cell / cols_, cell % cols_);
  }
  // One above the discs of every column carries to its lowest free cell.
  if (((state.taken() + bottom_) & state.taken()) != 0) return error("a disc hangs in the air");
  const int more = bit_count(state.discs[0]) - bit_count(state.discs[1]);
  if (more != index(state.side)) {
    return error(fmt::format("{} red and {} yellow discs with {} to move; the sides drop in turn",
                             bit_count(state.discs[0]), bit_count(state.discs[1]),
                             facts().sides[at(index(state.side))]));
  }
  if (has_four(state.own())) return error("the side to move has won already");
  return state;
}

std::string ConnectFour::move_text(const State&, Move move) const {
  return column_name(column_of(move));
}

std::span<const Symmetry> ConnectFour::symmetries(const State&) const { return kSymmetries; }

State ConnectFour::transformed(const State& state, Symmetry symmetry) const {
  if (!symmetry.mirror_cols) return state;
  State out{{}, state.side};
  const Discs column = (Discs{1} << height()) - 1;
  for (int col = 0; col < cols_; ++col) {
    for (const std::size_t side : {0u, 1u}) {
      const Discs discs = state.discs[side] >> (height() * col) & column;
      out.discs[side] |= discs << (height() * (cols_ - 1 - col));
    }
  }
  return out;
}

Move ConnectFour::transformed(Move move, Symmetry symmetry) const {
  return symmetry.mirror_cols ? static_cast<Move>(cols_ - 1 - column_of(move)) : move;
}

void ConnectFour::write_features(const State& state, std::span<float> out) const {
  const auto cells = static_cast<std::size_t>(rows_ * cols_);
  assert(out.size() == 2 * cells);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const Discs bit = bit_at(static_cast<int>(cell) / cols_, static_cast<int>(cell) % cols_);
    out[cell] = (state.own() & bit) != 0 ? 1.0f : 0.0f;
    out[cells + cell] = (state.other() & bit) != 0 ? 1.0f : 0.0f;
  }
}

Picture ConnectFour::picture(const State& state, std::span<const Move> played) const {
  Picture picture{.rows = rows_, .cols = cols_};
  for (int row = 0; row < rows_; ++row) picture.row_labels.push_back(std::to_string(rows_ - row));
  for (int col = 0; col < cols_; ++col) picture.col_labels.push_back(column_name(col));
  for (int row = 0; row < rows_; ++row) {
    for (int col = 0; col < cols_; ++col) {
      Cell& cell = picture.cells.emplace_back();
      for (const Side side : {Side::first, Side::second}) {
        const Discs discs = state.discs[at(index(side))];
        if ((discs & bit_at(row, col)) != 0) cell.tokens = {{"disc", side}};
      }
    }
  }
  if (!played.empty()) {
    // The highest disc of the column is the last one that fell into it.
    const int col = column_of(played.back());
    int row = 0;
    while (picture.at(row, col).tokens.empty()) ++row;
    picture.at(row, col).shade = Shade::highlight;
  }
  return picture;
}

Gesture ConnectFour::gesture(const State& state, Move move) const {
  const int col = column_of(move);
  Gesture gesture{"drop", {cols_ * row_of(landing(state, col)) + col}};
  for (int row = 0; row < rows_; ++row) {
    const int cell = cols_ * row + col;
    if (cell != gesture.cells.front()) gesture.cells.push_back(cell);
  }
  return gesture;
}

std::vector<Token> ConnectFour::pieces() { return {{"disc", Side::first}, {"disc", Side::second}}; }

std::string ConnectFour::text_of(const Placement& placement) const {
  State state{{}, placement.to_move};
  for (std::size_t cell = 0; cell < placement.cells.size(); ++cell) {
    for (const Token& disc : placement.cells[cell]) {
      state.discs[disc.side == Side::first ? 0 : 1] |=
          bit_at(static_cast<int>(cell) / cols_, static_cast<int>(cell) % cols_);
    }
  }
  return position_text(state);
}

std::string ConnectFour::ending(const State& state) const {
  return outcome(state) == Outcome::draw ? "the board is full" : "four in a line";
}

}  // namespace damier::games::connect_four
