#include "damier/app/terminal/board_printer.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "damier/app/terminal/piece_marks.h"
#include "damier/base/text/language.h"

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
  const bool is_empty = std::ranges::all_of(cell.tokens, &std::string::empty, &Token::role);
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

// How much room a grid takes: light and dark squares of three columns; cells with lines between
// them if the picture has them; without lines; without gaps.
enum class Spacing { chequered, roomy, close, tight };

class Grid {
 public:
  Grid(const Picture& picture, Spacing spacing, const Look& look)
      : picture_(picture),
        look_(look),
        chequered_(spacing == Spacing::chequered),
        ruled_(picture.ruled && spacing == Spacing::roomy),
        stacked_(spacing == Spacing::close || spacing == Spacing::tight),
        left_(kMargin + widest(picture.row_labels) + 1) {
    int tokens = 1;
    for (const Cell& cell : picture.cells) {
      tokens = std::max(tokens, static_cast<int>(cell.tokens.size()));
      for (const Token& token : cell.tokens) tiles_ = tiles_ || mark_of(token).is_tile;
    }
    tiles_ = tiles_ && spacing == Spacing::roomy;
    // Cells with several tokens are told apart by a gap.
    const bool gaps = spacing == Spacing::roomy || (spacing == Spacing::close && tokens == 1);
    pitch_ = tiles_ ? 3 : gaps ? 2 : 1;
    inner_ = chequered_ ? 3
             : ruled_   ? pitch_ * tokens + (tiles_ ? 2 : 1)
             : stacked_ ? pitch_ * tokens + (tokens > 1 ? 1 : 0)
                        : std::max(pitch_ * tokens, widest(picture.col_labels) + 1);
    step_ = ruled_ ? inner_ + 1 : inner_;
    top_ = picture.col_labels.empty() ? 0 : stacked_ ? widest(picture.col_labels) : 1;
  }

  int width() const { return left_ + step_ * picture_.cols + (ruled_ ? 1 : 0); }
  // How many columns of the board fit.
  int fitting(int columns) const { return std::max(1, (columns - left_) / step_); }

  std::string text() const {
    Canvas canvas(top_ + (ruled_ ? 2 * picture_.rows + 1 : picture_.rows), width(), look_);
    if (ruled_) draw_rules(canvas);
    for (std::size_t col = 0; col < picture_.col_labels.size(); ++col) {
      draw_column_label(canvas, picture_.col_labels[col], col_of(static_cast<int>(col)));
    }
    for (int row = 0; row < picture_.rows; ++row) {
      const int y = top_ + (ruled_ ? 2 * row + 1 : row);
      if (!picture_.row_labels.empty()) {
        const std::string& label = picture_.row_labels[static_cast<std::size_t>(row)];
        canvas.write(y, left_ - 1 - static_cast<int>(label.size()), label, faint_);
      }
      for (int col = 0; col < picture_.cols; ++col) {
        draw_cell(canvas, picture_.at(row, col), y, col_of(col));
      }
    }
    return canvas.text();
  }

 private:
  PieceMark mark_of(const Token& token) const {
    return app::mark_of(token, picture_.colours, look_);
  }
  int col_of(int col) const { return left_ + step_ * col + (ruled_ ? 1 : 0); }

  void draw_rules(Canvas& canvas) const {
    const auto corner = [&](int row, int col) -> std::string_view {
      if (!look_.unicode) return "+";
      constexpr std::string_view kCorners[3][3] = {
          {"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}};
      const int down = row == 0 ? 0 : row == picture_.rows ? 2 : 1;
      const int across = col == 0 ? 0 : col == picture_.cols ? 2 : 1;
      return kCorners[down][across];
    };
    for (int row = 0; row <= picture_.rows; ++row) {
      const int y = top_ + 2 * row;
      for (int col = 0; col <= picture_.cols; ++col) {
        const int x = left_ + step_ * col;
        canvas.put(y, x, corner(row, col), faint_);
        if (row < picture_.rows) canvas.put(y + 1, x, look_.unicode ? "│" : "|", faint_);
        for (int i = 1; i <= inner_ && col < picture_.cols; ++i) {
          canvas.put(y, x + i, look_.unicode ? "─" : "-", faint_);
        }
      }
    }
  }

  void draw_cell(Canvas& canvas, const Cell& cell, int y, int x) const {
    if (chequered_) {
      const std::string codes = square_codes(cell);
      canvas.write(y, x, "   ", codes);
      if (!cell.tokens.empty()) canvas.put(y, x + 1, mark_of(cell.tokens.front()).sign, codes);
      return;
    }
    if (ruled_ && cell.shade == Shade::highlight) {
      const std::string codes = colour_codes(Ink::mark, true);
      canvas.put(y, x, "[", codes);
      canvas.put(y, x + inner_ - 1, "]", codes);
    }
    const bool is_last = !ruled_ && cell.shade == Shade::highlight;
    int at = x + (ruled_ ? pitch_ - 1 : 0);
    for (const PieceMark& mark : marks_of(picture_, cell, look_, ruled_)) {
      const std::string codes = codes_of(mark, is_last);
      canvas.put(y, at, mark.sign, codes);
      if (tiles_ && mark.is_tile) {
        canvas.put(y, at - 1, " ", codes);
        canvas.put(y, at + 1, " ", codes);
      }
      if (!mark.joint.empty() && pitch_ > 1) canvas.put(y, at + 1, mark.joint, codes);
      at += pitch_;
    }
  }

  void draw_column_label(Canvas& canvas, const std::string& label, int x) const {
    if (!stacked_)
      return canvas.write(0, x + (ruled_ || chequered_ ? inner_ / 2 : 0), label, faint_);
    const int first = top_ - static_cast<int>(label.size());
    for (std::size_t i = 0; i < label.size(); ++i) {
      canvas.write(first + static_cast<int>(i), x, label.substr(i, 1), faint_);
    }
  }

  const Picture& picture_;
  const Look& look_;
  const std::string faint_ = colour_codes(Ink::faint);
  bool chequered_;
  bool ruled_;
  bool stacked_;        // a column's label goes downwards
  bool tiles_ = false;  // some pieces have bodies
  int left_;
  int top_ = 0;
  int pitch_ = 2;  // columns from one token of a cell to the next
  int inner_ = 0;  // columns of a cell
  int step_ = 0;
};

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
  for (const Spacing spacing :
       {Spacing::chequered, Spacing::roomy, Spacing::close, Spacing::tight}) {
    if (spacing == Spacing::chequered && !(picture.chequered && look.colour)) continue;
    const Grid grid(picture, spacing, look);
    if (grid.width() <= columns) return grid.text();
  }
  const Grid whole(picture, Spacing::tight, look);
  const int most = whole.fitting(columns), parts = (picture.cols + most - 1) / most;
  std::string text;
  for (int i = 0; i < parts; ++i) {
    const int first = picture.cols * i / parts, end = picture.cols * (i + 1) / parts;
    text += Grid(part_of(picture, first, end - first), Spacing::tight, look).text() + "\n";
  }
  return text + std::string(kMargin, ' ') +
         tr_format("in parts: the whole board needs {} columns", whole.width()) + "\n";
}

}  // namespace

std::string board_text(const Picture& picture, const Look& look, int columns) {
  const std::string text = picture.layout == Picture::Layout::points
                               ? points_text(picture, look, columns)
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
  std::ranges::reverse(picture.cells);
  std::ranges::reverse(picture.row_labels);
  std::ranges::reverse(picture.col_labels);
  const int last = static_cast<int>(picture.cells.size()) - 1;
  for (auto& [from, to] : picture.links) from = last - from, to = last - to;
  return picture;
}

}  // namespace damier::app
