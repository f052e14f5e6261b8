// What the terminal can show, and texts in colours that fit it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace damier::app {

// Colours of the 256-colour palette that can be read on light and on dark backgrounds.
enum class Ink : std::int16_t {
  plain = -1,
  faint = 245,  // labels, empty points
  accent = 33,  // headings, names
  blue = 33,
  green = 34,
  orange = 202,
  purple = 129,
  red = 160,
  yellow = 178,
  mark = 160,          // a flag
  alert = 0x100 + 160  // white on that ground: an exploded bomb
};

struct Look {
  bool colour = false;
  bool unicode = true;
  bool letters = false;  // pieces as letters, whatever else can be shown
};

// Colours only on a terminal and never with NO_COLOR; Unicode unless the locale is another one.
Look detect_look(bool ascii);

// How many characters fit into a line; 100 when standard output is no terminal.
int terminal_columns();
// Prose that is broken into lines, ready to be broken anew if the terminal is narrower.
std::string fitting(std::string_view text);
// The same, without a limit when standard output is no terminal.
int line_limit();

// Words in as few lines as fit into `columns` columns.
std::vector<std::string> filled_lines(std::span<const std::string> words, int columns);

// The colour codes of an ink ("38;5;33;1"); empty for plain text.
std::string colour_codes(Ink ink, bool strong = false);

// `text` in a colour, where there are colours.
std::string painted(const Look& look, Ink ink, std::string_view text, bool strong = false);

}  // namespace damier::app
