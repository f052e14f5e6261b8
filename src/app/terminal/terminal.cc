#include "damier/app/terminal/terminal.h"

#include <cstdlib>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <unistd.h>

#include "damier/base/parallel/messenger.h"
#include "damier/base/text/columns.h"

namespace damier::app {

namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != value.npos || value.find("utf8") != value.npos ||
           value.find("utf-8") != value.npos;
  }
  return true;  // nothing is said: today's terminals are
}

}  // namespace

Look detect_look(bool ascii) {
  // mpirun gives its processes a terminal of its own, whatever its output is.
  const bool colour = isatty(STDOUT_FILENO) == 1 && !find_launch() &&
                      environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  return {colour && !ascii, !ascii && locale_is_utf8()};
}

std::string fitting(std::string_view text) {
  const auto columns = columns_of(STDOUT_FILENO);
  return columns ? with_whole_paragraphs(text, *columns) : std::string(text);
}

int terminal_columns() {
  constexpr int kOtherwise = 100;
  return columns_of(STDOUT_FILENO).value_or(kOtherwise);
}

int line_limit() { return columns_of(STDOUT_FILENO).value_or(std::numeric_limits<int>::max()); }

std::vector<std::string> filled_lines(std::span<const std::string> words, int columns) {
  std::vector<std::string> lines;
  for (const std::string& word : words) {
    const bool fits =
        !lines.empty() && lines.back().size() + 1 + word.size() < static_cast<std::size_t>(columns);
    fits ? lines.back() += " " + word : lines.emplace_back(word);
  }
  return lines;
}

std::string colour_codes(Ink ink, bool strong) {
  const int colour = static_cast<int>(ink) & 0xFF;
  std::string codes = ink == Ink::plain   ? ""
                      : ink == Ink::alert ? fmt::format("38;5;231;48;5;{}", colour)
                                          : fmt::format("38;5;{}", colour);
  if (strong) codes += codes.empty() ? "1" : ";1";
  return codes;
}

std::string painted(const Look& look, Ink ink, std::string_view text, bool strong) {
  const std::string codes = colour_codes(ink, strong);
  if (!look.colour || codes.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", codes, text);
}

}  // namespace damier::app
