// The known board: opening, marking, and the deductions from one and from two numbers.

#include "damier/exact/minesweeper/board.h"

#include <cstdlib>

#include <fmt/format.h>

#include "damier/base/numbers/random.h"
#include "damier/games/coordinates.h"

namespace damier::exact::minesweeper {

namespace {

// The 3 x 3 window around a number as nine bits, row by row; the middle bit is never set.
constexpr std::array<std::uint8_t, 512> bit_counts() {
  std::array<std::uint8_t, 512> counts = {};
  for (std::size_t i = 1; i < counts.size(); ++i) {
    counts[i] = static_cast<std::uint8_t>(counts[i / 2] + i % 2);
  }
  return counts;
}
constexpr auto kBitCount = bit_counts();

struct Overlap {
  int row, col;        // the second number, seen from the first
  unsigned mine, its;  // the cells of each window that lie in both
};
constexpr std::array<Overlap, 24> overlaps() {
  std::array<Overlap, 24> table = {};
  std::size_t count = 0;
  for (int row = -2; row <= 2; ++row) {
    for (int col = -2; col <= 2; ++col) {
      if (row == 0 && col == 0) continue;
      Overlap overlap{row, col, 0, 0};
      for (int r = -1; r <= 1; ++r) {
        for (int c = -1; c <= 1; ++c) {
          const int r2 = r - row, c2 = c - col;
          if (r2 < -1 || r2 > 1 || c2 < -1 || c2 > 1) continue;
          overlap.mine |= 1u << ((r + 1) * 3 + c + 1);
          overlap.its |= 1u << ((r2 + 1) * 3 + c2 + 1);
        }
      }
      table[count++] = overlap;
    }
  }
  return table;
}
constexpr auto kOverlaps = overlaps();

}  // namespace

void Board::reset(int rows, int cols, int bombs) {
  rows_ = rows;
  cols_ = cols;
  stride_ = cols + 2;
  bombs_left_ = bombs;
  unknown_cells_ = rows * cols;
  neighbours_ = {-stride_ - 1, -stride_, -stride_ + 1, -1, 1, stride_ - 1, stride_, stride_ + 1};
  for (std::size_t i = 0; i < kOverlaps.size(); ++i) {
    offsets_[i] = kOverlaps[i].row * stride_ + kOverlaps[i].col;
  }
  const std::size_t cells = at((rows + 2) * stride_);
  known_.assign(cells, Known::outside);
  need_.assign(cells, 0);
  queued_.assign(cells, 0);
  unknown_around_.assign(cells, 8);
  ones_.clear();
  pairs_.clear();
  safe_.clear();
  for (int r = 0; r < rows; ++r) {
    const auto first = known_.begin() + cell(r, 0);
    std::fill(first, first + cols, Known::unknown);
  }
  const auto at_edge = [](int i, int count) { return (i == 0) + (i == count - 1); };
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      if (r != 0 && r != rows - 1 && c != 0 && c != cols - 1) continue;
      unknown_around_[cell(r, c)] =
          static_cast<std::int8_t>((3 - at_edge(r, rows)) * (3 - at_edge(c, cols)) - 1);
    }
  }
}

Status Board::load(const Observation& observation) {
  constexpr int kMaxSide = games::minesweeper::kMaxSide;
  const int rows = observation.rows, cols = observation.cols;
  if (rows < 1 || rows > kMaxSide || cols < 1 || cols > kMaxSide ||
      observation.cells.size() != at(rows * cols)) {
    return Error{fmt::format("a board of {} x {} with {} cells; expected 1x1 to {}x{}", rows, cols,
                             observation.cells.size(), kMaxSide, kMaxSide)};
  }
  reset(rows, cols, observation.bombs);
  // Walls and bombs first, so that the numbers count what is left.
  for (int i = 0; i < rows * cols; ++i) {
    const Code code = observation.cells[at(i)];
    if (code == Code::wall) settle(at_index(i), Known::outside);
    if (code == Code::bomb) mark_bomb(at_index(i));
    if (static_cast<int>(code) < -4 || static_cast<int>(code) > 8) {
      return Error{fmt::format("cell {} has code {}; expected -4 to 8", name(at_index(i)),
                               static_cast<int>(code))};
    }
  }
  for (int i = 0; i < rows * cols; ++i) {
    const Code code = observation.cells[at(i)];
    if (games::minesweeper::is_number(code)) open(at_index(i), static_cast<int>(code));
  }
  return Done{};
}

void Board::settle(Cell cell, Known as) {
  known_[cell] = as;
  --unknown_cells_;
  for (const int offset : neighbours_) {
    const Cell next = moved(cell, offset);
    --unknown_around_[next];
    if (known_[next] == Known::open) enqueue(next);
  }
}

void Board::open(Cell cell, int number) {
  if (known_[cell] == Known::unknown) settle(cell, Known::open);
  known_[cell] = Known::open;
  for (const int offset : neighbours_) number -= known_[moved(cell, offset)] == Known::bomb;
  need_[cell] = static_cast<std::int8_t>(number);
  enqueue(cell);
}

unsigned Board::unknown_mask(Cell number) const {
  constexpr std::array<unsigned, 8> kBits = {1, 2, 4, 8, 32, 64, 128, 256};
  unsigned mask = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    mask |= known_[moved(number, neighbours_[i])] == Known::unknown ? kBits[i] : 0;
  }
  return mask;
}

void Board::mark_masked(Cell number, unsigned mask, bool bombs) {
  for (int i = 0; i < 9; ++i) {
    if ((mask >> i & 1) == 0) continue;
    const Cell cell = moved(number, (i / 3 - 1) * stride_ + i % 3 - 1);
    if (known_[cell] != Known::unknown) continue;
    bombs ? mark_bomb(cell) : mark_safe(cell);
  }
}

void Board::look_at_one(Cell number) {
  const int unknown = unknown_around_[number], need = need_[number];
  if (unknown == 0) return;
  if (need == 0 || need == unknown) {
    mark_masked(number, unknown_mask(number), need != 0);
  } else if ((queued_[number] & 2) == 0) {
    queued_[number] |= 2;
    pairs_.push_back(number);
  }
}

// If one number needs as many more bombs than the other as it has cells of its own, those cells are
// all bombs, and the other's own cells are all safe.
void Board::look_at_pairs(Cell number) {
  if (unknown_around_[number] == 0) return;
  const unsigned mine = unknown_mask(number);
  const int need = need_[number], count = kBitCount[mine];
  for (std::size_t i = 0; i < kOverlaps.size(); ++i) {
    const Overlap& overlap = kOverlaps[i];
    const unsigned shared_mask = mine & overlap.mine;
    if (shared_mask == 0) continue;
    const Cell other = moved(number, offsets_[i]);
    if (known_[other] != Known::open) continue;
    const int shared = kBitCount[shared_mask];
    const int its_need = need_[other], its_count = unknown_around_[other];
    const bool mine_bombs = need - its_need == count - shared;
    const bool its_bombs = its_need - need == its_count - shared;
    if (!mine_bombs && !its_bombs) continue;
    const unsigned my_own = mine & ~overlap.mine;
    const unsigned its_own = unknown_mask(other) & ~overlap.its;
    if (my_own == 0 && its_own == 0) continue;
    mark_masked(number, my_own, mine_bombs);
    mark_masked(other, its_own, its_bombs);
    return;  // the numbers changed, and look at each other again
  }
}

void Board::deduce() {
  while (true) {
    while (!ones_.empty()) {
      const Cell number = ones_.back();
      ones_.pop_back();
      queued_[number] &= static_cast<std::uint8_t>(~1u);
      look_at_one(number);
    }
    if (!safe_.empty() || pairs_.empty()) break;
    const Cell number = pairs_.back();
    pairs_.pop_back();
    queued_[number] &= static_cast<std::uint8_t>(~2u);
    look_at_pairs(number);
  }
  if (safe_.empty() && bombs_left_ == 0 && unknown_cells_ > 0) {
    for (const Cell cell : unknown()) mark_safe(cell);
  }
}

std::vector<Cell> Board::unknown() const {
  std::vector<Cell> cells;
  for (int row = 0; row < rows_; ++row) {
    Cell place = cell(row, 0);
    for (int col = 0; col < cols_; ++col, ++place) {
      if (known_[place] == Known::unknown) cells.push_back(place);
    }
  }
  return cells;
}

std::optional<std::uint64_t> Board::key(int most) const {
  std::uint64_t key =
      mix64(static_cast<std::uint64_t>(rows_) << 48 | static_cast<std::uint64_t>(cols_) << 32 |
            static_cast<std::uint32_t>(bombs_left_));
  int open = 0;
  for (int row = 0; row < rows_; ++row) {
    Cell place = cell(row, 0);
    for (int col = 0; col < cols_; ++col, ++place) {
      const Known known = known_[place];
      if (known == Known::unknown) continue;
      if (known == Known::open && ++open > most) return std::nullopt;
      // On a board that cannot be, a need can be negative.
      const int need = known == Known::open ? need_[place] + 8 : 0;
      const int all = place << 8 | static_cast<int>(known) << 5 | need;
      key += mix64(static_cast<std::uint64_t>(all) + 0x9E3779B97F4A7C15u);
    }
  }
  return key;
}

std::optional<Cell> Board::contradiction() const {
  for (int i = 0; i < rows_ * cols_; ++i) {
    const Cell number = at_index(i);
    if (known_[number] != Known::open) continue;
    if (need_[number] < 0 || need_[number] > unknown_around_[number]) return number;
  }
  return std::nullopt;
}

std::string Board::name(Cell cell) const { return games::cell_name({row(cell), col(cell)}); }

Observation Board::seen() const {
  Observation observation;
  observation.rows = rows_;
  observation.cols = cols_;
  observation.bombs = bombs_left_;
  observation.cells.assign(static_cast<std::size_t>(rows_ * cols_), Code::masked);
  for (int i = 0; i < rows_ * cols_; ++i) {
    const Cell at = at_index(i);
    if (known(at) == Known::bomb) ++observation.bombs;
    if (known(at) != Known::open) continue;
    int number = need(at);
    for (const int offset : neighbours_) {
      number += known(static_cast<Cell>(at + offset)) == Known::bomb;
    }
    observation.cells[static_cast<std::size_t>(i)] = static_cast<Code>(number);
  }
  return observation;
}

}  // namespace damier::exact::minesweeper
