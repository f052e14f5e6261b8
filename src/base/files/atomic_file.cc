#include "damier/base/files/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/random.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"

namespace damier {

namespace {

namespace fs = std::filesystem;

// Names of files that are being written. Their owner holds a lock on them, which the kernel drops
// when the owner ends, however it ends.
constexpr std::string_view kPartPrefix = ".damier-";
constexpr std::string_view kPartSuffix = ".part";

Error write_error(const char* what, const fs::path& path, int code = errno) {
  return Error{
      fmt::format("{}: {}", what, std::strerror(code)), {path.string()}, ErrorKind::failure};
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// What a name stands for when the links are followed.
struct OutputTarget {
  enum Kind { file, special, descriptor };
  Kind kind = file;
  fs::path path;
  int number = -1;  // of a descriptor
  mode_t mode = 0;  // 0: there is nothing yet
};

// /dev/stdout and its like name what is open already: opened anew they would begin at the start.
std::optional<int> descriptor_named(const fs::path& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  const fs::path folder = path.parent_path();
  if (folder != "/dev/fd" && folder != "/proc/self/fd") return std::nullopt;
  return parse_number<int>(path.filename().string());
}

Result<OutputTarget> output_target(const fs::path& named) {
  if (named.empty()) return Error{"the name of the file to write is empty"};
  fs::path path = named;
  constexpr int kMaxLinks = 40;  // as the kernel has it
  for (int links = 0; links <= kMaxLinks; ++links) {
    if (const auto number = descriptor_named(path)) {
      return OutputTarget{OutputTarget::descriptor, path, *number};
    }
    struct stat info = {};
    if (::lstat(path.c_str(), &info) != 0) {
      if (errno != ENOENT) return write_error("cannot be written", named);
      if (path.has_filename()) return OutputTarget{OutputTarget::file, path};
      return write_error("cannot be written", named, EISDIR);
    }
    if (S_ISDIR(info.st_mode)) {
      return Error{"is a folder; expected the name of a file", {named.string()}};
    }
    if (!S_ISLNK(info.st_mode)) {
      const auto kind = S_ISREG(info.st_mode) ? OutputTarget::file : OutputTarget::special;
      return OutputTarget{kind, path, -1, info.st_mode};
    }
    std::error_code error;
    const fs::path next = fs::read_symlink(path, error);
    if (error) return write_error("cannot be written", named, error.value());
    path = folder_of(path) / next;  // an absolute one stands alone
  }
  return write_error("cannot be written", named, ELOOP);
}

// Opening a pipe for writing waits for its reader, and must be open to Ctrl-C meanwhile.
Result<int> open_special(const OutputTarget& target, const fs::path& named) {
  const bool pipe = S_ISFIFO(target.mode);
  while (true) {
    const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | (pipe ? O_NONBLOCK : 0);
    const int descriptor = ::open(target.path.c_str(), flags);
    if (descriptor >= 0) {
      if (pipe) ::fcntl(descriptor, F_SETFL, O_WRONLY);
      return descriptor;
    }
    if (interrupted()) return interruption();
    if (errno != EINTR && !(pipe && errno == ENXIO)) return write_error("cannot be written", named);
    constexpr int kBetweenLooksMs = 20;
    wait_a_while(kBetweenLooksMs);
  }
}

bool is_part_name(std::string_view name) {
  return name.starts_with(kPartPrefix) && name.ends_with(kPartSuffix);
}

// Removes one if nobody holds its lock.
void remove_if_abandoned(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  struct stat info = {};
  const bool ours =
      ::fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::geteuid();
  if (ours && ::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(file);
}

void remove_abandoned_parts(const fs::path& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(folder.c_str()), ::closedir);
  if (!listing) return;
  while (const dirent* entry = ::readdir(listing.get())) {
    if (is_part_name(entry->d_name)) remove_if_abandoned(folder / entry->d_name);
  }
}

struct PartFile {
  fs::path path;
  int descriptor;
};

Result<PartFile> create_part(const fs::path& folder, const fs::path& named) {
  while (true) {
    const fs::path path =
        folder / fmt::format("{}{:016x}{}", kPartPrefix, value_of(fresh_seed()), kPartSuffix);
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) {
      if (errno == EEXIST || errno == EINTR) continue;
      return write_error("cannot be written", named);
    }
    // Before it was locked, another process may have taken it for a dead one's.
    struct stat info = {};
    const bool taken = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && ::fstat(descriptor, &info) == 0 && info.st_nlink > 0) {
      return PartFile{path, descriptor};
    }
    ::close(descriptor);
  }
}

}  // namespace

bool write_bytes(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {  // somebody else made it non-blocking
      pollfd waiting = {descriptor, POLLOUT, 0};
      ::poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

AtomicFile::AtomicFile(fs::path named, fs::path target, fs::path temporary, int descriptor)
    : named_(std::move(named)),
      target_(std::move(target)),
      temporary_(std::move(temporary)),
      descriptor_(descriptor) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : named_(std::move(other.named_)),
      target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  // Before the lock goes: afterwards the name may be another's.
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  ::close(descriptor_);
}

Result<AtomicFile> AtomicFile::create(const fs::path& path) {
  const auto target = TRY(output_target(path));
  if (target.kind == OutputTarget::descriptor) {
    if (target.number == STDOUT_FILENO) flush_output();  // what was said before comes before
    const int descriptor = ::fcntl(target.number, F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0) return write_error("cannot be written", path);
    return AtomicFile(path, target.path, {}, descriptor);
  }
  if (target.kind == OutputTarget::special) {
    const auto descriptor = TRY(open_special(target, path));
    return AtomicFile(path, target.path, {}, descriptor);
  }
  const fs::path folder = folder_of(target.path);
  remove_abandoned_parts(folder);
  const auto part = TRY(create_part(folder, path));
  return AtomicFile(path, target.path, part.path, part.descriptor);
}

Status AtomicFile::write(std::span<const std::byte> bytes) {
  if (!write_bytes(descriptor_, bytes)) return write_error("cannot be written", named_);
  return Done{};
}

Status AtomicFile::finish() {
  // Pipes and many devices cannot be synced.
  if (::fsync(descriptor_) != 0 && !temporary_.empty()) {
    return write_error("cannot be synced to the disk", named_);
  }
  if (temporary_.empty()) {
    if (::close(std::exchange(descriptor_, -1)) == 0) return Done{};
    return write_error("cannot be written", named_);
  }
  struct stat old = {};
  if (::stat(target_.c_str(), &old) == 0) {
    // Only root can give files away; for everybody else they are their own anyway.
    [[maybe_unused]] const int given = ::fchown(descriptor_, old.st_uid, old.st_gid);
    if (::fchmod(descriptor_, old.st_mode & 0777) != 0) {
      return write_error("cannot be given its permissions", named_);
    }
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    return write_error("cannot be replaced", named_);
  }
  ::close(std::exchange(descriptor_, -1));
  // The new name must reach the disk too; where folders cannot be synced, that is all.
  const int directory = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    ::fsync(directory);
    ::close(directory);
  }
  return Done{};
}

Status check_output(const fs::path& path) {
  const auto target = TRY(output_target(path));
  if (target.kind == OutputTarget::descriptor) {
    if (::fcntl(target.number, F_GETFD) >= 0) return Done{};
  } else {
    const bool file = target.kind == OutputTarget::file;
    if (::access((file ? folder_of(target.path) : target.path).c_str(), W_OK) == 0) return Done{};
  }
  const int code = errno;
  Error error = write_error("cannot be written", path, code);
  // A folder that is not there when the work begins is a slip of the keyboard.
  if (code == ENOENT || code == ENOTDIR) error.kind = ErrorKind::input;
  return error;
}

bool is_standard_output(const fs::path& path) {
  const auto target = output_target(path);
  return target && target->kind == OutputTarget::descriptor && target->number == STDOUT_FILENO;
}

Result<int> open_nameless_file(const fs::path& path) {
  const auto target = TRY(output_target(path));
  std::error_code error;
  const fs::path folder =
      target.kind == OutputTarget::file ? folder_of(target.path) : fs::temp_directory_path(error);
  const auto part = TRY(create_part(folder, path));
  ::unlink(part.path.c_str());
  return part.descriptor;
}

}  // namespace damier
