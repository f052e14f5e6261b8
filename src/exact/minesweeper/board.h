// What a player knows of a minesweeper board, kept up to date cell by cell, with the cheap
// deductions: one number, and two numbers whose neighbours overlap.
//
// Cells are numbered on a board with a rim of one cell all around (`Cell`), so that every real cell
// has eight neighbours and no loop asks where the edge is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "damier/base/result.h"
#include "damier/games/minesweeper/minesweeper.h"

namespace damier::exact::minesweeper {

using games::minesweeper::Code;
using games::minesweeper::Observation;

using Cell = std::uint16_t;
constexpr Cell moved(Cell cell, int offset) { return static_cast<Cell>(cell + offset); }
enum class Known : std::uint8_t {
  outside,  // the rim, or a wall
  unknown,
  bomb,  // seen, or proven
  safe,  // proven, still to be opened
  open,
};

class Board {
 public:
  // A fresh board, all unknown.
  void reset(int rows, int cols, int bombs);
  // The cells as seen. A flag is only a note: its cell is unknown. A visible bomb is a known one.
  Status load(const Observation& observation);

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int size() const { return static_cast<int>(known_.size()); }
  Cell cell(int row, int col) const { return static_cast<Cell>((row + 1) * stride_ + col + 1); }
  int row(Cell cell) const { return cell / stride_ - 1; }
  int col(Cell cell) const { return cell % stride_ - 1; }
  // The index in an observation, and back.
  int index(Cell cell) const { return row(cell) * cols_ + col(cell); }
  Cell at_index(int index) const { return this->cell(index / cols_, index % cols_); }
  // Offsets to the eight neighbours, in increasing order of cells.
  const std::array<int, 8>& neighbours() const { return neighbours_; }

  Known known(Cell cell) const { return known_[cell]; }
  // Of an open cell: bombs around it that are not known yet.
  int need(Cell cell) const { return need_[cell]; }
  int unknown_around(Cell cell) const { return unknown_around_[cell]; }
  int unknown_cells() const { return unknown_cells_; }
  int bombs_left() const { return bombs_left_; }
  std::vector<Cell> unknown() const;  // row by row

  // Opens a cell that shows `number`, and looks again at the numbers around.
  void open(Cell cell, int number);
  // Tries a number on an unknown cell, for a look ahead; `take_back` undoes it. `need` counts the
  // bombs around that are not known yet.
  void try_open(Cell cell, int need) {
    known_[cell] = Known::open;
    need_[cell] = static_cast<std::int8_t>(need);
    --unknown_cells_;
    for (const int offset : neighbours_) --unknown_around_[moved(cell, offset)];
  }
  void take_back(Cell cell) {
    known_[cell] = Known::unknown;
    ++unknown_cells_;
    for (const int offset : neighbours_) ++unknown_around_[moved(cell, offset)];
  }

  // Applies the deductions until one proves cells safe or none applies. Proven cells join safe().
  void deduce();
  // Cells proven safe and not opened yet, in the order of their proofs.
  std::vector<Cell>& safe() { return safe_; }
  void mark_safe(Cell cell) {
    settle(cell, Known::safe);
    safe_.push_back(cell);
  }
  void mark_bomb(Cell cell) {
    settle(cell, Known::bomb);
    --bombs_left_;
    for (const int offset : neighbours_) --need_[moved(cell, offset)];
  }

  // A hash of all that is known, or nothing when more than `most` cells are open.
  std::optional<std::uint64_t> key(int most) const;

  // As a player without flags sees it: what is proven but not opened is masked.
  Observation seen() const;

  // A number that no arrangement can satisfy, if one can be seen at once.
  std::optional<Cell> contradiction() const;
  // "c4": for messages.
  std::string name(Cell cell) const;

 private:
  static constexpr int kOffsets = 24;

  void settle(Cell cell, Known as);
  void enqueue(Cell number) {
    if ((queued_[number] & 1) != 0) return;
    queued_[number] |= 1;
    ones_.push_back(number);
  }
  void look_at_one(Cell number);
  void look_at_pairs(Cell number);
  unsigned unknown_mask(Cell number) const;
  void mark_masked(Cell number, unsigned mask, bool bombs);

  int rows_ = 0, cols_ = 0, stride_ = 0;
  int bombs_left_ = 0, unknown_cells_ = 0;
  std::array<int, 8> neighbours_ = {};
  std::array<int, kOffsets> offsets_ = {};  // to the cells whose neighbours may overlap
  std::vector<Known> known_;
  std::vector<std::int8_t> need_;
  std::vector<std::int8_t> unknown_around_;
  std::vector<std::uint8_t> queued_;  // bit 0: in ones_, bit 1: in pairs_
  std::vector<Cell> ones_, pairs_;
  std::vector<Cell> safe_;
};

}  // namespace damier::exact::minesweeper
