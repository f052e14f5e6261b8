// A board as something to look at, without saying how: the terminal draws it with characters, a
// page can draw it with shapes. A game only says what stands where.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "damier/base/text/language.h"

namespace damier::games {

// Meanings, not colours: the one who draws chooses the colours.
enum class Ink : std::uint8_t {
  plain,
  faint,   // labels, empty points
  first,   // the first player's pieces: in the usual colours, or in those of Facts::inks
  second,  // the second player's pieces
  // For games whose players have colours.
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

enum class Shade : std::uint8_t {
  none,
  covered,    // a masked cell, a cell that is taken
  highlight,  // the last move
};

// One piece or sign; every glyph is one column wide.
struct Token {
  std::string glyph;  // UTF-8
  std::string ascii;  // the same with plain characters, and without colours
  Ink ink = Ink::plain;
  bool strong = false;
  bool tile = false;  // a piece with a body: drawn on a ground of its colour, three columns wide
};

struct Cell {
  std::vector<Token> tokens;
  Shade shade = Shade::none;
  bool joins_right = false;  // one piece with the cell to its right
  bool dark = false;         // of a chequered board
};

struct Picture {
  enum class Layout : std::uint8_t {
    cells,   // squares in a grid
    points,  // points joined by lines
  };

  int rows = 0;
  int cols = 0;
  Layout layout = Layout::cells;
  bool ruled = true;                    // lines between the cells
  bool chequered = false;               // light and dark squares where there are colours
  std::vector<Cell> cells;              // row-major, as displayed from top to bottom
  std::vector<std::string> row_labels;  // empty, or one a row
  std::vector<std::string> col_labels;
  std::vector<std::pair<int, int>> links;  // of a points layout: indices into cells
  Text caption;                            // one line under the board
  Text ascii_caption;

  Cell& at(int row, int col) { return cells[static_cast<std::size_t>(row * cols + col)]; }
  const Cell& at(int row, int col) const {
    return cells[static_cast<std::size_t>(row * cols + col)];
  }
};

}  // namespace damier::games
