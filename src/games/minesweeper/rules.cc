// Minesweeper's rules (laying bombs, opening, flags, chords), symmetries and network input.

#include <algorithm>
#include <cassert>

#include "damier/games/minesweeper/minesweeper.h"

namespace damier::games::minesweeper {

namespace {

constexpr Row column_bit(int col) { return Row{1} << col; }
// The columns and their neighbours to the left and right.
constexpr Row widened(Row row) { return row | row << 1 | row >> 1; }

constexpr auto kSymmetries = board_symmetries(false);

}  // namespace

Minesweeper::Minesweeper(int rows, int cols, int bombs, FirstClick first)
    : rows_(rows),
      cols_(cols),
      bombs_(bombs),
      first_(first),
      all_columns_(~Row{0} >> (kMaxSide - cols)) {
  assert(rows >= 1 && rows <= kMaxSide && cols >= 1 && cols <= kMaxSide);
  assert(bombs >= 0 && bombs <= rows * cols);
}

int Minesweeper::count(const Grid& grid) const {
  int total = 0;
  for (int row = 0; row < rows_; ++row) total += bit_count(grid[at(row)]);
  return total;
}

int Minesweeper::around(const Grid& grid, int row, int col) const {
  const Row columns = widened(column_bit(col));
  int total = bit_count(grid[at(row)] & columns & ~column_bit(col));
  if (row > 0) total += bit_count(grid[at(row - 1)] & columns);
  if (row + 1 < rows_) total += bit_count(grid[at(row + 1)] & columns);
  return total;
}

Grid Minesweeper::spread(const Grid& grid) const {
  Grid out = {};
  Row above = 0, here = widened(grid[0]);
  for (int row = 0; row < rows_; ++row) {
    const Row below = row + 1 < rows_ ? widened(grid[at(row + 1)]) : 0;
    out[at(row)] = (above | here | below) & all_columns_;
    above = here;
    here = below;
  }
  return out;
}

int Minesweeper::number(const State& state, int row, int col) const {
  return around(state.bombs, row, col);
}

int Minesweeper::score(const State& state) const {
  int total = 0;
  for (int row = 0; row < rows_; ++row) {
    total += bit_count(state.open[at(row)] & ~state.bombs[at(row)]);
  }
  return total;
}

bool Minesweeper::is_cleared(const State& state) const {
  if (!state.dealt) return false;
  for (int row = 0; row < rows_; ++row) {
    if ((state.open[at(row)] | state.bombs[at(row)]) != all_columns_) return false;
  }
  return true;
}

// The same distribution as redrawing whole boards until the first click is as it should be: every
// board with these bombs outside the protected cells is equally likely.
void Minesweeper::lay_bombs(State& state, int row, int col) const {
  Grid closed = {};  // cells that can take no (more) bomb
  if (first_ != FirstClick::any) closed[at(row)] = column_bit(col);
  if (first_ == FirstClick::opening) closed = spread(closed);
  const Grid protected_cells = closed;
  const int room = cells() - count(closed);
  // On crowded boards the safe cells are fewer: draw those.
  const bool draw_safe = 2 * bombs_ > room;
  const int draws = draw_safe ? room - bombs_ : bombs_;
  RandomStream random(state.seed, "minesweeper.bombs");
  for (int drawn = 0; drawn < draws;) {
    const int cell = static_cast<int>(random.below(static_cast<std::uint64_t>(cells())));
    Row& line = closed[at(cell / cols_)];
    const Row bit = column_bit(cell % cols_);
    drawn += (line & bit) == 0;
    line |= bit;
  }
  for (int r = 0; r < rows_; ++r) {
    state.bombs[at(r)] =
        draw_safe ? all_columns_ & ~closed[at(r)] : closed[at(r)] & ~protected_cells[at(r)];
  }
  state.dealt = true;
}

// Opens the whole patch of zeros around a zero, and the numbers on its rim. Flags stop it.
void Minesweeper::open_patch(State& state, int row, int col) const {
  const Grid near_bombs = spread(state.bombs);
  const auto passable = [&](int r) {
    return all_columns_ & ~near_bombs[at(r)] & ~state.flags[at(r)];
  };
  Grid patch = {};
  patch[at(row)] = column_bit(col);
  int top = row, bottom = row;  // rows of the patch
  // Grows row r from its neighbours, then sideways; tells whether it grew.
  const auto grow = [&](int r) {
    const Row before = patch[at(r)], pass = passable(r);
    Row reach = before;
    if (r > 0) reach |= patch[at(r - 1)];
    if (r + 1 < rows_) reach |= patch[at(r + 1)];
    for (Row last = 0; reach != last;) {
      last = reach;
      reach = before | (widened(reach) & pass);
    }
    patch[at(r)] = reach;
    if (reach == before) return false;
    top = std::min(top, r);
    bottom = std::max(bottom, r);
    return true;
  };
  for (bool grew = true; grew;) {
    grew = false;
    for (int r = std::max(0, top - 1); r <= std::min(rows_ - 1, bottom + 1); ++r) grew |= grow(r);
    for (int r = std::min(rows_ - 1, bottom + 1); r >= std::max(0, top - 1); --r) grew |= grow(r);
  }
  const Grid opened = spread(patch);
  for (int r = 0; r < rows_; ++r) state.open[at(r)] |= opened[at(r)] & ~state.flags[at(r)];
}

void Minesweeper::open(State& state, int row, int col) const {
  if (!state.dealt) lay_bombs(state, row, col);
  state.open[at(row)] |= column_bit(col);
  if (bit(state.bombs, row, col)) {
    state.lost = true;
  } else if (number(state, row, col) == 0) {
    open_patch(state, row, col);
  }
}

void Minesweeper::chord(State& state, int row, int col) const {
  Grid here = {};
  here[at(row)] = column_bit(col);
  const Grid neighbours = spread(here);
  for (int r = std::max(0, row - 1); r <= std::min(rows_ - 1, row + 1); ++r) {
    for (Row rest = neighbours[at(r)] & ~state.open[at(r)] & ~state.flags[at(r)]; rest != 0;
         rest &= rest - 1) {
      open(state, r, lowest_bit(rest));
    }
  }
}

void Minesweeper::play(State& state, Move move) const {
  assert(is_legal(state, move));
  const int row = move.cell / cols_, col = move.cell % cols_;
  switch (move.act) {
    case Act::open:
      return open(state, row, col);
    case Act::flag:
      state.flags[at(row)] ^= column_bit(col);
      return;
    case Act::chord:
      return chord(state, row, col);
  }
}

Outcome Minesweeper::outcome(const State& state) const {
  if (state.lost) return Outcome::second_wins;
  return is_cleared(state) ? Outcome::first_wins : Outcome::ongoing;
}

bool Minesweeper::is_legal(const State& state, Move move) const {
  if (move.cell >= cells() || outcome(state) != Outcome::ongoing) return false;
  const int row = move.cell / cols_, col = move.cell % cols_;
  const bool is_open = bit(state.open, row, col), is_flagged = bit(state.flags, row, col);
  switch (move.act) {
    case Act::open:
      return !is_open && !is_flagged;
    case Act::flag:
      return !is_open && (is_flagged || count(state.flags) < bombs_);
    case Act::chord:
      break;
  }
  // As many flags around as the number says, and something left to open.
  if (!is_open) return false;
  const int flags = around(state.flags, row, col);
  const int neighbours = (std::min(row + 1, rows_ - 1) - std::max(row - 1, 0) + 1) *
                             (std::min(col + 1, cols_ - 1) - std::max(col - 1, 0) + 1) -
                         1;
  const int masked = neighbours - around(state.open, row, col) - flags;
  return masked > 0 && flags == number(state, row, col);
}

Minesweeper::MoveList Minesweeper::legal_moves(const State& state) const {
  MoveList moves;
  if (outcome(state) != Outcome::ongoing) return moves;
  for (const Act act : {Act::open, Act::flag, Act::chord}) {
    for (int cell = 0; cell < cells(); ++cell) {
      const Move move{act, static_cast<std::uint16_t>(cell)};
      const bool is_open = bit(state.open, cell / cols_, cell % cols_);
      if (is_open == (act == Act::chord) && is_legal(state, move)) moves.push_back(move);
    }
  }
  return moves;
}

std::optional<Move> Minesweeper::move(const State& state, Action action) const {
  const Move move{static_cast<Act>(index(action) / cells()),
                  static_cast<std::uint16_t>(index(action) % cells())};
  if (index(action) >= action_count() || !is_legal(state, move)) return std::nullopt;
  return move;
}

std::uint64_t Minesweeper::hash(const State& state) const {
  std::uint64_t h = mix64(value_of(state.seed) * 4 + (state.dealt ? 2 : 0) + (state.lost ? 1 : 0));
  for (const Grid* grid : {&state.bombs, &state.open, &state.flags}) {
    for (int row = 0; row < rows_; ++row) h = mix64(h + (*grid)[at(row)] + 0x9E3779B97F4A7C15u);
  }
  return h;
}

int Minesweeper::three_bv(const State& state) const {
  State scratch = deal(state.seed);
  scratch.bombs = state.bombs;
  scratch.dealt = true;
  int clicks = 0;
  // First the patches of zeros, then the safe cells that they left masked.
  for (const bool zeros : {true, false}) {
    for (int cell = 0; cell < cells(); ++cell) {
      const int row = cell / cols_, col = cell % cols_;
      if (bit(scratch.open, row, col) || bit(scratch.bombs, row, col)) continue;
      if (zeros != (number(scratch, row, col) == 0)) continue;
      open(scratch, row, col);
      ++clicks;
    }
  }
  return clicks;
}

Move random_opening(const Minesweeper& game, const State& state, RandomStream& random) {
  const auto covered = [&](int row) {
    return ~(state.open[at(row)] | state.flags[at(row)]) & (~Row{0} >> (kMaxSide - game.cols()));
  };
  const auto move_at = [](int cell) { return Move{Act::open, static_cast<std::uint16_t>(cell)}; };
  // While many cells are masked, a few tries find one.
  constexpr int kTries = 8;
  for (int i = 0; i < kTries; ++i) {
    const int cell = static_cast<int>(random.below(static_cast<std::uint64_t>(game.cells())));
    if (covered(cell / game.cols()) >> (cell % game.cols()) & 1) return move_at(cell);
  }
  int total = 0;
  for (int row = 0; row < game.rows(); ++row) total += bit_count(covered(row));
  assert(total > 0);
  int rank = static_cast<int>(random.below(static_cast<std::uint64_t>(total)));
  int row = 0;
  for (; rank >= bit_count(covered(row)); ++row) rank -= bit_count(covered(row));
  Row rest = covered(row);
  for (; rank > 0; --rank) rest &= rest - 1;
  return move_at(row * game.cols() + lowest_bit(rest));
}

std::span<const Symmetry> Minesweeper::symmetries(const State& state) const {
  // Before the first opening the bombs are still a seed, which has no mirror image.
  if (!state.dealt) return std::span(kSymmetries).first(1);
  return std::span(kSymmetries).first(rows_ == cols_ ? 8 : 4);
}

State Minesweeper::transformed(const State& state, Symmetry symmetry) const {
  State out = deal(state.seed);
  out.dealt = state.dealt;
  out.lost = state.lost;
  for (int row = 0; row < rows_; ++row) {
    for (int col = 0; col < cols_; ++col) {
      const Cell2 to = symmetry.apply({row, col}, rows_, cols_);
      const auto copy = [&](const Grid& from, Grid& target) {
        if (bit(from, row, col)) target[static_cast<std::size_t>(to.row)] |= Row{1} << to.col;
      };
      copy(state.bombs, out.bombs);
      copy(state.open, out.open);
      copy(state.flags, out.flags);
    }
  }
  return out;
}

Move Minesweeper::transformed(Move move, Symmetry symmetry) const {
  return {move.act, static_cast<std::uint16_t>(symmetry.apply(move.cell, rows_, cols_))};
}

void Minesweeper::write_features(const State& state, std::span<float> out) const {
  assert(std::ssize(out) == feature_shape().size());
  std::ranges::fill(out, 0.0f);
  const Observation view = observe(state);
  for (std::size_t cell = 0; cell < view.cells.size(); ++cell) {
    const Code code = view.cells[cell];
    const int plane = is_number(code) ? static_cast<int>(code) : code == Code::flag ? 10 : 9;
    out[static_cast<std::size_t>(plane * cells()) + cell] = 1.0f;
  }
}

}  // namespace damier::games::minesweeper
