// What the terminal can show, and texts in colours that fit it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/games/picture.h"

namespace damier::app {

struct Look {
  bool colour = false;
  bool unicode = true;
};

// Colours only on a terminal and never with NO_COLOR; Unicode unless the locale is another one.
Look detect_look(bool ascii);

// How many characters fit into a line; 100 when standard output is no terminal.
int terminal_columns();
// Prose that is broken into lines, ready to be broken anew if the terminal is narrower.
std::string fitting(std::string_view text);
// The same, without a limit when standard output is no terminal.
int line_limit();

// Words in as few lines as fit into so many columns.
std::vector<std::string> filled_lines(std::span<const std::string> words, int columns);

// The colour codes of an ink on a shade ("38;5;33;1"); empty for plain text.
std::string colour_codes(games::Ink ink, games::Shade shade, bool strong);

// The colour codes of a piece drawn as a tile.
std::string tile_codes(games::Ink ink);

// `text` in a colour, where there are colours.
std::string painted(const Look& look, games::Ink ink, std::string_view text, bool strong = false);

}  // namespace damier::app
