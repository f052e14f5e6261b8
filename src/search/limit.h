// The end of a search: by the limits of what was asked, or because the user interrupted.
#pragma once

#include <chrono>
#include <cstdint>

#include "damier/base/files/interrupt.h"
#include "damier/search/answer.h"

namespace damier::search {

class Limit {
 public:
  // The nodes and seconds of `ask`; its watch, if there is one, is told of the nodes.
  explicit Limit(const Ask& ask) : ask_(ask) {}

  // Counts a node and says whether that was one too many. Once over, it stays over.
  bool count() {
    ++nodes_;
    if (ask_.nodes > 0 && nodes_ > ask_.nodes) over_ = true;
    // The clock is slow to read, and a node that asks a large network takes milliseconds.
    if (nodes_ % 16 == 0 && interrupted()) over_ = true;
    if (nodes_ % kBetweenLooks == 0) {
      if (ask_.seconds > 0 && seconds() >= ask_.seconds) over_ = true;
      if (ask_.watch != nullptr) ask_.watch->add_nodes(kBetweenLooks);
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

  Ask ask_;
  std::uint64_t nodes_ = 0;
  bool over_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace damier::search
