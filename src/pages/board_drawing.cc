#include "damier/pages/board_drawing.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/report/svg.h"

namespace damier::pages {

namespace {

using games::Cell;
using games::Ink;
using games::Picture;
using games::Shade;
using games::Token;

constexpr double kCell = 22;        // pixels a side
constexpr double kLabel = 14;       // for a label beside the board
constexpr double kBaseline = 0.36;  // of the type's size, below the middle

std::string_view ink_class(Ink ink) {
  switch (ink) {
    case Ink::first:
    case Ink::blue:
    case Ink::one:
    case Ink::four:
      return "tone0";
    case Ink::second:
    case Ink::orange:
    case Ink::red:
    case Ink::alert:
    case Ink::three:
    case Ink::five:
      return "tone1";
    case Ink::green:
    case Ink::two:
    case Ink::six:
      return "tone2";
    case Ink::purple:
      return "tone3";
    case Ink::yellow:
    case Ink::mark:
      return "tone4";
    case Ink::faint:
    case Ink::eight:
      return "faint";
    case Ink::plain:
    case Ink::seven:
      return "ink";
  }
  return "ink";
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
    out_.element("title", picture_.caption.shown());
    if (picture_.layout == Picture::Layout::points) draw_links();
    for (int row = 0; row < picture_.rows; ++row) {
      for (int col = 0; col < picture_.cols; ++col) draw_cell(row, col);
    }
    draw_labels();
    out_.raw("</svg>");
    return out_.markup();
  }

 private:
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
      const bool full = cell.shade == Shade::covered;
      out_.rectangle(x, y, across_, kCell, full ? "square full" : dark ? "square dark" : "square");
    }
    if (cell.shade == Shade::highlight) {
      out_.rectangle(x + 1.5, y + 1.5, across_ - 3, kCell - 3, "last");
    }
    const double step = across_ / static_cast<double>(std::max<std::size_t>(cell.tokens.size(), 1));
    for (std::size_t i = 0; i < cell.tokens.size(); ++i) {
      draw_token(cell.tokens[i], x + step * (static_cast<double>(i) + 0.5), y + kCell / 2, step);
    }
  }

  void draw_token(const Token& token, double x, double y, double room) {
    const double size = kCell * (token.tile ? 0.55 : 0.72);
    if (token.tile) {
      const double side = std::min(room, kCell) - 2;
      out_.rectangle(x - side / 2, y - side / 2, side, side, ink_class(token.ink));
    }
    const std::string classes = fmt::format("{}{}", token.tile ? "on-tile" : ink_class(token.ink),
                                            token.strong ? " strong" : "");
    out_.text(x, y + kBaseline * size, token.glyph, classes, report::Anchor::middle);
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
