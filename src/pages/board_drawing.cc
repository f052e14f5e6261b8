#include "damier/pages/board_drawing.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/report/svg.h"

namespace damier::pages {

namespace {

using games::Cell;
using games::Colour;
using games::Picture;
using games::Shade;
using games::Token;

constexpr double kCell = 22;        // pixels a side
constexpr double kLabel = 14;       // for a label beside the board
constexpr double kBaseline = 0.36;  // of the type's size, below the middle

// The colours of a page are few; these are its classes.
std::string_view tone_of(Colour colour) {
  switch (colour) {
    case Colour::white:
    case Colour::blue:
      return "tone0";
    case Colour::black:
    case Colour::orange:
    case Colour::red:
      return "tone1";
    case Colour::green:
      return "tone2";
    case Colour::purple:
      return "tone3";
    case Colour::yellow:
      return "tone4";
  }
  return "ink";
}

enum class Shape { none, sign, tile, domino };

// How a piece is drawn: the one table of a report from roles to shapes, signs and colours.
struct Drawn {
  std::string_view role, state;
  Shape shape = Shape::sign;
  std::array<std::string_view, 2> signs = {};  // of the two sides; without a side the first
  std::string_view tone = {};                  // of a piece without a side
};

constexpr Drawn kDrawn[] = {
    {"disc", "unmoved", Shape::sign, {"○", "□"}},
    {"disc", "moved", Shape::sign, {"●", "■"}},
    {"disc", "", Shape::sign, {"●", "○"}},
    {"cross", "", Shape::sign, {"╳", "╳"}},
    {"nought", "", Shape::sign, {"◯", "◯"}},
    {"pawn", "", Shape::sign, {"♙", "♟"}},
    {"knight", "", Shape::sign, {"♘", "♞"}},
    {"bishop", "", Shape::sign, {"♗", "♝"}},
    {"rook", "", Shape::sign, {"♖", "♜"}},
    {"queen", "", Shape::sign, {"♕", "♛"}},
    {"king", "", Shape::sign, {"♔", "♚"}},
    {"donkey", "", Shape::tile, {"D", "d"}},
    {"dog", "", Shape::tile, {"G", "g"}},
    {"cat", "", Shape::tile, {"C", "c"}},
    {"rooster", "", Shape::tile, {"R", "r"}},
    {"domino-up", "", Shape::domino},
    {"domino-down", "", Shape::domino},
    {"domino-left", "", Shape::domino},
    {"domino-right", "", Shape::domino},
    {"block", "", Shape::none},  // its square says it
    {"flag", "", Shape::sign, {"⚑"}, "tone4"},
    {"bomb", "exploded", Shape::sign, {"✱"}, "tone1"},
    {"bomb", "", Shape::sign, {"✱"}},
    {"number-1", "", Shape::sign, {"1"}, "tone0"},
    {"number-2", "", Shape::sign, {"2"}, "tone2"},
    {"number-3", "", Shape::sign, {"3"}, "tone1"},
    {"number-4", "", Shape::sign, {"4"}, "tone0"},
    {"number-5", "", Shape::sign, {"5"}, "tone1"},
    {"number-6", "", Shape::sign, {"6"}, "tone2"},
    {"number-7", "", Shape::sign, {"7"}},
    {"number-8", "", Shape::sign, {"8"}, "faint"},
};

// A role that the table does not have is drawn as its first letter.
Drawn drawn_of(const Token& token) {
  for (const Drawn& drawn : kDrawn) {
    if (drawn.role == token.role && (drawn.state.empty() || drawn.state == token.state)) {
      return drawn;
    }
  }
  const std::string_view letter = std::string_view(token.role).substr(0, 1);
  return {.role = token.role, .state = {}, .signs = {letter, letter}};
}

std::string_view sign_of(const Token& token) {
  return drawn_of(token).signs[token.side == games::Side::second ? 1 : 0];
}

class Board {
 public:
  explicit Board(const Picture& picture)
      : picture_(picture),
        left_(picture.row_labels.empty() ? 2 : kLabel),
        top_(picture.col_labels.empty() ? 2 : kLabel) {
    std::size_t tokens = 1;
    for (const Cell& cell : picture.cells) tokens = std::max(tokens, cell.tokens.size());
    across_ = kCell * (tokens == 1 ? 1 : 0.8 * static_cast<double>(tokens));
  }

  std::string svg() {
    const double width = left_ + across_ * picture_.cols + 2;
    const double height = top_ + kCell * picture_.rows + 2;
    out_.raw(fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" class="damier-board" )"
                         R"(viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img">)",
                         report::pixels(width), report::pixels(height)));
    out_.element("title", caption());
    if (picture_.layout == Picture::Layout::points) draw_links();
    for (int row = 0; row < picture_.rows; ++row) {
      for (int col = 0; col < picture_.cols; ++col) draw_cell(row, col);
    }
    draw_labels();
    out_.raw("</svg>");
    return out_.markup();
  }

 private:
  // In words and signs.
  std::string caption() const {
    std::string rest = picture_.caption.shown(), text;
    for (const auto& pieces : picture_.caption_pieces) {
      const auto place = rest.find("{}");
      text += rest.substr(0, place);
      for (const Token& piece : pieces) text += sign_of(piece);
      rest = place == rest.npos ? "" : rest.substr(place + 2);
    }
    return text + rest;
  }

  double x_of(int col) const { return left_ + across_ * (col + 0.5); }
  double y_of(int row) const { return top_ + kCell * (row + 0.5); }

  void draw_links() {
    for (const auto& [from, to] : picture_.links) {
      out_.line(x_of(from % picture_.cols), y_of(from / picture_.cols), x_of(to % picture_.cols),
                y_of(to / picture_.cols), "rule");
    }
  }

  void draw_cell(int row, int col) {
    const Cell& cell = picture_.at(row, col);
    const double x = left_ + across_ * col, y = top_ + kCell * row;
    if (picture_.layout == Picture::Layout::cells) {
      const bool dark = picture_.chequered && cell.dark;
      const bool blocked = !cell.tokens.empty() && cell.tokens.front().role == "block";
      const bool full = cell.shade == Shade::covered || blocked;
      out_.rectangle(x, y, across_, kCell, full ? "square full" : dark ? "square dark" : "square");
    }
    if (cell.shade == Shade::highlight) {
      out_.rectangle(x + 1.5, y + 1.5, across_ - 3, kCell - 3, "last");
    }
    const double step = across_ / static_cast<double>(std::max<std::size_t>(cell.tokens.size(), 1));
    for (std::size_t i = 0; i < cell.tokens.size(); ++i) {
      if (cell.tokens[i].role.empty()) continue;
      draw_token(cell.tokens[i], x + step * (static_cast<double>(i) + 0.5), y + kCell / 2, step);
    }
  }

  void draw_token(const Token& token, double x, double y, double room) {
    const Drawn drawn = drawn_of(token);
    if (drawn.shape == Shape::none) return;
    const std::string_view tone =
        token.side ? tone_of(picture_.colours[static_cast<std::size_t>(index(*token.side))])
        : drawn.tone.empty() ? "ink"
                             : drawn.tone;
    const double half = std::min(room, kCell) / 2;
    if (drawn.shape == Shape::domino) {
      // A half reaches to where the other half lies.
      const std::string_view end =
          std::string_view(token.role).substr(std::string_view("domino-").size());
      const double gap = 2;
      const double left = x - half + (end == "right" ? 0 : gap);
      const double right = x + half - (end == "left" ? 0 : gap);
      const double top = y - half + (end == "down" ? 0 : gap);
      const double bottom = y + half - (end == "up" ? 0 : gap);
      out_.rectangle(left, top, right - left, bottom - top, tone);
      return;
    }
    const bool is_tile = drawn.shape == Shape::tile;
    if (is_tile) out_.rectangle(x - half + 1, y - half + 1, 2 * half - 2, 2 * half - 2, tone);
    const double size = kCell * (is_tile ? 0.55 : 0.72);
    out_.text(x, y + kBaseline * size, sign_of(token),
              fmt::format("{} strong", is_tile ? "on-tile" : tone), report::Anchor::middle);
  }

  void draw_labels() {
    for (std::size_t i = 0; i < picture_.row_labels.size(); ++i) {
      out_.text(left_ - 4, y_of(static_cast<int>(i)) + 3.5, picture_.row_labels[i], "label",
                report::Anchor::end);
    }
    for (std::size_t i = 0; i < picture_.col_labels.size(); ++i) {
      out_.text(x_of(static_cast<int>(i)), top_ - 4, picture_.col_labels[i], "label",
                report::Anchor::middle);
    }
  }

  const Picture& picture_;
  double left_, top_;
  double across_ = kCell;  // pixels a column
  report::SvgWriter out_;
};

}  // namespace

std::string board_drawing(const Picture& picture) { return Board(picture).svg(); }

}  // namespace damier::pages
