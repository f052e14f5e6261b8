#include "damier/base/files/input_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "damier/base/files/interrupt.h"

namespace damier {

namespace {

constexpr std::size_t kInputBuffer = std::size_t{1} << 16;

}  // namespace

InputFile::InputFile(std::string name, int descriptor)
    : name_(std::move(name)), descriptor_(descriptor), buffer_(kInputBuffer) {}

InputFile::~InputFile() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

Result<std::unique_ptr<InputFile>> InputFile::open(const std::string& path) {
  const bool standard = path == "-";
  std::string name = standard ? "standard input" : path;
  // Without O_NONBLOCK, opening a pipe that nobody writes to would not listen to Ctrl-C.
  const int descriptor =
      standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return Error{fmt::format("cannot be read: {}", std::strerror(errno)), {name}};
  }
  std::unique_ptr<InputFile> file(new InputFile(std::move(name), descriptor));
  struct stat info = {};
  if (::fstat(descriptor, &info) == 0) {
    if (S_ISDIR(info.st_mode)) return Error{"is a folder; expected a file", {file->name_}};
    if (S_ISREG(info.st_mode)) file->size_ = static_cast<std::uint64_t>(info.st_size);
  }
  return file;
}

Status InputFile::status() const {
  if (error_ == 0) return Done{};
  return Error{fmt::format("cannot be read to its end: {}", std::strerror(error_)),
               {name_},
               ErrorKind::failure};
}

InputFile::int_type InputFile::underflow() {
  while (error_ == 0 && wait_readable(descriptor_)) {
    const ssize_t count = ::read(descriptor_, buffer_.data(), buffer_.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) error_ = errno;
    if (count <= 0) break;
    bytes_read_ += static_cast<std::uint64_t>(count);
    setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
    return traits_type::to_int_type(buffer_.front());
  }
  return traits_type::eof();
}

}  // namespace damier
