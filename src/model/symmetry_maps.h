// The symmetries of a game as numbers: where the image of each number of a row comes from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace damier::model {

// One symmetry of the game as a column sees it: out[i] = sign[i] * in[source[i]].
struct ColumnMap {
  std::string column;
  std::vector<std::uint32_t> source;
  std::vector<float> sign;
};
// A column that is not named stays as it is.
using SymmetryMaps = std::vector<ColumnMap>;

}  // namespace damier::model
