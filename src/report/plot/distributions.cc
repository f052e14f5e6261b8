// Histograms and box plots, and the numbers that both are made of.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "damier/base/text/language.h"
#include "damier/report/plot/frame.h"

namespace damier::report {

namespace {

// Those that have a place on the axis, in order.
std::vector<double> sorted_values(const Axis& axis, const std::vector<double>& values) {
  std::vector<double> result;
  std::ranges::copy_if(values, std::back_inserter(result),
                       [&](double value) { return drawable(axis, value); });
  std::ranges::sort(result);
  return result;
}

// Between the two nearest values, in proportion.
double quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = place - std::floor(place);
  return sorted[below] * (1 - share) + sorted[above] * share;
}

constexpr int kMaxBins = 80;

std::vector<double> equal_edges(double low, double high, int bins) {
  std::vector<double> edges;
  for (int i = 0; i <= bins; ++i) edges.push_back(low + (high - low) * i / bins);
  edges.back() = high;
  return edges;
}

// Small whole numbers (plies, moves, scores) have one bin each, centred on the number.
bool one_bin_a_number(const std::vector<double>& sorted) {
  constexpr double kMaxNumbers = 60;
  return sorted.back() - sorted.front() < kMaxNumbers &&
         std::ranges::all_of(sorted, [](double v) { return std::floor(v) == v; }) &&
         std::abs(sorted.front()) < 1e9;
}

std::vector<double> automatic_edges(const std::vector<double>& sorted) {
  const double low = sorted.front();
  const double high = sorted.back();
  if (one_bin_a_number(sorted)) {
    return equal_edges(low - 0.5, high + 0.5, static_cast<int>(high - low) + 1);
  }
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= size * 1e-12) return {low - 0.05 * size, high + 0.05 * size};
  const double count = static_cast<double>(sorted.size());
  const double spread = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  double bins = std::sqrt(count);
  if (spread > 0) bins = (high - low) / (2 * spread / std::cbrt(count));
  bins = std::clamp(bins, 4.0, static_cast<double>(kMaxBins) / 2);
  const auto ticks = nice_ticks(low, high, static_cast<int>(bins));
  if (ticks.size() < 2) return equal_edges(low, high, static_cast<int>(bins));
  const double step = ticks[1] - ticks[0];
  const double first = ticks.front() > low ? ticks.front() - step : ticks.front();
  std::vector<double> edges;
  for (int i = 0; i <= kMaxBins + 1; ++i) {
    edges.push_back(first + step * i);
    if (edges.back() >= high) break;
  }
  return edges;
}

}  // namespace

Bins binned(const Histogram& histogram) {
  std::vector<double> all;
  for (const auto& sample : histogram.samples) {
    all.insert(all.end(), sample.values.begin(), sample.values.end());
  }
  all = sorted_values(histogram.x, all);
  Bins bins;
  bins.counts.resize(histogram.samples.size());
  if (all.empty()) return bins;
  const bool constant = all.front() == all.back();
  if (histogram.x.scale == Scale::logarithmic && !constant) {
    const int count = std::clamp(histogram.bins.value_or(30), 1, kMaxBins);
    for (const double exponent :
         equal_edges(std::log10(all.front()), std::log10(all.back()), count)) {
      bins.edges.push_back(std::pow(10.0, exponent));
    }
    bins.edges.back() = all.back();
  } else if (histogram.bins && !constant) {
    bins.edges = equal_edges(all.front(), all.back(), std::clamp(*histogram.bins, 1, 1000));
  } else {
    bins.edges = automatic_edges(all);
  }
  for (std::size_t i = 0; i < histogram.samples.size(); ++i) {
    bins.counts[i].resize(bins.edges.size() - 1);
    for (const double value : histogram.samples[i].values) {
      if (!drawable(histogram.x, value)) continue;
      const auto above = std::ranges::upper_bound(bins.edges, value);
      const auto bin = std::clamp<std::ptrdiff_t>(
          above - bins.edges.begin() - 1, 0, static_cast<std::ptrdiff_t>(bins.edges.size()) - 2);
      ++bins.counts[i][static_cast<std::size_t>(bin)];
    }
  }
  return bins;
}

BoxSummary box_summary(const std::vector<double>& values) {
  const auto sorted = sorted_values({}, values);
  BoxSummary box;
  box.count = sorted.size();
  if (sorted.empty()) return box;
  box.mean = 0;
  for (const double value : sorted) box.mean += value / static_cast<double>(sorted.size());
  box.median = quantile(sorted, 0.5);
  box.lower_quartile = quantile(sorted, 0.25);
  box.upper_quartile = quantile(sorted, 0.75);
  const double reach = 1.5 * (box.upper_quartile - box.lower_quartile);
  // The box itself is always within reach, also where rounding makes it look otherwise.
  box.lower_whisker = box.lower_quartile;
  box.upper_whisker = box.upper_quartile;
  for (const double value : sorted) {
    if (value < box.lower_quartile - reach || value > box.upper_quartile + reach) {
      box.outliers.push_back(value);
    } else {
      box.lower_whisker = std::min(box.lower_whisker, value);
      box.upper_whisker = std::max(box.upper_whisker, value);
    }
  }
  return box;
}

Drawing draw(const Histogram& chart) {
  FrameRequest request{.x = chart.x, .y = {.label = chart.counts_label}};
  for (const Sample& sample : chart.samples) {
    for (const double value : sample.values) request.filter.takes(chart.x, value);
    request.add_series(Key::box, sample.name);
  }
  const Bins bins = binned(chart);
  request.y_range.include(0);
  for (const double edge : bins.edges) {
    if (drawable(chart.x, edge)) request.x_range.include(edge);
  }
  for (const auto& counts : bins.counts) {
    for (const std::size_t count : counts) request.y_range.include(static_cast<double>(count));
  }

  Frame frame(request);
  // Several samples lie over each other: translucent outlines, tooltips beneath.
  const bool several = chart.samples.size() > 1;
  for (std::size_t series = 0; series < bins.counts.size(); ++series) {
    frame.svg().begin_group(series_class(series));
    PathData outline;
    for (std::size_t i = 0; i < bins.counts[series].size(); ++i) {
      const double left = frame.x(bins.edges[i]);
      const double right = frame.x(bins.edges[i + 1]);
      const std::size_t count = bins.counts[series][i];
      const double top = frame.y(static_cast<double>(count));
      if (outline.empty()) outline.line(left, frame.bottom());
      outline.line(left, top).line(right, top);
      if (i + 1 == bins.counts[series].size()) outline.line(right, frame.bottom());
      if (count == 0) continue;
      const double gap = !several && right - left > 5 ? 0.75 : 0;
      frame.svg().rectangle(
          left + gap, top, right - left - 2 * gap, frame.bottom() - top, several ? "hover" : "bar",
          tr_format("{} to {}: {} {}", number_text(bins.edges[i]), number_text(bins.edges[i + 1]),
                    number_text(static_cast<double>(count)),
                    several ? chart.samples[series].name : ""));
    }
    if (several && !outline.empty()) frame.svg().path(outline.text(), "overlaid");
    frame.svg().end_group();
  }
  return frame.finish(tr_format("Histogram of {}, {} values: {}.", chart.x.label,
                                number_text(static_cast<double>(request.filter.taken())),
                                name_list(request.names)));
}

Drawing draw(const BoxPlot& chart) {
  FrameRequest request{.x = {.label = chart.samples_label}, .y = chart.y, .has_categories = true};
  std::vector<BoxSummary> boxes;
  for (const auto& sample : chart.samples) {
    std::vector<double> values;
    for (const double value : sample.values) {
      if (!request.filter.takes(chart.y, value)) continue;
      values.push_back(value);
      request.y_range.include(value);
    }
    boxes.push_back(box_summary(values));
    request.categories.push_back(sample.name);
  }

  Frame frame(request);
  frame.add_note(
      tr("Box: quartiles and median; diamond: mean; whiskers: values within 1.5 interquartile "
         "ranges; dots: beyond."));
  const double half = std::min(frame.slot_width() * 0.28, 32.0);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const BoxSummary& box = boxes[i];
    if (box.count == 0) continue;
    const double x = frame.slot_center(i);
    const double upper = frame.y(box.upper_quartile);
    const double lower = frame.y(box.lower_quartile);
    const std::string tooltip = tr_format(
        "{}: median {}, quartiles {} to {}, mean {}, n = {}", chart.samples[i].name,
        number_text(box.median), number_text(box.lower_quartile), number_text(box.upper_quartile),
        number_text(box.mean), number_text(static_cast<double>(box.count)));
    frame.svg().begin_group("s1");
    PathData whiskers;
    for (const auto& [from, to] : {std::pair(frame.y(box.upper_whisker), upper),
                                   std::pair(frame.y(box.lower_whisker), lower)}) {
      whiskers.move(x - half / 2, from).line(x + half / 2, from).move(x, from).line(x, to);
    }
    frame.svg().path(whiskers.text(), "whisker");
    frame.svg().rectangle(x - half, upper, 2 * half, lower - upper, "box", tooltip);
    frame.svg().line(x - half, frame.y(box.median), x + half, frame.y(box.median), "median");
    frame.svg().path(marker_path(3, x, frame.y(box.mean), 3.5), "mean");
    PathData outliers;
    for (const double value : box.outliers) outliers.dot(x, frame.y(value));
    if (!outliers.empty()) frame.svg().path(outliers.text(), "outliers");
    frame.svg().end_group();
  }
  return frame.finish(
      tr_format("Box plots of {}: {}.", chart.y.label, name_list(request.categories)));
}

}  // namespace damier::report
