// Ctrl-C as a question that long work asks now and then: nothing is torn down in the middle, so
// files stay whole and the terminal stays as it was.
#pragma once

#include <atomic>
#include <optional>

#include "damier/base/result.h"

namespace damier {

// From now on SIGINT, SIGTERM and SIGHUP only raise the flag. A second SIGINT or SIGTERM ends the
// process at once; a terminal that is closed may send SIGHUP several times. A SIGHUP that was
// ignored from outside (nohup) stays ignored.
void catch_interrupts();

bool interrupted();

// Raises the flag as Ctrl-C does.
void interrupt();

// What work that was interrupted returns.
Error interruption();

// Waits until `descriptor` can be read (or has ended): true; or until an interrupt: false. Unlike a
// plain read it cannot miss an interrupt that comes just before it.
bool wait_readable(int descriptor);
// The same for two: the one that can be read, the first if both can.
std::optional<int> wait_readable_of(int first, int second);

// Waits so long, or until an interrupt.
void wait_a_while(int milliseconds);

// Ends one search among others: a flag that counts as an interrupt on one thread alone.
// For as long as this lives, interrupted() is true on this thread once `stop` is. One at a time.
class StopsWith {
 public:
  explicit StopsWith(const std::atomic<bool>& stop);
  ~StopsWith();
  StopsWith(const StopsWith&) = delete;
  StopsWith& operator=(const StopsWith&) = delete;
};

}  // namespace damier
