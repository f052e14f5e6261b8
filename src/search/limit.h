// The end of a search: by its budget, or because the user interrupted.
#pragma once

#include <chrono>
#include <cstdint>

#include "damier/base/files/interrupt.h"
#include "damier/search/report.h"
#include "damier/search/watch.h"

namespace damier::search {

class Limit {
 public:
  // `watch`, if there is one, hears of the nodes.
  explicit Limit(Budget budget, Watch* watch = nullptr) : budget_(budget), watch_(watch) {}

  // Counts a node and says whether that was one too many. Once over, it stays over.
  bool count() {
    ++nodes_;
    if (budget_.nodes > 0 && nodes_ > budget_.nodes) over_ = true;
    // The clock is slow to read, and a node that asks a large network takes milliseconds.
    if (nodes_ % 16 == 0 && interrupted()) over_ = true;
    if (nodes_ % kBetweenLooks == 0) {
      if (budget_.seconds > 0 && seconds() >= budget_.seconds) over_ = true;
      if (watch_ != nullptr) watch_->add_nodes(kBetweenLooks);
    }
    return over_;
  }

  bool over() const { return over_; }
  std::uint64_t nodes() const { return nodes_; }
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  static constexpr std::uint64_t kBetweenLooks = 256;

  Budget budget_;
  Watch* watch_;
  std::uint64_t nodes_ = 0;
  bool over_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace damier::search
