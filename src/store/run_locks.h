// Which runs have a living process: each locks the byte with the run's number in a file beside the
// store. The kernel drops the lock when the process ends, however it ends.
#pragma once

#include <set>
#include <string>

#include "damier/base/result.h"
#include "damier/store/store.h"

namespace damier {

class RunLocks {
 public:
  static Result<RunLocks> open(const std::string& store);
  ~RunLocks();
  RunLocks(RunLocks&& other) noexcept;
  RunLocks& operator=(RunLocks&&) = delete;

  // False if somebody holds it already.
  bool take(RunId run);
  void release(RunId run);
  bool is_held(RunId run) const;

 private:
  explicit RunLocks(int file) : file_(file) {}

  int file_;
  std::set<RunId> mine_;  // the kernel does not tell us about our own
};

}  // namespace damier
