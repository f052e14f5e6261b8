#include "damier/store/run_locks.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace damier {

namespace {

// What fcntl() says of the run's byte.
std::optional<struct flock> locked(int file, int command, RunId run, int type) {
  struct flock lock = {};
  lock.l_type = static_cast<decltype(lock.l_type)>(type);
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(run);
  lock.l_len = 1;
  return ::fcntl(file, command, &lock) == 0 ? std::optional(lock) : std::nullopt;
}

}  // namespace

Result<RunLocks> RunLocks::open(const std::string& store) {
  const std::string path = store + "-running";
  RunLocks locks(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (locks.file_ >= 0) return locks;
  return Error{
      fmt::format("cannot be opened: {}", std::strerror(errno)), {path}, ErrorKind::failure};
}

RunLocks::~RunLocks() {
  if (file_ >= 0) ::close(file_);
}

RunLocks::RunLocks(RunLocks&& other) noexcept
    : file_(std::exchange(other.file_, -1)), mine_(std::move(other.mine_)) {}

bool RunLocks::take(RunId run) {
  if (mine_.contains(run) || !locked(file_, F_OFD_SETLK, run, F_WRLCK)) return false;
  mine_.insert(run);
  return true;
}

void RunLocks::release(RunId run) {
  if (mine_.erase(run) > 0) locked(file_, F_OFD_SETLK, run, F_UNLCK);
}

bool RunLocks::is_held(RunId run) const {
  if (mine_.contains(run)) return true;
  const auto lock = locked(file_, F_OFD_GETLK, run, F_WRLCK);
  return lock && lock->l_type != F_UNLCK;
}

}  // namespace damier
