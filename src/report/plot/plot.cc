#include "damier/report/plot/plot.h"

#include <cmath>

#include <fmt/format.h>

#include "damier/report/plot/frame.h"

namespace damier::report {

namespace {

constexpr double kTitleHeight = 30;
constexpr double kNoteLine = 15;

std::string description(const Figure& figure, const Drawing& drawing) {
  std::string text = drawing.summary;
  if (!figure.caption.empty()) text += " " + figure.caption;
  for (const auto& note : drawing.notes) text += " " + note;
  return text;
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

std::string svg(const Figure& figure, const SvgOptions& options) {
  const Drawing drawing = std::visit([](const auto& chart) { return draw(chart); }, figure.chart);
  std::vector<std::string> notes;
  for (const auto& note : drawing.notes) {
    for (auto& line : wrapped(note, kFigureWidth - 4, kSmallSize)) notes.push_back(std::move(line));
  }
  const double top = options.standalone ? kTitleHeight : 0;
  const double notes_top = top + drawing.height;
  const double height =
      notes_top + kNoteLine * static_cast<double>(notes.size()) + (notes.empty() ? 0 : 6);

  SvgWriter out;
  const std::string id = escaped(options.id);
  // A file of its own has no page around it to keep its edges free.
  const double margin = options.standalone ? 12 : 0;
  out.raw(
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"damier-plot\" "
                  "viewBox=\"{0} {0} {1} {2}\" role=\"img\"",
                  pixels(-margin), pixels(kFigureWidth + 2 * margin), pixels(height + 2 * margin)));
  if (!id.empty()) out.raw(fmt::format(" aria-labelledby=\"{0}-title {0}-desc\"", id));
  out.raw(">\n");
  const auto labelled = [&](std::string_view tag, std::string_view suffix, std::string_view text) {
    const std::string mark = id.empty() ? "" : fmt::format(" id=\"{}-{}\"", id, suffix);
    out.raw(fmt::format("<{0}{1}>{2}</{0}>\n", tag, mark, escaped(text)));
  };
  labelled("title", "title", figure.title);
  labelled("desc", "desc", description(figure, drawing));
  if (options.standalone) {
    out.raw(fmt::format("<style>{}</style>\n", figure_css()));
    out.rectangle(-margin, -margin, kFigureWidth + 2 * margin, height + 2 * margin, "surface");
    out.text(2, 19, shortened(figure.title, kFigureWidth - 4, 16), "plot-title");
    out.begin_moved_group(0, top);
  }
  out.raw(drawing.markup);
  if (options.standalone) out.end_group();
  for (std::size_t i = 0; i < notes.size(); ++i) {
    out.text(2, notes_top + kNoteLine * static_cast<double>(i) + 12, notes[i], "note");
  }
  out.raw("</svg>\n");
  return out.markup();
}

}  // namespace damier::report
