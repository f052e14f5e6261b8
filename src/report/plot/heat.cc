// Heat maps. Colours come from a ramp of kRampSteps classes, because the style sheet must be able
// to turn the whole ramp round for a dark page; the numbers in the cells carry the exact values.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/language.h"
#include "damier/report/plot/frame.h"

namespace damier::report {

namespace {

constexpr double kBarWidth = 14;
constexpr double kLineHeight = 14;

struct Layout {
  double left = 0, top = 28, right = 0, bottom = 0;
  double cell_width = 0, cell_height = 0;
  double bar_left = 0;
};

// Which step of the ramp a value has; a ramp with a middle is even about it.
class Ramp {
 public:
  Ramp(const HeatMap& chart, Range range) : middle_(chart.middle) {
    for (const auto& end : {chart.color.low, chart.color.high}) {
      if (end && drawable(chart.color, *end)) range.include(*end);
    }
    logarithmic_ = chart.color.scale == Scale::logarithmic && !middle_;
    if (range.empty()) range = logarithmic_ ? Range{1, 10} : Range{0, 1};
    if (middle_) {
      const double reach =
          std::max(std::abs(range.high - *middle_), std::abs(range.low - *middle_));
      range = {*middle_ - reach, *middle_ + reach};
    }
    const double size = std::max(std::abs(range.low), std::abs(range.high));
    if (range.high - range.low <= size * 1e-12) {
      const double room = size > 0 ? 0.1 * size : 1;
      range = logarithmic_ ? Range{range.low / 2, range.high * 2}
                           : Range{range.low - room, range.high + room};
    }
    range_ = range;
  }

  double fraction(double value) const { return range_.share(value, logarithmic_); }
  int step(double value) const {
    const double place = std::floor(fraction(value) * kRampSteps);
    return static_cast<int>(std::clamp(place, 0.0, kRampSteps - 1.0));
  }
  std::string fill(int step) const { return fmt::format("{}{}", middle_ ? 'd' : 'q', step); }
  std::string ink(double value) const {
    return fmt::format("{}{}", middle_ ? "dt" : "qt", step(value));
  }
  const Range& range() const { return range_; }

 private:
  std::optional<double> middle_;
  bool logarithmic_ = false;
  Range range_;
};

Layout lay_out(const HeatMap& chart, double bar_labels) {
  constexpr double kMaxForNames = 170;
  Layout layout;
  layout.left = std::min(widest(chart.rows, kTickSize), kMaxForNames) + 12;
  const double columns = static_cast<double>(std::max<std::size_t>(chart.columns.size(), 1));
  const double rows = static_cast<double>(std::max<std::size_t>(chart.rows.size(), 1));
  const double room = kFigureWidth - layout.left - 26 - kBarWidth - 8 - bar_labels;
  layout.cell_width = std::min(room / columns, chart.square_cells ? 52.0 : 130.0);
  constexpr double kMaxHeight = 520;
  layout.cell_height =
      chart.square_cells ? layout.cell_width : std::clamp(layout.cell_width * 0.6, 18.0, 40.0);
  layout.cell_height = std::min(layout.cell_height, kMaxHeight / rows);
  if (chart.square_cells) layout.cell_width = layout.cell_height;
  layout.right = layout.left + columns * layout.cell_width;
  layout.bottom = layout.top + rows * layout.cell_height;
  layout.bar_left = layout.right + 26;
  return layout;
}

void draw_row_names(SvgWriter& svg, const HeatMap& chart, const Layout& layout) {
  const std::size_t stride = name_stride(kLineHeight, layout.cell_height);
  svg.begin_group("tick");
  for (std::size_t i = 0; i < chart.rows.size(); i += stride) {
    const double y = layout.top + (static_cast<double>(i) + 0.5) * layout.cell_height;
    svg.text(layout.left - 8, y + 4, shortened(chart.rows[i], layout.left - 10, kTickSize), "",
             Anchor::end);
  }
  svg.end_group();
}

// Returns the height that the names took.
double draw_column_names(SvgWriter& svg, const HeatMap& chart, const Layout& layout) {
  const double width = widest(chart.columns, kTickSize);
  const bool short_names = width <= 40;
  const bool fits = width + 4 <= layout.cell_width;
  // Short names (a, b, c …, 1, 2, 3 …) are thinned out, long ones are turned.
  const double needed = short_names ? width + 8 : 16;
  const std::size_t stride = fits ? 1 : name_stride(needed, layout.cell_width);
  double used = 20;
  svg.begin_group("tick");
  for (std::size_t i = 0; i < chart.columns.size(); i += stride) {
    const double x = layout.left + (static_cast<double>(i) + 0.5) * layout.cell_width;
    if (fits || short_names) {
      svg.text(x, layout.bottom + 17, chart.columns[i], "", Anchor::middle);
      continue;
    }
    const std::string name = shortened(chart.columns[i], std::min(130.0, (x - 2) * 1.2), kTickSize);
    used = std::max(used, 14 + 0.58 * text_width(name, kTickSize));
    svg.turned_text(x + 4, layout.bottom + 14, -35, name, "", Anchor::end);
  }
  svg.end_group();
  return used;
}

void draw_color_bar(SvgWriter& svg, const HeatMap& chart, const Layout& layout, const Ramp& ramp,
                    const AxisScale& scale) {
  constexpr double kMinHeight = 90;
  const double bottom = std::max(layout.bottom, layout.top + kMinHeight);
  const double height = bottom - layout.top;
  const double step = height / kRampSteps;
  for (int i = 0; i < kRampSteps; ++i) {
    // Half a pixel over the next: no seams.
    svg.rectangle(layout.bar_left, bottom - step * (i + 1), kBarWidth, i == 0 ? step : step + 0.5,
                  ramp.fill(i));
  }
  svg.begin_group("tick");
  const Ticks& ticks = scale.ticks();
  double last = bottom + 2 * kLineHeight;
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    const double fraction = ramp.fraction(ticks.values[i]);
    if (fraction < -1e-6 || fraction > 1 + 1e-6) continue;
    const double y = bottom - fraction * height;
    if (last - y < kLineHeight) continue;
    last = y;
    svg.text(layout.bar_left + kBarWidth + 6, y + 4, ticks.labels[i], "");
  }
  svg.end_group();
  // Over its bar, or as far to the left as it takes to be read whole.
  const double after_rows = text_width(chart.rows_label, kLabelSize) + 24;
  const std::string title =
      shortened(axis_title(chart.color, ticks.exponent), kFigureWidth - after_rows, kLabelSize);
  const double latest = kFigureWidth - 2 - text_width(title, kLabelSize);
  svg.text(std::min(layout.bar_left, latest), 14, title, "axis-title");
}

}  // namespace

Drawing draw(const HeatMap& chart) {
  Range range;
  ValueFilter filter;
  std::vector<double> cells;  // those that have a colour, row by row
  for (std::size_t row = 0; row < chart.rows.size(); ++row) {
    for (std::size_t column = 0; column < chart.columns.size(); ++column) {
      const double value = chart.value_at(row, column);
      if (std::isnan(value) || !filter.takes(chart.color, value)) continue;
      range.include(value);
      cells.push_back(value);
    }
  }
  const bool any_data = !cells.empty();
  const Ramp ramp(chart, range);
  Axis bar_axis = chart.color;
  if (chart.middle) bar_axis.scale = Scale::linear;
  const AxisScale scale(bar_axis, ramp.range(), Ends::padded, 5);
  const Layout layout = lay_out(chart, std::max(24.0, widest(scale.ticks().labels, kTickSize)));

  const auto texts = column_texts(cells, 3);
  const bool with_values = widest(texts, kSmallSize) <= layout.cell_width - 3 &&
                           layout.cell_height >= kLineHeight && any_data;

  SvgWriter svg;
  if (!chart.rows_label.empty()) svg.text(2, 14, chart.rows_label, "axis-title");
  const double gap = std::min(layout.cell_width, layout.cell_height) > 12 ? 0.75 : 0;
  std::size_t next = 0;
  SvgWriter numbers;
  for (std::size_t row = 0; row < chart.rows.size(); ++row) {
    const double y = layout.top + static_cast<double>(row) * layout.cell_height;
    for (std::size_t column = 0; column < chart.columns.size(); ++column) {
      const double x = layout.left + static_cast<double>(column) * layout.cell_width;
      const double value = chart.value_at(row, column);
      const bool shown = drawable(chart.color, value);
      svg.rectangle(x + gap, y + gap, layout.cell_width - 2 * gap, layout.cell_height - 2 * gap,
                    shown ? ramp.fill(ramp.step(value)) : "no-value",
                    fmt::format("{}, {}: {}", chart.rows[row], chart.columns[column],
                                shown ? number_text(value) : "no value"));
      const double baseline = y + layout.cell_height / 2 + 4;
      if (with_values) {
        numbers.text(x + layout.cell_width / 2, baseline, shown ? texts[next] : "–",
                     shown ? ramp.ink(value) : "no-value-ink", Anchor::middle);
      }
      if (shown) ++next;
    }
  }
  svg.begin_group("cell-value");
  svg.raw(numbers.markup());
  svg.end_group();
  draw_row_names(svg, chart, layout);
  double height = layout.bottom + draw_column_names(svg, chart, layout);
  if (!chart.columns_label.empty()) {
    svg.text((layout.left + layout.right) / 2, height + 20, chart.columns_label, "axis-title",
             Anchor::middle);
    height += 20;
  }
  draw_color_bar(svg, chart, layout, ramp, scale);
  if (!any_data) {
    svg.text((layout.left + layout.right) / 2, (layout.top + layout.bottom) / 2 + 4, tr("No data"),
             "empty", Anchor::middle);
  }
  return {svg.markup(), std::max(height, layout.top + 100) + 8,
          tr_format("Heat map of {} with {} rows and {} columns.", chart.color.label,
                    chart.rows.size(), chart.columns.size()),
          filter.notes()};
}

}  // namespace damier::report
