// Line charts and scatter plots: everything that has numbers along both axes.
#include <algorithm>

#include <fmt/format.h>

#include "damier/base/text/language.h"
#include "damier/report/plot/frame.h"

namespace damier::report {

namespace {

constexpr std::size_t kMaxMarkers = 40;  // more would hide their line

// Every how many points there is a marker. A long curve keeps a few, to be told from
// the others by shape as well as by colour.
std::size_t marker_stride(std::size_t points) {
  constexpr std::size_t kMarkersOfLongCurve = 8;
  return points <= kMaxMarkers ? 1 : points / kMarkersOfLongCurve;
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
      for (std::size_t i = begin; i < end; ++i) {
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

void draw_line(Frame& frame, const Stretch& stretch) {
  if (stretch.size() < 2) return;
  PathData data;
  for (const auto& point : stretch) data.line(frame.x(point.x), frame.y(point.y));
  frame.svg().path(data.text(), "curve");
}

}  // namespace

Drawing draw(const LineChart& chart) {
  FrameRequest request{.x = chart.x, .y = chart.y};
  std::vector<std::vector<Stretch>> curves;
  bool any_band = false;
  for (const Curve& curve : chart.curves) {
    for (const auto& stretch : curves.emplace_back(stretches(chart, curve, request.filter))) {
      for (const auto& point : stretch) {
        request.x_range.include(point.x);
        any_band = any_band || has_interval(point);
        request.reach({point.y, point.low, point.high});
      }
    }
    request.add_series(Key::marked_line, curve.name);
  }
  request.add_references(chart.references);

  Frame frame(request);
  if (any_band) {
    frame.add_note(chart.bands == Bands::intervals
                       ? tr("Bands show 95 % intervals.")
                       : tr("Bands reach from the lowest to the highest."));
  }
  frame.draw_references();
  for (std::size_t series = 0; series < curves.size(); ++series) {
    frame.svg().begin_group(series_class(series));
    for (const auto& stretch : curves[series]) draw_bands(frame, stretch);
    frame.svg().end_group();
  }
  for (std::size_t series = 0; series < curves.size(); ++series) {
    frame.svg().begin_group(series_class(series));
    std::size_t points = 0;
    for (const auto& stretch : curves[series]) {
      draw_line(frame, stretch);
      points += stretch.size();
    }
    const std::size_t stride = marker_stride(points);
    // The markers of different curves start at different points, so that they do not cover each
    // other.
    std::size_t index = stride > 1 ? stride * (series % kMarkerShapes) / kMarkerShapes : 0;
    for (const auto& stretch : curves[series]) {
      for (const auto& point : stretch) {
        // A point alone makes no line: it needs its marker to be seen.
        if (index++ % stride != 0 && stretch.size() > 1) continue;
        frame.svg().path(marker_path(series, frame.x(point.x), frame.y(point.y), 4), "marker",
                         tooltip(chart, chart.curves[series], point));
      }
    }
    frame.svg().end_group();
  }
  // Several lines that look alike; one has its name in the legend alone.
  if (chart.references.size() > 1) frame.name_references();
  return frame.finish(tr_format("Line chart of {} over {}: {}.", chart.y.label, chart.x.label,
                                name_list(request.names)));
}

// --- scatter --------------------------------------------------------------------------------

namespace {

void draw_points(Frame& frame, const ScatterPlot& chart, std::size_t series,
                 const std::vector<CurvePoint>& points) {
  constexpr std::size_t kMaxWithTooltips = 300;
  if (points.size() <= kMaxWithTooltips) {
    for (const auto& point : points) {
      frame.svg().path(marker_path(series, frame.x(point.x), frame.y(point.y), 3.5), "point",
                       fmt::format("{}: {}, {}", chart.series[series].name,
                                   value_text(chart.x, point.x), value_text(chart.y, point.y)));
    }
    return;
  }
  // Many points share a path, which is small and quick; a few hundred paths, each translucent,
  // let dense places look dense. Neighbours in the data go to different paths.
  constexpr std::size_t kPaths = 128;
  std::vector<PathData> paths(kPaths);
  for (std::size_t i = 0; i < points.size(); ++i) {
    paths[i % kPaths].dot(frame.x(points[i].x), frame.y(points[i].y));
  }
  for (const auto& path : paths) frame.svg().path(path.text(), "dots");
}

}  // namespace

Drawing draw(const ScatterPlot& chart) {
  FrameRequest request{.x = chart.x, .y = chart.y};
  std::vector<std::vector<CurvePoint>> points;
  for (const Curve& series : chart.series) {
    auto& shown = points.emplace_back();
    for (const auto& point : series.points) {
      if (!request.filter.takes(chart.x, point.x, chart.y, point.y)) continue;
      shown.push_back(point);
      request.x_range.include(point.x);
      request.y_range.include(point.y);
    }
    request.add_series(Key::marker, series.name);
  }

  Frame frame(request);
  for (std::size_t series = 0; series < points.size(); ++series) {
    frame.svg().begin_group(series_class(series));
    draw_points(frame, chart, series, points[series]);
    frame.svg().end_group();
  }
  return frame.finish(tr_format("Scatter plot of {} points, {} over {}: {}.",
                                number_text(static_cast<double>(request.filter.taken())),
                                chart.y.label, chart.x.label, name_list(request.names)));
}

}  // namespace damier::report
