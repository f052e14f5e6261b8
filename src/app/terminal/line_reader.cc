#include "damier/app/terminal/line_reader.h"

#include <array>
#include <cerrno>

#include <unistd.h>

#include "damier/base/files/interrupt.h"

namespace damier::app {

std::optional<std::string> LineReader::next() {
  // Nobody types a longer line; a file that has one is cut there.
  constexpr std::size_t kMaxLength = 1 << 16;
  while (true) {
    if (interrupted()) return std::nullopt;
    const auto end = buffer_.find('\n');
    if (end != std::string::npos || buffer_.size() > kMaxLength || (ended_ && !buffer_.empty())) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end == std::string::npos ? end : end + 1);
      return line;
    }
    if (ended_ || !wait_readable(STDIN_FILENO)) return std::nullopt;
    std::array<char, 4096> block;
    const ssize_t count = read(STDIN_FILENO, block.data(), block.size());
    ended_ = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
    // A terminal that was closed ends the input before its signal comes.
    if (ended_ && terminal_ && isatty(STDIN_FILENO) == 0) interrupt();
    if (count > 0) buffer_.append(block.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace damier::app
