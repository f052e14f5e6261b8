#include "damier/model/minesweeper/patch.h"

#include <algorithm>
#include <cstring>

#include "damier/base/numbers/random.h"

namespace damier::model {

using games::minesweeper::Observation;

std::uint64_t hash_of(const Patch& patch) {
  std::uint64_t hash = static_cast<std::uint64_t>(patch.diameter);
  const auto codes = patch.seen();
  for (std::size_t i = 0; i < codes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, codes.data() + i, std::min<std::size_t>(8, codes.size() - i));
    hash = mix64((hash + 0x9E3779B97F4A7C15u) ^ word);
  }
  return hash;
}

void WalledBoard::reset(int rows, int cols, int diameter) {
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

void WalledBoard::load(const Observation& view, int diameter) {
  reset(view.rows, view.cols, diameter);
  for (int cell = 0; cell < view.rows * view.cols; ++cell) set(cell, view.cells[at(cell)]);
}

void WalledBoard::cut(int cell, Code* out) const {
  const int diameter = 2 * radius_ + 1;
  const Code* from = codes_.data() + place_of(cell) - radius_ * (stride_ + 1);
  for (int row = 0; row < diameter; ++row, from += stride_, out += diameter) {
    std::copy_n(from, diameter, out);
  }
}

}  // namespace damier::model
