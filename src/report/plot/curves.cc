// Line charts and scatter plots: everything that has numbers along both axes.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "damier/base/text/language.h"
#include "damier/report/plot/frame.h"

namespace damier::report {

namespace {

constexpr std::size_t kMaxMarkers = 40;  // more would hide their line

// Every how many points there is a marker; 0 for none. A long curve keeps a few, to be told from
// the others by shape as well as by colour.
std::size_t marker_stride(const Curve& curve, std::size_t points) {
  constexpr std::size_t kMarkersOfLongCurve = 8;
  if (curve.markers == Markers::hidden) return 0;
  if (curve.markers == Markers::shown || points <= kMaxMarkers) return 1;
  return points / kMarkersOfLongCurve;
}

bool has_interval(const CurvePoint& point) {
  return std::isfinite(point.low) && std::isfinite(point.high);
}

std::string value_text(const Axis& axis, double value) {
  return axis.unit.empty() ? number_text(value) : number_text(value) + " " + axis.unit;
}

std::string tooltip(const LineChart& chart, const Curve& curve, const CurvePoint& point) {
  std::string text = fmt::format("{}: {} at {}", curve.name, value_text(chart.y, point.y),
                                 value_text(chart.x, point.x));
  if (has_interval(point)) {
    text += fmt::format(" ({}{} to {})", chart.bands == Bands::intervals ? "95 %: " : "",
                        number_text(point.low), number_text(point.high));
  }
  return text;
}

// A stretch of points that can be joined: those around a value that is left out are not.
using Stretch = std::vector<CurvePoint>;

std::vector<Stretch> stretches(const LineChart& chart, const Curve& curve, ValueFilter& filter) {
  std::vector<Stretch> result(1);
  for (const auto& point : curve.points) {
    if (filter.takes(chart.x, point.x, chart.y, point.y)) {
      result.back().push_back(point);
    } else if (!result.back().empty()) {
      result.emplace_back();
    }
  }
  if (result.back().empty()) result.pop_back();
  return result;
}

// One band for each run of points with intervals.
void draw_bands(Frame& frame, const Stretch& stretch) {
  for (std::size_t begin = 0; begin < stretch.size();) {
    std::size_t end = begin;
    while (end < stretch.size() && has_interval(stretch[end])) ++end;
    if (end == begin + 1) {
      const auto& point = stretch[begin];
      draw_interval(frame.svg(), frame.x(point.x), frame.y(point.low), frame.y(point.high), 4);
    } else if (end > begin) {
      PathData data;
      data.move(frame.x(stretch[begin].x), frame.y(stretch[begin].high));
      for (std::size_t i = begin + 1; i < end; ++i) {
        data.line(frame.x(stretch[i].x), frame.y(stretch[i].high));
      }
      for (std::size_t i = end; i-- > begin;) {
        data.line(frame.x(stretch[i].x), frame.y(stretch[i].low));
      }
      frame.svg().path(data.close().text(), "band");
    }
    begin = std::max(end, begin + 1);
  }
}

void draw_line(Frame& frame, const Stretch& stretch, std::string_view classes) {
  if (stretch.size() < 2) return;
  PathData data;
  for (const auto& point : stretch) {
    if (data.empty()) {
      data.move(frame.x(point.x), frame.y(point.y));
    } else {
      data.line(frame.x(point.x), frame.y(point.y));
    }
  }
  frame.svg().path(data.text(), classes);
}

struct PreparedCurve {
  std::vector<Stretch> stretches;
  std::size_t stride = 0;  // from marker to marker
};

}  // namespace

Drawing draw(const LineChart& chart) {
  ValueFilter filter;
  FrameRequest request{.x = chart.x, .y = chart.y};
  std::vector<PreparedCurve> prepared;
  std::vector<std::string> names;
  bool any_data = false;
  bool any_band = false;
  for (std::size_t series = 0; series < chart.curves.size(); ++series) {
    const Curve& curve = chart.curves[series];
    PreparedCurve entry{stretches(chart, curve, filter)};
    std::size_t count = 0;
    for (const auto& stretch : entry.stretches) {
      count += stretch.size();
      for (const auto& point : stretch) {
        request.x_range.include(point.x);
        any_band = any_band || has_interval(point);
        for (const double y : {point.y, point.low, point.high}) {
          if (drawable(chart.y, y)) request.y_range.include(y);
        }
      }
    }
    entry.stride = marker_stride(curve, count);
    any_data = any_data || count > 0;
    request.legend.push_back(
        {entry.stride > 0 ? Key::marked_line : Key::dashed_line, series, curve.name});
    names.push_back(curve.name);
    prepared.push_back(std::move(entry));
  }
  for (const auto& reference : chart.references) {
    if (!drawable(chart.y, reference.value)) continue;
    request.y_range.include(reference.value);
    request.legend.push_back({Key::reference, 0, reference.name});
  }
  // One curve is named by the title.
  if (request.legend.size() == 1) request.legend.clear();

  Frame frame(request);
  if (any_band) {
    frame.add_note(chart.bands == Bands::intervals
                       ? tr("Bands show 95 % intervals.")
                       : tr("Bands reach from the lowest to the highest."));
  }
  frame.draw_references(chart.references, chart.y);
  for (std::size_t series = 0; series < prepared.size(); ++series) {
    frame.svg().begin_group(series_class(series));
    for (const auto& stretch : prepared[series].stretches) draw_bands(frame, stretch);
    frame.svg().end_group();
  }
  for (std::size_t series = 0; series < prepared.size(); ++series) {
    const std::size_t stride = prepared[series].stride;
    frame.svg().begin_group(series_class(series));
    for (const auto& stretch : prepared[series].stretches) {
      draw_line(frame, stretch, stride > 0 ? "curve" : fmt::format("curve {}", dash_class(series)));
    }
    // The markers of different curves start at different points, so that they do not cover each
    // other.
    std::size_t index = stride > 1 ? stride * (series % kMarkerShapes) / kMarkerShapes : 0;
    for (const auto& stretch : prepared[series].stretches) {
      for (const auto& point : stretch) {
        // A point alone makes no line: it needs its marker to be seen.
        const bool marked = (stride > 0 && index++ % stride == 0) || stretch.size() == 1;
        if (!marked) continue;
        frame.svg().path(marker_path(series, frame.x(point.x), frame.y(point.y), 4), "marker",
                         tooltip(chart, chart.curves[series], point));
      }
    }
    frame.svg().end_group();
  }
  // Several lines that look alike; one has its name in the legend alone.
  if (chart.references.size() > 1) frame.name_references(chart.references, chart.y);
  return frame.finish(
      tr_format("Line chart of {} over {}: {}.", chart.y.label, chart.x.label, name_list(names)),
      filter, any_data);
}

// --- scatter --------------------------------------------------------------------------------

namespace {

constexpr std::size_t kMaxWithTooltips = 300;

void draw_points(Frame& frame, const ScatterPlot& chart, const ScatterSeries& series,
                 std::size_t index, const std::vector<ScatterPoint>& points) {
  if (points.size() <= kMaxWithTooltips) {
    for (const auto& point : points) {
      frame.svg().path(marker_path(index, frame.x(point.x), frame.y(point.y), 3.5), "point",
                       fmt::format("{}: {}, {}", series.name, value_text(chart.x, point.x),
                                   value_text(chart.y, point.y)));
    }
    return;
  }
  // Many points share a path, which is small and quick; a few hundred paths, each translucent,
  // let dense places look dense. Neighbours in the data go to different paths.
  constexpr std::size_t kPaths = 128;
  std::vector<PathData> paths(std::min(kPaths, points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    paths[i % paths.size()].dot(frame.x(points[i].x), frame.y(points[i].y));
  }
  for (const auto& path : paths) frame.svg().path(path.text(), "dots");
}

}  // namespace

Drawing draw(const ScatterPlot& chart) {
  ValueFilter filter;
  FrameRequest request{.x = chart.x, .y = chart.y};
  std::vector<std::vector<ScatterPoint>> points;
  std::vector<std::string> names;
  std::size_t total = 0;
  for (std::size_t series = 0; series < chart.series.size(); ++series) {
    auto& shown = points.emplace_back();
    for (const auto& point : chart.series[series].points) {
      if (!filter.takes(chart.x, point.x, chart.y, point.y)) continue;
      shown.push_back(point);
      request.x_range.include(point.x);
      request.y_range.include(point.y);
    }
    total += shown.size();
    names.push_back(chart.series[series].name);
    request.legend.push_back({Key::marker, series, chart.series[series].name});
  }
  if (request.legend.size() == 1) request.legend.clear();

  Frame frame(request);
  for (std::size_t series = 0; series < points.size(); ++series) {
    frame.svg().begin_group(series_class(series));
    draw_points(frame, chart, chart.series[series], series, points[series]);
    frame.svg().end_group();
  }
  return frame.finish(tr_format("Scatter plot of {} points, {} over {}: {}.",
                                number_text(static_cast<double>(total)), chart.y.label,
                                chart.x.label, name_list(names)),
                      filter, total > 0);
}

}  // namespace damier::report
