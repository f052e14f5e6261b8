// Lines from standard input, with an ear for Ctrl-C.
#pragma once

#include <optional>
#include <string>

#include <unistd.h>

namespace damier::app {

class LineReader {
 public:
  // The next line without its line break; nothing at the end of the input or after an interrupt.
  std::optional<std::string> next();

 private:
  std::string buffer_;  // read but not yet given out
  bool ended_ = false;
  const bool terminal_ = isatty(STDIN_FILENO) == 1;
};

}  // namespace damier::app
