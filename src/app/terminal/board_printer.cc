#include "damier/app/terminal/board_printer.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "damier/app/terminal/piece_marks.h"
#include "damier/base/text/language.h"
#include "damier/base/text/text.h"

namespace damier::app {

namespace {

using games::Cell;
using games::Picture;
using games::Shade;
using games::Token;

// Characters at rows and columns, each in its own colour; printed line by line.
class Canvas {
 public:
  Canvas(int rows, int cols, const Look& look)
      : cols_(cols), look_(look), spots_(static_cast<std::size_t>(rows * cols)) {}

  void put(int row, int col, std::string_view glyph, std::string codes = {}) {
    Spot& spot = spots_[static_cast<std::size_t>(row * cols_ + col)];
    spot.glyph = std::string(glyph);
    spot.codes = std::move(codes);
  }

  // ASCII text, one spot a character.
  void write(int row, int col, std::string_view text, const std::string& codes = {}) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      put(row, col + static_cast<int>(i), text.substr(i, 1), codes);
    }
  }

  std::string text() const {
    std::string out;
    for (std::size_t start = 0; start < spots_.size(); start += static_cast<std::size_t>(cols_)) {
      std::string line, codes;
      for (std::size_t i = start; i < start + static_cast<std::size_t>(cols_); ++i) {
        const Spot& spot = spots_[i];
        if (look_.colour && spot.codes != codes) {
          line += spot.codes.empty() ? "\x1b[0m" : fmt::format("\x1b[0;{}m", spot.codes);
          codes = spot.codes;
        }
        line += spot.glyph;
      }
      if (!codes.empty()) line += "\x1b[0m";
      const auto end = line.find_last_not_of(' ');
      out += line.substr(0, end == line.npos ? 0 : end + 1) + "\n";
    }
    return out;
  }

 private:
  struct Spot {
    std::string glyph = " ";
    std::string codes;
  };

  int cols_;
  const Look& look_;
  std::vector<Spot> spots_;
};

constexpr int kMargin = 2;

// What stands on a cell: its pieces, or a sign of its own where there are none. Where no lines show
// it, an empty cell is seen by a dot.
std::vector<PieceMark> marks_of(const Picture& picture, const Cell& cell, const Look& look,
                                bool has_lines) {
  std::vector<PieceMark> marks;
  for (const Token& token : cell.tokens) marks.push_back(mark_of(token, picture.colours, look));
  const bool is_empty = std::all_of(cell.tokens.begin(), cell.tokens.end(),
                                    [](const Token& token) { return token.role.empty(); });
  if (!is_empty) return marks;
  const auto sign = [&]() -> std::string {
    if (cell.shade == Shade::covered) return look.unicode ? "■" : "#";
    if (!cell.label.empty()) return cell.label;
    // Diagonals can be followed by the dark squares.
    if (has_lines && !(picture.chequered && cell.dark)) return "";
    return look.unicode ? "·" : ".";
  }();
  if (sign.empty()) return marks;
  marks.resize(std::max<std::size_t>(1, marks.size()), {.sign = " "});
  marks.front() = {.sign = sign, .codes = colour_codes(Ink::faint)};
  return marks;
}

// The last move is underlined where no brackets stand around it: that shows on any background.
std::string codes_of(const PieceMark& mark, bool is_last) {
  if (!is_last || mark.is_tile) return mark.codes;
  return mark.codes + (mark.codes.empty() ? "4" : ";4");
}

int widest(const std::vector<std::string>& labels) {
  std::size_t width = 0;
  for (const std::string& label : labels) width = std::max(width, label.size());
  return static_cast<int>(width);
}

// Points joined by lines: five characters between neighbours, two lines between rows.
std::string points_text(const Picture& picture, const Look& look, int columns) {
  constexpr int kAcross = 6, kDown = 3;
  const int width = kMargin + kAcross * (picture.cols - 1) + 1;
  if (width > columns) {
    return tr_format("the board needs {} columns; the terminal has {}", width, columns) + "\n";
  }
  Canvas canvas(kDown * (picture.rows - 1) + 1, width, look);
  const std::string faint = colour_codes(Ink::faint);
  for (const auto& [from, to] : picture.links) {
    const int row = from / picture.cols, col = from % picture.cols;
    const int down = to / picture.cols - row, across = to % picture.cols - col;
    const int y = kDown * row, x = kMargin + kAcross * col;
    if (down == 0) {
      for (int i = 1; i < kAcross; ++i) canvas.put(y, x + i, look.unicode ? "─" : "-", faint);
      continue;
    }
    const char* stroke = across == 0  ? (look.unicode ? "│" : "|")
                         : across > 0 ? (look.unicode ? "╲" : "\\")
                                      : (look.unicode ? "╱" : "/");
    for (int i = 1; i < kDown; ++i) {
      canvas.put(y + i, x + across * i * kAcross / kDown, stroke, faint);
    }
  }
  for (int row = 0; row < picture.rows; ++row) {
    for (int col = 0; col < picture.cols; ++col) {
      const Cell& cell = picture.at(row, col);
      const auto marks = marks_of(picture, cell, look, true);
      if (marks.empty()) continue;
      canvas.put(kDown * row, kMargin + kAcross * col, marks.front().sign,
                 codes_of(marks.front(), cell.shade == Shade::highlight));
    }
  }
  return canvas.text();
}

// How much room a grid takes: with lines between its cells if it has them; without; without gaps.
enum class Spacing { roomy, close, tight };

// Where the cells of a grid lie on the canvas.
struct GridPlan {
  GridPlan(const Picture& picture, Spacing spacing, const Look& look)
      : ruled(picture.ruled && spacing == Spacing::roomy),
        stacked(spacing != Spacing::roomy),
        label_width(widest(picture.row_labels)) {
    int tokens = 1;
    for (const Cell& cell : picture.cells) {
      tokens = std::max(tokens, static_cast<int>(cell.tokens.size()));
      for (const Token& token : cell.tokens) {
        tiles = tiles || mark_of(token, picture.colours, look).is_tile;
      }
    }
    tiles = tiles && spacing == Spacing::roomy;
    // Cells with several tokens are told apart by a gap.
    const bool gaps = spacing == Spacing::roomy || (spacing == Spacing::close && tokens == 1);
    pitch = tiles ? 3 : gaps ? 2 : 1;
    if (ruled) {
      inner = pitch * tokens + (tiles ? 2 : 1);
    } else if (stacked) {
      inner = pitch * tokens + (tokens > 1 ? 1 : 0);
    } else {
      inner = std::max(pitch * tokens, widest(picture.col_labels) + 1);
    }
    step = ruled ? inner + 1 : inner;
    left = kMargin + label_width + 1;
    top = picture.col_labels.empty() ? 0 : stacked ? widest(picture.col_labels) : 1;
    height = top + (ruled ? 2 * picture.rows + 1 : picture.rows);
    width = left + step * picture.cols + (ruled ? 1 : 0);
  }

  int row_of(int row) const { return top + (ruled ? 2 * row + 1 : row); }
  int col_of(int col) const { return left + step * col + (ruled ? 1 : 0); }

  bool ruled;
  bool stacked;        // a column's label goes downwards
  bool tiles = false;  // some pieces have bodies
  int label_width;
  int pitch = 2;  // columns from one token of a cell to the next
  int inner = 0;  // columns of a cell
  int step = 0;
  int left = 0;
  int top = 0;
  int height = 0;
  int width = 0;
};

void draw_rules(Canvas& canvas, const Picture& picture, const GridPlan& plan, const Look& look) {
  const std::string faint = colour_codes(Ink::faint);
  const auto corner = [&](int row, int col) -> std::string_view {
    if (!look.unicode) return "+";
    constexpr std::string_view kCorners[3][3] = {{"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}};
    const int down = row == 0 ? 0 : row == picture.rows ? 2 : 1;
    const int across = col == 0 ? 0 : col == picture.cols ? 2 : 1;
    return kCorners[down][across];
  };
  for (int row = 0; row <= picture.rows; ++row) {
    const int y = plan.top + 2 * row;
    for (int col = 0; col <= picture.cols; ++col) {
      const int x = plan.left + plan.step * col;
      canvas.put(y, x, corner(row, col), faint);
      if (row < picture.rows) canvas.put(y + 1, x, look.unicode ? "│" : "|", faint);
      if (col == picture.cols) continue;
      for (int i = 1; i <= plan.inner; ++i) canvas.put(y, x + i, look.unicode ? "─" : "-", faint);
    }
  }
}

void draw_cell(Canvas& canvas, const Picture& picture, const Cell& cell, const GridPlan& plan,
               int y, int x, const Look& look) {
  if (plan.ruled && cell.shade == Shade::highlight) {
    const std::string codes = colour_codes(Ink::mark, true);
    canvas.put(y, x, "[", codes);
    canvas.put(y, x + plan.inner - 1, "]", codes);
  }
  const bool is_last = !plan.ruled && cell.shade == Shade::highlight;
  int at = x + (plan.ruled ? plan.pitch - 1 : 0);
  for (const PieceMark& mark : marks_of(picture, cell, look, plan.ruled)) {
    const std::string codes = codes_of(mark, is_last);
    canvas.put(y, at, mark.sign, codes);
    if (plan.tiles && mark.is_tile) {
      canvas.put(y, at - 1, " ", codes);
      canvas.put(y, at + 1, " ", codes);
    }
    if (!mark.joint.empty() && plan.pitch > 1) canvas.put(y, at + 1, mark.joint, codes);
    at += plan.pitch;
  }
}

void draw_column_label(Canvas& canvas, const std::string& label, const GridPlan& plan, int col) {
  const std::string faint = colour_codes(Ink::faint);
  const int x = plan.col_of(col) + (plan.ruled ? plan.inner / 2 : 0);
  if (!plan.stacked) return canvas.write(0, x, label, faint);
  const int first = plan.top - static_cast<int>(label.size());
  for (std::size_t i = 0; i < label.size(); ++i) {
    canvas.write(first + static_cast<int>(i), x, label.substr(i, 1), faint);
  }
}

std::string grid_text(const Picture& picture, const GridPlan& plan, const Look& look) {
  Canvas canvas(plan.height, plan.width, look);
  const std::string faint = colour_codes(Ink::faint);
  if (plan.ruled) draw_rules(canvas, picture, plan, look);
  for (std::size_t col = 0; col < picture.col_labels.size(); ++col) {
    draw_column_label(canvas, picture.col_labels[col], plan, static_cast<int>(col));
  }
  for (int row = 0; row < picture.rows; ++row) {
    if (!picture.row_labels.empty()) {
      const std::string& label = picture.row_labels[static_cast<std::size_t>(row)];
      canvas.write(plan.row_of(row), plan.left - 1 - static_cast<int>(label.size()), label, faint);
    }
    for (int col = 0; col < picture.cols; ++col) {
      const Cell& cell = picture.at(row, col);
      draw_cell(canvas, picture, cell, plan, plan.row_of(row), plan.col_of(col), look);
    }
  }
  return canvas.text();
}

// The columns from `first` on, `count` of them.
Picture part_of(const Picture& picture, int first, int count) {
  Picture part = picture;
  part.cols = count;
  part.cells.clear();
  part.col_labels.clear();
  for (int row = 0; row < picture.rows; ++row) {
    for (int col = first; col < first + count; ++col) part.cells.push_back(picture.at(row, col));
  }
  if (picture.col_labels.empty()) return part;
  const auto labels = picture.col_labels.begin() + first;
  part.col_labels.assign(labels, labels + count);
  return part;
}

// As roomy as the columns allow; in parts, one below the other, where not even the tightest fits.
std::string fitting_grid(const Picture& picture, const Look& look, int columns) {
  for (const Spacing spacing : {Spacing::roomy, Spacing::close, Spacing::tight}) {
    const GridPlan plan(picture, spacing, look);
    if (plan.width <= columns) return grid_text(picture, plan, look);
  }
  const GridPlan whole(picture, Spacing::tight, look);
  const int most = std::max(1, (columns - whole.left) / whole.step);
  const int parts = (picture.cols + most - 1) / most;
  std::string text;
  for (int i = 0; i < parts; ++i) {
    const int first = picture.cols * i / parts, end = picture.cols * (i + 1) / parts;
    const Picture part = part_of(picture, first, end - first);
    text += grid_text(part, GridPlan(part, Spacing::tight, look), look) + "\n";
  }
  return text + std::string(kMargin, ' ') +
         tr_format("in parts: the whole board needs {} columns", whole.width) + "\n";
}

// The colour codes of a square and what stands on it.
std::string square_codes(const Cell& cell) {
  const Token piece = cell.tokens.empty() ? Token{} : cell.tokens.front();
  const bool checked = piece.state == "checked";
  const bool marked = cell.shade == Shade::highlight;
  const char* ground = checked     ? "160"
                       : cell.dark ? (marked ? "107" : "137")
                                   : (marked ? "150" : "180");
  const bool dark = piece.side == games::Side::second && !checked;
  return fmt::format("38;5;{};48;5;{};1", dark ? "16" : "231", ground);
}

constexpr int kSquare = 3;

int chequered_width(const Picture& picture) {
  return kMargin + widest(picture.row_labels) + 1 + kSquare * picture.cols;
}

// Light and dark squares of three columns, without lines.
std::string chequered_text(const Picture& picture, const Look& look) {
  const int left = kMargin + widest(picture.row_labels) + 1;
  Canvas canvas(picture.rows + 1, chequered_width(picture), look);
  const std::string faint = colour_codes(Ink::faint);
  for (int col = 0; col < picture.cols; ++col) {
    canvas.write(0, left + kSquare * col + 1, picture.col_labels[static_cast<std::size_t>(col)],
                 faint);
  }
  for (int row = 0; row < picture.rows; ++row) {
    const std::string& label = picture.row_labels[static_cast<std::size_t>(row)];
    canvas.write(row + 1, kMargin, label, faint);
    for (int col = 0; col < picture.cols; ++col) {
      const Cell& cell = picture.at(row, col);
      const std::string codes = square_codes(cell);
      const int x = left + kSquare * col;
      for (int i = 0; i < kSquare; ++i) canvas.put(row + 1, x + i, " ", codes);
      if (cell.tokens.empty()) continue;
      canvas.put(row + 1, x + 1, mark_of(cell.tokens.front(), picture.colours, look).sign, codes);
    }
  }
  return canvas.text();
}

}  // namespace

std::string board_text(const Picture& picture, const Look& look, int columns) {
  const bool chequered = picture.chequered && look.colour && chequered_width(picture) <= columns;
  const std::string text = picture.layout == Picture::Layout::points
                               ? points_text(picture, look, columns)
                           : chequered ? chequered_text(picture, look)
                                       : fitting_grid(picture, look, columns);
  return text + caption_text(picture, look);
}

std::string caption_text(const Picture& picture, const Look& look) {
  if (picture.caption.empty()) return "";
  std::string rest = picture.caption.shown(), text;
  for (const auto& pieces : picture.caption_pieces) {
    const auto place = rest.find("{}");
    text += rest.substr(0, place);
    for (const Token& piece : pieces) text += mark_of(piece, picture.colours, look).sign;
    rest = place == rest.npos ? "" : rest.substr(place + 2);
  }
  return std::string(kMargin, ' ') + painted(look, Ink::faint, text + rest) + "\n";
}

std::string cell_text(const Picture& picture, const Cell& cell, const Look& look) {
  const auto marks = marks_of(picture, cell, look, false);
  if (marks.empty()) return " ";
  return look.colour && !marks.front().codes.empty()
             ? fmt::format("\x1b[{}m{}\x1b[0m", marks.front().codes, marks.front().sign)
             : marks.front().sign;
}

Picture turned(Picture picture) {
  std::reverse(picture.cells.begin(), picture.cells.end());
  std::reverse(picture.row_labels.begin(), picture.row_labels.end());
  std::reverse(picture.col_labels.begin(), picture.col_labels.end());
  const int last = static_cast<int>(picture.cells.size()) - 1;
  for (auto& [from, to] : picture.links) from = last - from, to = last - to;
  return picture;
}

}  // namespace damier::app
