// Ends one search among others: a flag that counts as an interrupt (base/interrupt.h) on one thread
// alone.
#pragma once

#include <atomic>

namespace damier {

// For as long as this lives, interrupted() is true on this thread once `stop` is. One at a time.
class StopsWith {
 public:
  explicit StopsWith(const std::atomic<bool>& stop);
  ~StopsWith();
  StopsWith(const StopsWith&) = delete;
  StopsWith& operator=(const StopsWith&) = delete;
};

}  // namespace damier
