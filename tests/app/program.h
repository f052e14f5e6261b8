// Runs programs the way a shell does, and keeps what they say.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace damier::app {

struct Ran {
  int code = -1;  // the exit code, or 128 + the signal
  std::string out;
  std::string err;
};

using Environment = std::vector<std::pair<std::string, std::string>>;

Ran run_command(const std::vector<std::string>& command, const std::string& input = "",
                const Environment& environment = {});

// damier with these arguments.
Ran damier(std::vector<std::string> arguments, const std::string& input = "",
           const Environment& environment = {});

// What comes before the last line break, from the line break before.
std::string last_line(const std::string& text);

}  // namespace damier::app
