// A patch of minesweeper: the square of cells around one cell, with walls where the board ends,
// which is what a small network sees of a board. How it reads one: "patch-5" is (25), the codes of
// the cells, row-major; rows of data sets keep each as a byte 4 higher.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "damier/games/minesweeper/minesweeper.h"
#include "damier/model/encoder.h"

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
  void reset(int rows, int cols, int diameter) {
    rows_ = rows;
    cols_ = cols;
    radius_ = diameter / 2;
    stride_ = cols + 2 * radius_;
    codes_.assign(at((rows + 2 * radius_) * stride_), Code::wall);
    for (int row = 0; row < rows; ++row) {
      std::fill_n(codes_.begin() + static_cast<std::ptrdiff_t>(place_of(row * cols)), cols,
                  Code::masked);
    }
  }
  void load(const games::minesweeper::Observation& view, int diameter) {
    reset(view.rows, view.cols, diameter);
    for (int cell = 0; cell < view.rows * view.cols; ++cell) set(cell, view.cells[at(cell)]);
  }

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  Code code_at(int cell) const { return codes_[place_of(cell)]; }
  void set(int cell, Code code) { codes_[place_of(cell)] = code; }
  // diameter * diameter codes around the cell.
  void cut(int cell, Code* out) const {
    const int diameter = 2 * radius_ + 1;
    const Code* from = codes_.data() + place_of(cell) - radius_ * (stride_ + 1);
    for (int row = 0; row < diameter; ++row, from += stride_, out += diameter) {
      std::copy_n(from, diameter, out);
    }
  }

 private:
  std::size_t place_of(int cell) const {
    return static_cast<std::size_t>((cell / cols_ + radius_) * stride_ + cell % cols_ + radius_);
  }

  int rows_ = 0, cols_ = 0, radius_ = 0, stride_ = 0;
  std::vector<Code> codes_;
};

Encoders minesweeper_patch_encoders();

// 5 of "patch-5"; 0 of a name that is no such encoder.
int patch_diameter(std::string_view encoder);

// Codes begin at -4; a stored byte is the code and this.
inline constexpr int kStoredShift = 4;

// The output of a network that is a probability.
struct PatchHead {
  std::size_t head = 0;
  bool is_logit = false;  // no sigmoid at its end

  // One output, called "bomb" unless it is the network's only head.
  static Result<PatchHead> find(const nn::NetworkSpec& spec);
  float probability(float output) const;
};

}  // namespace damier::model
