#include "damier/base/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace damier {

namespace {

Error failure(const char* what, const std::filesystem::path& path) {
  return Error{
      fmt::format("{}: {}", what, std::strerror(errno)), {path.string()}, ErrorKind::failure};
}

}  // namespace

bool write_bytes(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

AtomicFile::AtomicFile(std::filesystem::path path, std::string temporary, int descriptor)
    : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
  std::string temporary = path.string() + ".XXXXXX";
  const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) return failure("cannot be written", path);
  return AtomicFile(path, std::move(temporary), descriptor);
}

Status AtomicFile::write(std::span<const std::byte> bytes) {
  if (!write_bytes(descriptor_, bytes)) return failure("cannot be written", path_);
  return Done{};
}

Status AtomicFile::finish() {
  // mkostemp makes private files; give this one the mode of the file it replaces, or the usual one.
  struct stat old = {};
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const mode_t mode = ::stat(path_.c_str(), &old) == 0 ? old.st_mode & 0777 : 0666 & ~mask;
  if (::fchmod(descriptor_, mode) != 0) {
    return failure("cannot be given its permissions", path_);
  }
  if (::fsync(descriptor_) != 0) return failure("cannot be synced to the disk", path_);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    return failure("cannot be replaced", path_);
  }
  ::close(std::exchange(descriptor_, -1));
  // The new name must reach the disk too; where folders cannot be synced, that is all.
  const auto folder = path_.has_parent_path() ? path_.parent_path() : std::filesystem::path(".");
  const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    ::fsync(directory);
    ::close(directory);
  }
  return Done{};
}

}  // namespace damier
