// A board as something to look at, by meaning: what stands where, and which cells a move touches.
// How a king or a flag looks is decided by who draws it: the terminal, a report, the page in a
// browser.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/text/language.h"
#include "damier/games/outcome.h"

namespace damier::games {

// Of a side's pieces.
enum class Colour : std::uint8_t { white, black, blue, green, orange, purple, red, yellow };

// A piece or a sign.
struct Token {
  std::string role;          // "king", "disc", "domino-up", "flag", "number-3"; empty: nothing
  std::optional<Side> side;  // whose it is
  std::string state = {};    // "moved", "checked", "exploded"; empty: nothing is special

  bool operator==(const Token&) const = default;
};

enum class Shade : std::uint8_t {
  none,
  covered,    // what is there is hidden
  highlight,  // the last move
};

struct Cell {
  std::vector<Token> tokens;  // of a stack from bottom to top, empty ones where a kind is missing
  Shade shade = Shade::none;
  bool dark = false;       // of a chequered board
  std::string label = {};  // what moves call it, where rows and columns have no labels
};

struct Picture {
  enum class Layout : std::uint8_t {
    cells,   // squares in a grid
    points,  // points joined by lines
  };

  int rows = 0;
  int cols = 0;
  Layout layout = Layout::cells;
  bool ruled = true;        // lines between the cells
  bool chequered = false;   // light and dark squares
  bool facing = false;      // the sides sit opposite each other: the second sees the board turned
  std::vector<Cell> cells;  // row-major, as displayed from top to bottom
  std::vector<std::string> row_labels;  // empty, or one a row
  std::vector<std::string> col_labels;
  std::vector<std::pair<int, int>> links;  // of a points layout: indices into cells
  // One line under the board. Pieces are shown at its places "{}", some at each.
  Text caption;
  std::vector<std::vector<Token>> caption_pieces;
  std::array<Colour, 2> colours = {Colour::white, Colour::black};  // of the sides

  Cell& at(int row, int col) { return cells[static_cast<std::size_t>(row * cols + col)]; }
  const Cell& at(int row, int col) const {
    return cells[static_cast<std::size_t>(row * cols + col)];
  }
};

// How a move is made by pointing at cells of the picture.
struct Gesture {
  // "move": from one cell to another. "cover": onto all cells of a piece, by pointing at the first.
  // "drop": into a column, by pointing at any of its cells; it comes to rest on the first. Others,
  // as "place", "open" or "flag": at one cell.
  std::string_view kind = {};
  std::vector<int> cells = {};  // none: people write the move
  // The role of the piece that is put there, where there is a choice: of a draft, of a promotion.
  std::string_view piece = {};
};

// Positions put together by hand: what stands on the cells of a board, and whose turn it is. It
// need not be a position that the game allows.
struct Placement {
  std::vector<std::vector<Token>> cells;  // as those of the picture, of a stack from bottom to top
  Side to_move = Side::first;
};

// A game whose boards can be put together by hand.
template <class G>
concept Placeable = requires(const G game, const Placement& placement) {
  { G::pieces() } -> std::same_as<std::vector<Token>>;  // what can be put on a cell
  // A position as parse_position() reads it, whether it accepts it or not.
  { game.text_of(placement) } -> std::same_as<std::string>;
};

// What stands there, as far as it can be put there with these pieces.
Placement placement_of(const Picture& picture, Side to_move, std::span<const Token> pieces);

// Puts the piece on a cell in place of what stands there; takes it away if it stands there already.
void put_alone(Placement& placement, int cell, const Token& piece);

// The board of a picture with these pieces on it.
Picture picture_of(Picture picture, const Placement& placement);

}  // namespace damier::games
