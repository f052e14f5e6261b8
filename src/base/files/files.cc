#include "damier/base/files/files.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "damier/base/files/atomic_file.h"
#include "damier/base/files/interrupt.h"

namespace damier {

Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit) {
  const auto file = TRY(InputFile::open(path.string()));
  return file->content(limit);
}

Status write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  auto file = TRY(AtomicFile::create(path));
  TRY(file.write(content));
  return file.finish();
}

InputFile::InputFile(std::string name, int descriptor)
    : name_(std::move(name)), descriptor_(descriptor), buffer_(std::size_t{1} << 16) {}

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

Result<std::string> InputFile::content(std::size_t limit) {
  const Error too_large{fmt::format("is larger than the {} bytes expected at most", limit),
                        {name_}};
  if (size_.value_or(0) > limit) return too_large;
  std::string content;
  while (true) {
    if (!size_ && !wait_readable(descriptor_)) return interruption();
    const ssize_t count = ::read(descriptor_, buffer_.data(), buffer_.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) {
      return Error{fmt::format("cannot be read: {}", std::strerror(errno)), {name_}};
    }
    if (count == 0) return content;
    content.append(buffer_.data(), static_cast<std::size_t>(count));
    if (content.size() > limit) return too_large;
  }
}

bool StreamLines::refill() {
  in_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  from_ = 0;
  to_ = static_cast<std::size_t>(in_.gcount());
  return to_ > 0;
}

void StreamLines::skip_rest() {
  while (from_ < to_ || refill()) {
    const void* end = std::memchr(buffer_.data() + from_, '\n', to_ - from_);
    from_ = end == nullptr
                ? to_
                : static_cast<std::size_t>(static_cast<const char*>(end) - buffer_.data()) + 1;
    if (end != nullptr) return;
  }
}

bool StreamLines::next() {
  if (std::exchange(has_rest_, false)) skip_rest();
  joined_.clear();
  bool any = false;
  while (from_ < to_ || refill()) {
    const char* begin = buffer_.data() + from_;
    const auto* end = static_cast<const char*>(std::memchr(begin, '\n', to_ - from_));
    const std::size_t length = end == nullptr ? to_ - from_ : static_cast<std::size_t>(end - begin);
    const std::string_view part(begin, length);
    from_ += length + (end == nullptr ? 0 : 1);
    if (end != nullptr && !any) {
      line_ = part;
      any = true;
      break;
    }
    any = true;
    joined_ += part;
    line_ = joined_;
    if (end != nullptr) break;
    // A caller that refuses such a line does not have to wait for its end.
    if (has_rest_ = joined_.size() > kMaxLength; has_rest_) break;
  }
  if (!any) return false;
  ++number_;
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  if (number_ == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.remove_prefix(3);
  return true;
}

}  // namespace damier
