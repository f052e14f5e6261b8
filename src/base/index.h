#pragma once

#include <cstddef>

namespace damier {

// An int as the index of a standard container: cells and counts are ints here, sizes there.
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace damier
