#include "tic_tac_toe.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/numbers/bits.h"
#include "damier/games/coordinates.h"

namespace tic_tac_toe {

namespace {

constexpr unsigned kAllCells = 0777;
constexpr auto kSymmetries = board_symmetries(false);

bool has_line(unsigned marks) {
  for (const unsigned line : {0007u, 0070u, 0700u, 0111u, 0222u, 0444u, 0421u, 0124u}) {
    if ((marks & line) == line) return true;
  }
  return false;
}

std::size_t at(Side side) { return static_cast<std::size_t>(index(side)); }

int image(int cell, Symmetry symmetry) {
  const Cell2 to = symmetry.apply({cell / 3, cell % 3}, 3, 3);
  return 3 * to.row + to.col;
}

}  // namespace

const Facts& TicTacToe::facts() {
  static constexpr Facts kFacts = {
      .name = "tictactoe",
      .title = "Tic-tac-toe",
      .summary = "three in a row",
      .rules = R"(Crosses begin. A turn is a mark on an empty cell; three marks in line win.

Move:      column and row, as b2.
Position:  rows from the top, '.', 'x' and 'o', separated by '/', then the side: ".../.x./... o".)",
      .move_notation = "column and row, as b2",
      .sides = {"crosses", "noughts"},
  };
  return kFacts;
}

TicTacToe::MoveList TicTacToe::legal_moves(const State& state) const {
  MoveList moves;
  if (has_line(state.marks[0]) || has_line(state.marks[1])) return moves;
  for (unsigned free = kAllCells & ~(state.marks[0] | state.marks[1]); free != 0;
       free &= free - 1) {
    moves.push_back(static_cast<Move>(damier::lowest_bit(free)));
  }
  return moves;
}

void TicTacToe::play(State& state, Move move) const {
  state.marks[at(state.side)] |= static_cast<std::uint16_t>(1u << static_cast<int>(move));
  state.side = opponent(state.side);
}

Outcome TicTacToe::outcome(const State& state) const {
  if (has_line(state.marks[0])) return Outcome::first_wins;
  if (has_line(state.marks[1])) return Outcome::second_wins;
  return (state.marks[0] | state.marks[1]) == kAllCells ? Outcome::draw : Outcome::ongoing;
}

std::uint64_t TicTacToe::hash(const State& state) const {
  return damier::mix64(1u + state.marks[0] + (std::uint64_t{state.marks[1]} << 16) +
                       (static_cast<std::uint64_t>(index(state.side)) << 32));
}

std::string TicTacToe::position_text(const State& state) const {
  std::string text;
  for (int cell = 0; cell < 9; ++cell) {
    if (cell > 0 && cell % 3 == 0) text += '/';
    text += (state.marks[0] >> cell & 1) ? 'x' : (state.marks[1] >> cell & 1) ? 'o' : '.';
  }
  return text + (state.side == Side::first ? " x" : " o");
}

Result<State> TicTacToe::parse_position(std::string_view text) const {
  const auto error = [&](std::string_view message) {
    return Error{fmt::format("position {}: {}", damier::in_quotes(text), message)};
  };
  if (text.size() != 13 || text[3] != '/' || text[7] != '/' || text[11] != ' ') {
    return error("expected three rows of three and the side, as '.../.x./... o'");
  }
  State state;
  for (int cell = 0; cell < 9; ++cell) {
    const char c = text[static_cast<std::size_t>(cell + cell / 3)];
    if (c != 'x' && c != 'o' && c != '.') return error("a cell is none of . x o");
    if (c != '.') state.marks[c == 'x' ? 0 : 1] |= static_cast<std::uint16_t>(1u << cell);
  }
  if (text[12] != 'x' && text[12] != 'o') return error("the side is neither x nor o");
  state.side = text[12] == 'x' ? Side::first : Side::second;
  const int more = damier::bit_count(state.marks[0]) - damier::bit_count(state.marks[1]);
  if (more != index(state.side)) return error("the sides have not moved in turn");
  if (has_line(state.marks[0]) && has_line(state.marks[1])) return error("both sides have won");
  return state;
}

std::string TicTacToe::move_text(const State&, Move move) const {
  return cell_name({static_cast<int>(move) / 3, static_cast<int>(move) % 3});
}

std::span<const Symmetry> TicTacToe::symmetries(const State&) const { return kSymmetries; }

State TicTacToe::transformed(const State& state, Symmetry symmetry) const {
  State out{{}, state.side};
  for (int cell = 0; cell < 9; ++cell) {
    for (const std::size_t side : {0u, 1u}) {
      if (state.marks[side] >> cell & 1) {
        out.marks[side] |= static_cast<std::uint16_t>(1u << image(cell, symmetry));
      }
    }
  }
  return out;
}

Move TicTacToe::transformed(Move move, Symmetry symmetry) const {
  return static_cast<Move>(image(static_cast<int>(move), symmetry));
}

void TicTacToe::write_features(const State& state, std::span<float> out) const {
  for (std::size_t cell = 0; cell < 9; ++cell) {
    out[cell] = static_cast<float>(state.marks[at(state.side)] >> cell & 1);
    out[9 + cell] = static_cast<float>(state.marks[at(opponent(state.side))] >> cell & 1);
  }
}

Picture TicTacToe::picture(const State& state, std::span<const Move> played) const {
  Picture picture{.rows = 3, .cols = 3};
  picture.row_labels = {"1", "2", "3"};
  picture.col_labels = {"a", "b", "c"};
  for (int cell = 0; cell < 9; ++cell) {
    Cell& shown = picture.cells.emplace_back();
    if (state.marks[0] >> cell & 1) shown.tokens = {{"cross", Side::first}};
    if (state.marks[1] >> cell & 1) shown.tokens = {{"nought", Side::second}};
  }
  if (!played.empty()) {
    picture.cells[static_cast<std::size_t>(played.back())].shade = Shade::highlight;
  }
  return picture;
}

Gesture TicTacToe::gesture(const State&, Move move) const {
  return {"place", {static_cast<int>(move)}};
}

std::string TicTacToe::ending(const State& state) const {
  return outcome(state) == Outcome::draw ? "the board is full" : "three in line";
}

}  // namespace tic_tac_toe
