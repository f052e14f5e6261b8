#include "damier/report/text.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/columns.h"
#include "damier/base/text/text.h"
#include "damier/report/plot/axis.h"

namespace damier::report {

namespace {

// A grid of dots, `dots_wide` x `dots_high` of them in each character.
class CurveCanvas {
 public:
  CurveCanvas(int columns, int rows, bool unicode)
      : columns_(columns),
        rows_(rows),
        wide_(unicode ? 2 : 1),
        high_(unicode ? 4 : 1),
        unicode_(unicode),
        cells_(static_cast<std::size_t>(columns * rows)) {}

  int width() const { return columns_ * wide_; }
  int height() const { return rows_ * high_; }

  void set(int x, int y) {  // from the lower left
    if (x < 0 || x >= width() || y < 0 || y >= height()) return;
    const int down = height() - 1 - y;
    constexpr unsigned char kDots[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    cells_[static_cast<std::size_t>(down / high_ * columns_ + x / wide_)] |=
        unicode_ ? kDots[down % 4][x % 2] : 1;
  }

  std::string row(int row) const {
    std::string text;
    for (int column = 0; column < columns_; ++column) {
      const unsigned cell = cells_[static_cast<std::size_t>(row * columns_ + column)];
      if (cell == 0) {
        text += ' ';
      } else if (!unicode_) {
        text += '*';
      } else {  // U+2800 and the dots, as UTF-8
        text += '\xE2';
        text += static_cast<char>(0xA0 | cell >> 6);
        text += static_cast<char>(0x80 | (cell & 0x3F));
      }
    }
    return text;
  }

 private:
  int columns_, rows_, wide_, high_;
  bool unicode_;
  std::vector<unsigned> cells_;
};

class TextPage {
 public:
  explicit TextPage(const TextStyle& style) : style_(style) {}

  std::string page(const Page& page) {
    line(style_.strong(printable(page.title)));
    if (!page.subtitle.empty()) wrapped(printable(page.subtitle));
    if (!page.facts.empty()) wrapped(printable(join(page.facts, ", ")));
    if (!page.lead.empty()) wrapped("\n  " + printable(page.lead));
    if (!page.sections.empty() && page.sections.front().heading.empty()) line("");
    for (const Section& section : page.sections) {
      heading_ = section.heading;
      for (const Block& block : section.blocks) std::visit(*this, block);
    }
    return std::move(out_);
  }

  void operator()(const Paragraph& paragraph) { indented(paragraph.text); }
  void operator()(const BulletList& list) {
    for (const std::string& item : list.items) indented("- " + item);
  }
  void operator()(const KeyNumbers& block) {
    for (const KeyNumber& number : block.numbers) {
      indented(fmt::format("{}  {} ({})", number.value, number.label, number.detail));
    }
  }
  void operator()(const Preformatted&) {}
  void operator()(const Diagrams&) {}
  // The names in one column.
  void operator()(const Facts& block) {
    std::size_t widest = 0;
    for (const auto& [name, value] : block.facts) widest = std::max(widest, name.size());
    for (const auto& [name, value] : block.facts) {
      const std::string fact = fmt::format("{:<{}}  {}", printable(name), widest, printable(value));
      if (block.whole_lines) {
        begin();
        line("  " + fact);
      } else {
        indented(fact);
      }
    }
  }
  void operator()(const PageTable& block) {
    std::string text = plain_text(block.table);
    text.resize(text.find_last_not_of('\n') + 1);
    for (const std::string_view row : split(text, '\n')) indented(row);
  }
  void operator()(const PageFigure& block) {
    const auto* chart = std::get_if<LineChart>(&block.figure.chart);
    if (chart == nullptr) return;
    for (const Curve& one : chart->curves) curve(one, *chart);
  }

 private:
  void line(std::string_view text) { out_ += std::string(text) + "\n"; }
  // Broken between words.
  void wrapped(const std::string& text) { out_ += LineWrapper().add(text + "\n", style_.columns); }
  // A section that has nothing to say has no heading.
  void begin() {
    if (!heading_.empty()) line("\n" + style_.strong(heading_));
    heading_.clear();
  }
  void indented(std::string_view text) {
    begin();
    wrapped(text.empty() ? "" : fmt::format("  {}", text));
  }

  // One point is a figure, and so are points that all have the same value.
  void curve(const Curve& curve, const LineChart& chart) {
    constexpr int kMaxWidth = 72, kHeight = 5;
    std::vector<std::pair<double, double>> points;
    for (const CurvePoint& point : curve.points) points.emplace_back(point.x, point.y);
    if (points.empty()) return;
    begin();
    std::string step = chart.x.label;  // "Epoch"
    if (!step.empty()) step[0] = static_cast<char>(std::tolower(step[0]));
    const auto figure = [&](double value) {
      return fmt::format("{:.4g}{}", value, chart.y.unit.empty() ? "" : " " + chart.y.unit);
    };
    const auto same = [&](const auto& point) { return point.second == points.front().second; };
    const std::string name = printable(curve.name), first = figure(points.front().second);
    if (points.size() == 1) {
      return line(fmt::format("  {}: {} after {} {:g}", name, first, step, points[0].first));
    }
    const std::string steps = counted(points.size(), step);
    if (std::ranges::all_of(points, same)) {
      return line(fmt::format("  {}: {} in all of {}", name, first, steps));
    }
    line(fmt::format("  {}: {} to {} in {}", name, first, figure(points.back().second), steps));
    const int width = std::min(kMaxWidth, style_.columns - 2);
    for (const auto& row : curve_text(points, width, kHeight, style_.unicode)) line("  " + row);
  }

  const TextStyle& style_;
  std::string heading_;  // of the section at hand, until something is said in it
  std::string out_;
};

}  // namespace

std::string text(const Page& page, const TextStyle& style) { return TextPage(style).page(page); }

std::vector<std::string> curve_text(const std::vector<std::pair<double, double>>& all, int width,
                                    int height, bool unicode) {
  auto points = all;
  std::erase_if(points, [](const auto& point) {
    return !std::isfinite(point.first) || !std::isfinite(point.second);
  });
  if (points.empty() || width < 1 || height < 1) return {};
  Range x, y;
  for (const auto& [px, py] : points) {
    x.include(px);
    y.include(py);
  }
  const std::string top = fmt::format("{:.4g}", y.high), bottom = fmt::format("{:.4g}", y.low);
  const int label = static_cast<int>(std::max(top.size(), bottom.size()));
  const int columns = std::max(1, width - label - 2);
  CurveCanvas canvas(columns, height, unicode);
  // The middle of a range without extent.
  const auto part = [](const Range& range, double value) {
    return range.high > range.low ? range.share(value, false) : 0.5;
  };
  const auto place = [&](const std::pair<double, double>& point) {
    return std::pair(part(x, point.first) * (canvas.width() - 1),
                     part(y, point.second) * (canvas.height() - 1));
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [x1, y1] = place(points[i]);
    const auto [x0, y0] = place(points[i == 0 ? 0 : i - 1]);
    const int steps = static_cast<int>(std::ceil(std::max(std::abs(x1 - x0), std::abs(y1 - y0))));
    for (int k = 0; k <= steps; ++k) {
      const double share = steps == 0 ? 1 : static_cast<double>(k) / steps;
      canvas.set(static_cast<int>(std::lround(x0 + share * (x1 - x0))),
                 static_cast<int>(std::lround(y0 + share * (y1 - y0))));
    }
  }
  std::vector<std::string> lines;
  const char* const wall = unicode ? "│" : "|";
  for (int row = 0; row < height; ++row) {
    const std::string& text = row == 0 ? top : row == height - 1 ? bottom : "";
    std::string line = fmt::format("{:>{}} {}{}", text, label, wall, canvas.row(row));
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
  }
  const std::string left = fmt::format("{:.6g}", x.low), right = fmt::format("{:.6g}", x.high);
  const int space = std::max(1, columns - static_cast<int>(left.size() + right.size()));
  lines.push_back(fmt::format("{:>{}}{}{:>{}}{}", "", label + 2, left, "", space, right));
  return lines;
}

}  // namespace damier::report
