// The end of a search: by its budget, or because the user interrupted.
#pragma once

#include <chrono>
#include <cstdint>

#include "damier/base/interrupt.h"
#include "damier/search/report.h"

namespace damier::search {

class Limit {
 public:
  explicit Limit(Budget budget) : budget_(budget) {}

  // Counts a node and says whether that was one too many. Once over, it stays over.
  bool count() {
    ++nodes_;
    if (budget_.nodes > 0 && nodes_ > budget_.nodes) over_ = true;
    // The clock is slow to read; 256 nodes pass in far less than a millisecond.
    if (nodes_ % 256 == 0) look_at_clock();
    return over_;
  }

  bool over() const { return over_; }
  std::uint64_t nodes() const { return nodes_; }
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  void look_at_clock() {
    if (interrupted() || (budget_.seconds > 0 && seconds() >= budget_.seconds)) over_ = true;
  }

  Budget budget_;
  std::uint64_t nodes_ = 0;
  bool over_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace damier::search
