// Grouped bars with intervals. Bars stand on zero, since their length is what the eye compares; on
// a logarithmic axis they stand on its lower end.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/language.h"
#include "damier/report/plot/frame.h"

namespace damier::report {

namespace {

std::string tooltip(const BarChart& chart, const BarSeries& series, std::size_t category,
                    const Bar& bar) {
  std::string text = fmt::format("{}, {}: {}", chart.categories[category], series.name,
                                 value_text(chart.y, bar.value));
  if (has_interval(bar)) {
    text += fmt::format(" (95 %: {} to {})", number_text(bar.low), number_text(bar.high));
  }
  return text;
}

// Where the bars of one category stand.
struct Slots {
  double width = 0;
  double gap = 0;
  double begin = 0;  // from the centre of the category

  Slots(double room, std::size_t bars) {
    constexpr double kMaxBarWidth = 56;
    const double count = static_cast<double>(std::max<std::size_t>(bars, 1));
    const double used = std::min(room * 0.76, kMaxBarWidth * count);
    gap = used / count > 8 ? 2 : 0;
    width = std::max(used / count - gap, 1.0);
    begin = -used / 2 + gap / 2;
  }
  double left(std::size_t bar) const { return begin + static_cast<double>(bar) * (width + gap); }
};

// Round where the value is, square on the base.
std::string bar_path(double x, double width, double base, double tip) {
  const double radius = std::min({2.5, width / 2, std::abs(base - tip)});
  const double inward = base > tip ? radius : -radius;
  const auto p = [](double value) { return pixels(value); };
  return fmt::format("M{} {}V{}Q{} {} {} {}H{}Q{} {} {} {}V{}Z", p(x), p(base), p(tip + inward),
                     p(x), p(tip), p(x + radius), p(tip), p(x + width - radius), p(x + width),
                     p(tip), p(x + width), p(tip + inward), p(base));
}

struct ShownBar {
  std::size_t series = 0;
  std::size_t category = 0;
  Bar bar;
};

// Values above the bars, when every one of them has room.
void draw_values(Frame& frame, const BarChart& chart, const std::vector<ShownBar>& bars,
                 const Slots& slots) {
  std::vector<double> values;
  for (const auto& shown : bars) values.push_back(shown.bar.value);
  const auto texts = column_texts(values, 3);
  for (const auto& text : texts) {
    if (text_width(text, kSmallSize) > slots.width + slots.gap + 4) return;
  }
  frame.svg().begin_group("value");
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const auto& [series, category, bar] = bars[i];
    const double x = frame.slot_center(category) + slots.left(series) + slots.width / 2;
    const bool down = bar.value < 0 && chart.y.scale == Scale::linear;
    double end = bar.value;
    if (has_interval(bar)) end = down ? std::min(end, bar.low) : std::max(end, bar.high);
    frame.svg().text(x, frame.y(end) + (down ? 14 : -6), texts[i], "", Anchor::middle);
  }
  frame.svg().end_group();
}

}  // namespace

Bar bar_of(const Estimate& estimate) {
  const double unit = estimate.kind == EstimateKind::share ? 100 : 1;
  const auto end = [&](double value) { return std::isfinite(value) ? unit * value : kMissing; };
  return {unit * estimate.value, end(estimate.interval.low), end(estimate.interval.high)};
}

CurvePoint point_of(double x, const Estimate& estimate) {
  const Bar bar = bar_of(estimate);
  return {x, bar.value, bar.low, bar.high};
}

Drawing draw(const BarChart& chart) {
  FrameRequest request{.x = {.label = chart.categories_label},
                       .y = chart.y,
                       .categories = chart.categories,
                       .has_categories = true};
  std::vector<ShownBar> bars;
  for (std::size_t series = 0; series < chart.series.size(); ++series) {
    const auto& entry = chart.series[series];
    request.add_series(Key::box, entry.name);
    for (std::size_t i = 0; i < std::min(entry.bars.size(), chart.categories.size()); ++i) {
      const Bar& bar = entry.bars[i];
      if (!request.filter.takes(chart.y, bar.value)) continue;
      bars.push_back({series, i, bar});
      request.reach({bar.value, bar.low, bar.high});
    }
  }
  request.add_references(chart.references);
  const bool logarithmic = chart.y.scale == Scale::logarithmic;
  // The shortest bar must still be seen.
  request.y_range.include(logarithmic ? request.y_range.low / 2 : 0);

  Frame frame(request);
  if (std::ranges::any_of(bars, has_interval<Bar>, &ShownBar::bar)) {
    frame.add_note(tr("Whiskers show 95 % intervals."));
  }
  const Slots slots(frame.slot_width(), chart.series.size());
  const double base = logarithmic ? frame.bottom() : frame.y(0);
  for (std::size_t series = 0; series < chart.series.size(); ++series) {
    frame.svg().begin_group(series_class(series));
    for (const auto& shown : bars) {
      if (shown.series != series) continue;
      const double left = frame.slot_center(shown.category) + slots.left(series);
      frame.svg().path(bar_path(left, slots.width, base, frame.y(shown.bar.value)), "bar",
                       tooltip(chart, chart.series[series], shown.category, shown.bar));
    }
    frame.svg().end_group();
  }
  frame.svg().begin_group("axis");
  frame.svg().line(frame.left(), base, frame.right(), base, "");
  frame.svg().end_group();
  for (const auto& shown : bars) {
    if (!has_interval(shown.bar)) continue;
    const double x = frame.slot_center(shown.category) + slots.left(shown.series) + slots.width / 2;
    draw_interval(frame.svg(), x, frame.y(shown.bar.low), frame.y(shown.bar.high),
                  std::min(4.0, slots.width / 3));
  }
  frame.draw_references();
  draw_values(frame, chart, bars, slots);
  return frame.finish(tr_format("Bar chart of {} for {}; series: {}.", chart.y.label,
                                name_list(chart.categories), name_list(request.names)));
}

}  // namespace damier::report
