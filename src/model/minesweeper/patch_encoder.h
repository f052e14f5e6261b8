// How a network reads a patch of minesweeper, and what it says of it: "patch-5" is (25), the codes
// of the cells, row-major; rows of data sets keep each as a byte 4 higher.
#pragma once

#include "damier/model/encoder.h"

namespace damier::model {

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
