#include "damier/base/files/files.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "damier/base/files/atomic_file.h"
#include "damier/base/files/interrupt.h"

namespace damier {

namespace {

// An open file descriptor, closed at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ > STDERR_FILENO) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string system_message() { return std::strerror(errno); }

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit) {
  const bool standard_input = path == "-";
  const std::string name = standard_input ? "standard input" : path.string();
  // Without O_NONBLOCK, opening a pipe that nobody writes to would not listen to Ctrl-C.
  const Descriptor file(standard_input ? STDIN_FILENO
                                       : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return Error{"cannot be read: " + system_message(), {name}};
  struct stat info = {};
  const bool known = ::fstat(file.get(), &info) == 0;
  if (known && S_ISDIR(info.st_mode)) return Error{"is a folder; expected a file", {name}};
  const auto too_large = [&] {
    return Error{fmt::format("is larger than the {} bytes expected at most", limit), {name}};
  };
  if (known && S_ISREG(info.st_mode) && static_cast<std::uintmax_t>(info.st_size) > limit) {
    return too_large();
  }
  const bool may_block = !known || !S_ISREG(info.st_mode);
  std::string content;
  std::array<char, 1 << 16> block;
  while (true) {
    if (may_block && !wait_readable(file.get())) return interruption();
    const ssize_t count = ::read(file.get(), block.data(), block.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) return Error{"cannot be read: " + system_message(), {name}};
    if (count == 0) return content;
    content.append(block.data(), static_cast<std::size_t>(count));
    if (content.size() > limit) return too_large();
  }
}

Status write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  auto file = TRY(AtomicFile::create(path));
  TRY(file.write(content));
  return file.finish();
}

}  // namespace damier
