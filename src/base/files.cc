#include "damier/base/files.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

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

Error failure(std::string message, const std::filesystem::path& path) {
  return Error{std::move(message), {path.string()}, ErrorKind::failure};
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit) {
  const bool standard_input = path == "-";
  const std::string name = standard_input ? "standard input" : path.string();
  const Descriptor file(standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return Error{"cannot be read: " + system_message(), {name}};
  struct stat info = {};
  if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode)) {
    return Error{"is a folder; expected a file", {name}};
  }
  std::string content;
  std::array<char, 1 << 16> block;
  while (true) {
    const ssize_t count = ::read(file.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Error{"cannot be read: " + system_message(), {name}};
    if (count == 0) return content;
    content.append(block.data(), static_cast<std::size_t>(count));
    if (content.size() > limit) {
      return Error{fmt::format("is larger than the {} bytes expected at most", limit), {name}};
    }
  }
}

Status write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  std::string temporary = path.string() + ".XXXXXX";
  const Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) return failure("cannot be written: " + system_message(), path);
  const auto give_up = [&](const char* what) {
    Error error = failure(fmt::format("{}: {}", what, system_message()), path);
    ::unlink(temporary.c_str());
    return error;
  };
  for (std::string_view rest = content; !rest.empty();) {
    const ssize_t count = ::write(file.get(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return give_up("cannot be written");
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  // mkostemp makes private files; give this one the mode of the file it replaces, or the usual one.
  struct stat old = {};
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const mode_t mode = ::stat(path.c_str(), &old) == 0 ? old.st_mode & 0777 : 0666 & ~mask;
  if (::fchmod(file.get(), mode) != 0) return give_up("cannot be given its permissions");
  if (::fsync(file.get()) != 0) return give_up("cannot be synced to the disk");
  if (::rename(temporary.c_str(), path.c_str()) != 0) return give_up("cannot be replaced");
  // The new name itself must reach the disk too; where folders cannot be synced, that is all.
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) ::fsync(directory.get());
  return Done{};
}

}  // namespace damier
