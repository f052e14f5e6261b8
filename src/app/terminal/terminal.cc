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

// Colours of the 256-colour palette that can be read on light and on dark backgrounds.
const char* ink_code(Ink ink) {
  switch (ink) {
    case Ink::plain:
      return "";
    case Ink::faint:
      return "38;5;245";
    case Ink::accent:
    case Ink::blue:
      return "38;5;33";
    case Ink::orange:
      return "38;5;202";
    case Ink::green:
      return "38;5;34";
    case Ink::purple:
      return "38;5;129";
    case Ink::red:
      return "38;5;160";
    case Ink::yellow:
      return "38;5;178";
    case Ink::alert:
      return "38;5;231;48;5;160";
    case Ink::mark:
      return "38;5;160";
    case Ink::one:
      return "38;5;33";
    case Ink::two:
      return "38;5;34";
    case Ink::three:
      return "38;5;196";
    case Ink::four:
      return "38;5;129";
    case Ink::five:
      return "38;5;130";
    case Ink::six:
      return "38;5;37";
    case Ink::seven:
      return "38;5;240";
    case Ink::eight:
      return "38;5;247";
  }
  return "";
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
    if (fits) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

std::string colour_codes(Ink ink, bool strong) {
  std::string codes = ink_code(ink);
  if (strong) codes += codes.empty() ? "1" : ";1";
  return codes;
}

std::string painted(const Look& look, Ink ink, std::string_view text, bool strong) {
  const std::string codes = colour_codes(ink, strong);
  if (!look.colour || codes.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", codes, text);
}

}  // namespace damier::app
