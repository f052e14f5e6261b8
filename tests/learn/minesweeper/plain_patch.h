// A patch cut out cell by cell: the plain twin of WalledBoard::cut.
#pragma once

#include <vector>

#include "damier/learn/minesweeper/patches.h"

namespace damier::learn {

// The codes around a cell as the numbers that a network reads.
inline std::vector<float> plain_patch(const games::minesweeper::Observation& view, int row, int col,
                                      int diameter) {
  std::vector<float> patch;
  const int radius = diameter / 2;
  for (int r = row - radius; r <= row + radius; ++r) {
    for (int c = col - radius; c <= col + radius; ++c) {
      const bool inside = r >= 0 && r < view.rows && c >= 0 && c < view.cols;
      patch.push_back(static_cast<float>(inside ? view.at(r, c) : games::minesweeper::Code::wall));
    }
  }
  return patch;
}

}  // namespace damier::learn
