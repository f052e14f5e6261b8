// How long players think: the processor time of their moves, so that it does not depend on what
// else the machine does.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "damier/play/players/players.h"

namespace damier::play {

class ThinkingTime {
 public:
  void add(double seconds) {
    nanoseconds_ += static_cast<std::int64_t>(seconds * 1e9);
    ++moves_;
  }
  std::int64_t moves() const { return moves_; }
  // The mean of a move; 0 where there was none.
  double seconds() const {
    return moves_ == 0 ? 0 : 1e-9 * static_cast<double>(nanoseconds_) / static_cast<double>(moves_);
  }

 private:
  std::atomic<std::int64_t> nanoseconds_{0};
  std::atomic<std::int64_t> moves_{0};
};

// Players of the same kind whose moves are timed from now on.
std::shared_ptr<const ThinkingTime> keep_time(OpenedPlayer& player);

}  // namespace damier::play
