#include "damier/app/line_reader.h"

#include <array>

#include <unistd.h>

#include "damier/base/interrupt.h"

namespace damier::app {

std::optional<std::string> LineReader::next() {
  // Nobody types a longer line; a file that has one is cut there.
  constexpr std::size_t kLongest = 1 << 16;
  while (true) {
    const auto end = buffer_.find('\n');
    if (end != std::string::npos || buffer_.size() > kLongest || (ended_ && !buffer_.empty())) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end == std::string::npos ? end : end + 1);
      return line;
    }
    if (ended_ || !wait_readable(STDIN_FILENO)) return std::nullopt;
    std::array<char, 4096> block;
    const ssize_t count = read(STDIN_FILENO, block.data(), block.size());
    ended_ = count == 0;
    if (count > 0) buffer_.append(block.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace damier::app
