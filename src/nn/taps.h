// Which input squares the taps of a product read, as the kernels want it (kernels.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "damier/nn/kernels.h"

namespace damier::nn {

class TapTables {
 public:
  TapTables() = default;
  // source[square * taps + tap] is the input square, or -1 outside the board.
  TapTables(const std::vector<std::int32_t>& source, int taps);
  TapTables(const TapTables&) = delete;
  TapTables& operator=(const TapTables&) = delete;
  TapTables(TapTables&&) = default;  // the views point at storage that moves along
  TapTables& operator=(TapTables&&) = default;

  std::span<const TapClass> classes() const { return views_; }
  const TapPairs* pairs() const { return pairs_.data(); }

 private:
  struct Class {
    std::vector<std::int32_t> squares, taps, sources;
  };
  std::vector<Class> classes_;
  std::vector<std::vector<std::int32_t>> pair_squares_, pair_sources_;  // by tap
  std::vector<TapClass> views_;
  std::vector<TapPairs> pairs_;
};

// to[tap][o][i] = from[tap][i][o], for matrices of (in, ld_from) and (out, ld_to).
template <class T>
void turn_taps(const T* from, int ld_from, T* to, int ld_to, int taps, int in, int out);

}  // namespace damier::nn
