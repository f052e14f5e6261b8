// A patch of minesweeper: the square of cells around one cell, with walls where the board ends,
// which is what a small network sees of a board.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "damier/games/minesweeper/minesweeper.h"

namespace damier::model {

using games::minesweeper::Code;

inline constexpr int kMaxDiameter = 15;
inline constexpr int kMinDiameter = 3;
inline constexpr std::size_t kMaxPatchCells = kMaxDiameter * kMaxDiameter;

// diameter x diameter codes, row-major; the centre is the cell that is asked about.
struct Patch {
  int diameter = 0;
  std::array<Code, kMaxPatchCells> codes = {};

  int cells() const { return diameter * diameter; }
  int centre() const { return cells() / 2; }
  Code& operator[](int cell) { return codes[static_cast<std::size_t>(cell)]; }
  Code operator[](int cell) const { return codes[static_cast<std::size_t>(cell)]; }
  std::span<const Code> seen() const { return {codes.data(), static_cast<std::size_t>(cells())}; }
};

// Equal patches have equal hashes.
std::uint64_t hash_of(const Patch& patch);

// What a player sees, with walls all around, so that cutting asks nowhere for the edge.
class WalledBoard {
 public:
  // All cells masked.
  void reset(int rows, int cols, int diameter);
  void load(const games::minesweeper::Observation& view, int diameter);

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  Code code_at(int cell) const { return codes_[place_of(cell)]; }
  void set(int cell, Code code) { codes_[place_of(cell)] = code; }
  // diameter * diameter codes around the cell.
  void cut(int cell, Code* out) const;

 private:
  std::size_t place_of(int cell) const {
    return static_cast<std::size_t>((cell / cols_ + radius_) * stride_ + cell % cols_ + radius_);
  }

  int rows_ = 0, cols_ = 0, radius_ = 0, stride_ = 0;
  std::vector<Code> codes_;
};

}  // namespace damier::model
