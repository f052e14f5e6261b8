// What the terminal can show, and texts in colours that fit it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace damier::app {

enum class Ink : std::uint8_t {
  plain,
  faint,   // labels, empty points
  accent,  // headings, names
  blue,
  green,
  orange,
  purple,
  red,
  yellow,
  alert,  // an exploded bomb
  mark,   // a flag
  // Minesweeper's numbers, in their traditional colours.
  one,
  two,
  three,
  four,
  five,
  six,
  seven,
  eight,
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
