#include "hexapawn.h"

#include <fmt/format.h>

#include "damier/base/numbers/bits.h"
#include "damier/games/coordinates.h"

namespace hexapawn {

namespace {

constexpr int kSize = 4;
constexpr int kCells = kSize * kSize;
// The row in which a side's pawns win, as bits.
constexpr std::array<std::uint16_t, 2> kGoals = {0xF000, 0x000F};

std::size_t at(Side side) { return static_cast<std::size_t>(index(side)); }
std::uint16_t bit(int cell) { return static_cast<std::uint16_t>(1u << cell); }
bool has(std::uint16_t cells, int cell) { return (cells >> cell & 1) != 0; }

}  // namespace

const Facts& Hexapawn::facts() {
  static constexpr Facts kFacts = {
      .name = "hexapawn",
      .title = "Hexapawn",
      .summary = "pawns that want to cross the board",
      .rules =
          R"(White begins. A pawn steps forward onto an empty cell, or takes an enemy diagonally forward.
A side wins when a pawn reaches the last row, or when the other side cannot move.

Move:      from and to, as a1a2.
Position:  rows from the top, 'w', 'b' and '.', separated by '/', then the side:
           "bbbb/..../..../wwww w".)",
      .move_notation = "from and to, as a1a2",
      .sides = {"white", "black"},
  };
  return kFacts;
}

Hexapawn::MoveList Hexapawn::legal_moves(const State& state) const {
  MoveList moves;
  for (const Side side : {Side::first, Side::second}) {
    if ((state.pawns[at(side)] & kGoals[at(side)]) != 0) return moves;
  }
  const int forward = state.side == Side::first ? kSize : -kSize;
  const std::uint16_t own = state.pawns[at(state.side)];
  const std::uint16_t enemy = state.pawns[at(opponent(state.side))];
  for (int from = 0; from < kCells; ++from) {
    if (!has(own, from)) continue;
    for (const int aside : {-1, 0, 1}) {
      const int col = from % kSize + aside;
      if (col < 0 || col >= kSize) continue;
      const int to = from + forward + aside;
      const bool may_go = aside == 0 ? !has(own | enemy, to) : has(enemy, to);
      if (may_go) moves.push_back({static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)});
    }
  }
  return moves;
}

void Hexapawn::play(State& state, Move move) const {
  auto& own = state.pawns[at(state.side)];
  auto& enemy = state.pawns[at(opponent(state.side))];
  own = static_cast<std::uint16_t>((own & ~bit(move.from)) | bit(move.to));
  enemy = static_cast<std::uint16_t>(enemy & ~bit(move.to));
  state.side = opponent(state.side);
}

Outcome Hexapawn::outcome(const State& state) const {
  for (const Side side : {Side::first, Side::second}) {
    if ((state.pawns[at(side)] & kGoals[at(side)]) != 0) return win_of(side);
  }
  return legal_moves(state).empty() ? win_of(opponent(state.side)) : Outcome::ongoing;
}

std::uint64_t Hexapawn::hash(const State& state) const {
  return damier::mix64(state.pawns[0] | std::uint64_t{state.pawns[1]} << 16 |
                       static_cast<std::uint64_t>(index(state.side)) << 32);
}

std::string Hexapawn::position_text(const State& state) const {
  std::string text;
  for (int row = kSize - 1; row >= 0; --row) {
    for (int cell = kSize * row; cell < kSize * (row + 1); ++cell) {
      text += has(state.pawns[0], cell) ? 'w' : has(state.pawns[1], cell) ? 'b' : '.';
    }
    text += row > 0 ? '/' : ' ';
  }
  return text + (state.side == Side::first ? 'w' : 'b');
}

Result<State> Hexapawn::parse_position(std::string_view text) const {
  const auto error = [&](std::string_view message) {
    return damier::Error{fmt::format("position {}: {}", damier::in_quotes(text), message)};
  };
  State state = {.pawns = {}};
  if (text.size() != 21) return error("expected four rows of four and the side, as in the rules");
  for (int i = 0; i < 20; ++i) {
    const char c = text[static_cast<std::size_t>(i)];
    const int row = kSize - 1 - i / 5, col = i % 5;
    if (col == kSize) {
      if (c != (row > 0 ? '/' : ' ')) return error("expected '/' between rows, then the side");
    } else if (c == 'w' || c == 'b') {
      state.pawns[c == 'w' ? 0 : 1] |= bit(kSize * row + col);
    } else if (c != '.') {
      return error("a cell is none of . w b");
    }
  }
  if (text[20] != 'w' && text[20] != 'b') return error("the side is neither w nor b");
  state.side = text[20] == 'w' ? Side::first : Side::second;
  for (const Side side : {Side::first, Side::second}) {
    if (damier::bit_count(state.pawns[at(side)]) > kSize) return error("more than four pawns");
  }
  if ((state.pawns[at(state.side)] & kGoals[at(state.side)]) != 0) {
    return error("the side to move has won already");
  }
  return state;
}

std::string Hexapawn::move_text(const State&, Move move) const {
  return cell_name({move.from / kSize, move.from % kSize}) +
         cell_name({move.to / kSize, move.to % kSize});
}

Picture Hexapawn::picture(const State& state, std::span<const Move> played) const {
  Picture picture{.rows = kSize, .cols = kSize, .facing = true};
  picture.row_labels = {"4", "3", "2", "1"};
  picture.col_labels = {"a", "b", "c", "d"};
  for (int i = 0; i < kCells; ++i) {
    const int cell = kSize * (kSize - 1 - i / kSize) + i % kSize;
    Cell shown;
    for (const Side side : {Side::first, Side::second}) {
      if (has(state.pawns[at(side)], cell)) shown.tokens = {{"pawn", side}};
    }
    if (!played.empty() && played.back().to == cell) shown.shade = Shade::highlight;
    picture.cells.push_back(shown);
  }
  return picture;
}

std::string Hexapawn::ending(const State& state) const {
  const bool crossed = ((state.pawns[0] & kGoals[0]) | (state.pawns[1] & kGoals[1])) != 0;
  return crossed ? "a pawn has crossed the board" : "no move is left";
}

namespace {

// A cell as its side sees it, its own home row first.
int seen_by(Side side, int cell) {
  return side == Side::first ? cell : kSize * (kSize - 1 - cell / kSize) + cell % kSize;
}

int image(int cell, Symmetry symmetry) {
  const Cell2 to = symmetry.apply({cell / kSize, cell % kSize}, kSize, kSize);
  return kSize * to.row + to.col;
}

}  // namespace

Action Hexapawn::action(const State& state, Move move) const {
  const int aside = move.to % kSize - move.from % kSize;
  return action_at(3 * seen_by(state.side, move.from) + aside + 1);
}

void Hexapawn::write_features(const State& state, std::span<float> out) const {
  for (int cell = 0; cell < kCells; ++cell) {
    const auto seen = static_cast<std::size_t>(seen_by(state.side, cell));
    out[seen] = has(state.pawns[at(state.side)], cell) ? 1.0f : 0.0f;
    out[kCells + seen] = has(state.pawns[at(opponent(state.side))], cell) ? 1.0f : 0.0f;
  }
}

std::span<const Symmetry> Hexapawn::symmetries(const State&) const {
  static constexpr std::array<Symmetry, 4> kSymmetries = {
      {{},
       {.mirror_cols = true},
       {.mirror_rows = true, .swap_sides = true},
       {.mirror_cols = true, .mirror_rows = true, .swap_sides = true}}};
  return kSymmetries;
}

State Hexapawn::transformed(const State& state, Symmetry symmetry) const {
  State out = {.pawns = {}, .side = symmetry.swap_sides ? opponent(state.side) : state.side};
  for (int cell = 0; cell < kCells; ++cell) {
    for (const Side side : {Side::first, Side::second}) {
      const Side to = symmetry.swap_sides ? opponent(side) : side;
      if (has(state.pawns[at(side)], cell)) out.pawns[at(to)] |= bit(image(cell, symmetry));
    }
  }
  return out;
}

Move Hexapawn::transformed(Move move, Symmetry symmetry) const {
  return {static_cast<std::uint8_t>(image(move.from, symmetry)),
          static_cast<std::uint8_t>(image(move.to, symmetry))};
}

int Hexapawn::heuristic(const State& state) const {
  constexpr int kPawn = 100, kStep = 10;  // hundredths of a pawn
  int value = 0;
  for (int cell = 0; cell < kCells; ++cell) {
    const int row = cell / kSize;
    if (has(state.pawns[0], cell)) value += kPawn + kStep * row;
    if (has(state.pawns[1], cell)) value -= kPawn + kStep * (kSize - 1 - row);
  }
  return state.side == Side::first ? value : -value;
}

}  // namespace hexapawn
