#include "damier/nn/taps.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace damier::nn {

TapTables::TapTables(const std::vector<std::int32_t>& source, int taps) {
  const auto stride = static_cast<std::size_t>(taps);
  const std::size_t squares = source.size() / stride;
  const auto reads = [&](std::size_t square, std::size_t tap) {
    return source[square * stride + tap] >= 0;
  };
  std::vector<bool> done(squares, false);
  for (std::size_t first = 0; first < squares; ++first) {
    if (done[first]) continue;
    Class found;
    for (std::size_t tap = 0; tap < stride; ++tap) {
      if (reads(first, tap)) found.taps.push_back(static_cast<std::int32_t>(tap));
    }
    for (std::size_t square = first; square < squares; ++square) {
      bool same = !done[square];
      for (std::size_t tap = 0; same && tap < stride; ++tap) {
        same = reads(square, tap) == reads(first, tap);
      }
      if (!same) continue;
      done[square] = true;
      found.squares.push_back(static_cast<std::int32_t>(square));
      for (const std::int32_t tap : found.taps) {
        found.sources.push_back(source[square * stride + static_cast<std::size_t>(tap)]);
      }
    }
    classes_.push_back(std::move(found));
  }
  for (std::size_t tap = 0; tap < stride; ++tap) {
    pair_squares_.emplace_back();
    pair_sources_.emplace_back();
    for (std::size_t square = 0; square < squares; ++square) {
      if (!reads(square, tap)) continue;
      pair_squares_.back().push_back(static_cast<std::int32_t>(square));
      pair_sources_.back().push_back(source[square * stride + tap]);
    }
  }
  for (const Class& c : classes_) {
    views_.push_back({c.squares.data(), static_cast<int>(c.squares.size()), c.taps.data(),
                      static_cast<int>(c.taps.size()), c.sources.data()});
  }
  for (std::size_t tap = 0; tap < stride; ++tap) {
    pairs_.push_back({pair_squares_[tap].data(), pair_sources_[tap].data(),
                      static_cast<int>(pair_squares_[tap].size())});
  }
}

template <class T>
void turn_taps(const T* from, int ld_from, T* to, int ld_to, int taps, int in, int out) {
  // Blocks of 16 x 16 stay in the first cache while they are turned.
  constexpr int kTile = 16;
  for (int tap = 0; tap < taps; ++tap) {
    const T* matrix = from + static_cast<std::ptrdiff_t>(tap) * in * ld_from;
    T* turned = to + static_cast<std::ptrdiff_t>(tap) * out * ld_to;
    for (int i = 0; i < in; i += kTile) {
      for (int o = 0; o < out; o += kTile) {
        for (int r = o; r < std::min(o + kTile, out); ++r) {
          for (int c = i; c < std::min(i + kTile, in); ++c) {
            turned[static_cast<std::ptrdiff_t>(r) * ld_to + c] =
                matrix[static_cast<std::ptrdiff_t>(c) * ld_from + r];
          }
        }
      }
    }
  }
}

template void turn_taps(const float*, int, float*, int, int, int, int);
template void turn_taps(const double*, int, double*, int, int, int, int);

}  // namespace damier::nn
