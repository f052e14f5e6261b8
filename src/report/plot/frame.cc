#include "damier/report/plot/frame.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "damier/base/text/language.h"

namespace damier::report {

namespace {

constexpr double kPlotHeight = 280;
constexpr double kLegendRow = 22;
constexpr int kYTicks = 6;
constexpr int kXTicks = 9;
constexpr double kTurn = -35;  // degrees, for names that do not fit side by side
constexpr double kTurnRadians = kTurn * std::numbers::pi / 180;
constexpr double kMaxTurnedLength = 160;

void draw_key(SvgWriter& svg, const LegendEntry& entry, double x, double y) {
  svg.begin_group(series_class(entry.series));
  if (entry.key == Key::box) {
    svg.rectangle(x, y - 6, 12, 12, "swatch");
  } else if (entry.key == Key::marker) {
    svg.path(marker_path(entry.series, x + 6, y, 4.5), "marker");
  } else {
    svg.line(x, y, x + 22, y, entry.key == Key::reference ? "reference" : "curve");
  }
  if (entry.key == Key::marked_line) svg.path(marker_path(entry.series, x + 11, y, 4), "marker");
  svg.end_group();
}

// Draws the entries in rows of at most `width` and returns the height they took.
double draw_legend(SvgWriter& svg, const std::vector<LegendEntry>& entries, double left, double top,
                   double width) {
  if (entries.empty()) return 0;
  constexpr double kGap = 20;
  double x = left;
  double y = top + kLegendRow / 2;
  for (const auto& entry : entries) {
    const bool small = entry.key == Key::box || entry.key == Key::marker;
    const double key_width = small ? 18 : 28;
    const std::string name = shortened(entry.name, width - key_width, kLabelSize);
    const double needed = key_width + text_width(name, kLabelSize);
    if (x > left && x + needed > left + width) {
      x = left;
      y += kLegendRow;
    }
    draw_key(svg, entry, x, y);
    svg.text(x + key_width, y + 4.5, name, "legend");
    x += needed + kGap;
  }
  return y + kLegendRow / 2 - top;
}

}  // namespace

std::string series_class(std::size_t series) {
  return fmt::format("s{}", series % kSeriesColors + 1);
}

void draw_interval(SvgWriter& svg, double x, double low, double high, double cap) {
  PathData data;
  data.move(x - cap, high).line(x + cap, high).move(x, high).line(x, low);
  data.move(x - cap, low).line(x + cap, low);
  svg.path(data.text(), "interval");
}

std::string name_list(const std::vector<std::string>& names) {
  constexpr std::size_t kMaxNames = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kMaxNames); ++i) {
    if (i > 0) out += ", ";
    out += names[i].empty() ? tr("unnamed") : names[i];
  }
  if (names.size() > kMaxNames) out += tr_format(" and {} more", names.size() - kMaxNames);
  return out;
}

double widest(const std::vector<std::string>& texts, double font_size) {
  double width = 0;
  for (const auto& text : texts) width = std::max(width, text_width(text, font_size));
  return width;
}

void FrameRequest::add_series(Key key, const std::string& name) {
  legend.push_back({key, names.size(), name});
  names.push_back(name);
}

void FrameRequest::add_references(const std::vector<Reference>& levels) {
  for (const auto& level : levels) {
    if (!drawable(y, level.value)) continue;
    references.push_back(level);
    y_range.include(level.value);
    legend.push_back({Key::reference, 0, level.name});
  }
}

void FrameRequest::reach(std::initializer_list<double> y_values) {
  for (const double value : y_values) {
    if (drawable(y, value)) y_range.include(value);
  }
}

Frame::Frame(FrameRequest request)
    : request_(std::move(request)),
      x_scale_(request_.x, request_.x_range, Ends::padded, kXTicks),
      y_scale_(request_.y, request_.y_range, Ends::round, kYTicks) {
  if (request_.legend.size() == 1) request_.legend.clear();  // the title names it
  lay_out();
  draw_y_axis();
  request_.has_categories ? draw_categories() : draw_x_axis();
}

void Frame::lay_out() {
  left_ = std::max(widest(y_scale_.ticks().labels, kTickSize) + 10, 28.0);
  right_ = kFigureWidth - 12;
  top_ = 6 + draw_legend(svg_, request_.legend, 2, 2, kFigureWidth - 4);
  const std::string title = axis_title(request_.y, y_scale_.ticks().exponent);
  if (!title.empty()) {
    top_ += 15;
    svg_.text(2, top_, shortened(title, kFigureWidth - 4, kLabelSize), "axis-title");
  }
  top_ += 15;
  bottom_ = top_ + kPlotHeight;
  if (request_.has_categories) return lay_out_categories();
  // Labels are centred on their ticks: the outermost may stand out, and all need a gap between.
  for (int most = kXTicks; most > 1; --most) {
    x_scale_.thin_ticks(most);
    const auto& ticks = x_scale_.ticks();
    if (ticks.labels.empty()) break;
    right_ = kFigureWidth - std::max(12.0, text_width(ticks.labels.back(), kTickSize) / 2);
    bool fits = true;
    for (std::size_t i = 1; i < ticks.labels.size(); ++i) {
      const double gap = x(ticks.values[i]) - x(ticks.values[i - 1]);
      const double needed = text_width(ticks.labels[i], kTickSize) / 2 +
                            text_width(ticks.labels[i - 1], kTickSize) / 2 + 10;
      fits = fits && gap >= needed;
    }
    if (fits) break;
  }
}

std::vector<std::string> Frame::category_lines(const std::string& name) const {
  return wrapped(cleaned(name), slot_width() - 8, kTickSize);
}

// Names stand under their slots in up to three lines; if one does not fit there, all are turned.
void Frame::lay_out_categories() {
  constexpr std::size_t kMaxLines = 3;
  for (const auto& category : request_.categories) {
    const auto lines = category_lines(category);
    turned_ = turned_ || lines.size() > kMaxLines || widest(lines, kTickSize) > slot_width() - 8;
  }
  if (!turned_) return;
  // The first name runs out to the left of its slot and needs room there.
  const double width =
      std::min(kMaxTurnedLength, text_width(request_.categories.front(), kTickSize) + 4);
  constexpr double kMaxRoom = 120;
  left_ = std::max(left_, std::min(kMaxRoom, width * std::cos(kTurnRadians) - slot_width() / 2));
}

void Frame::draw_y_axis() {
  const Ticks& ticks = y_scale_.ticks();
  svg_.begin_group("grid");
  for (const double value : ticks.values) svg_.line(left_, y(value), right_, y(value), "");
  svg_.end_group();
  svg_.begin_group("tick");
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    svg_.text(left_ - 8, y(ticks.values[i]) + 4, ticks.labels[i], "", Anchor::end);
  }
  svg_.end_group();
  if (request_.y.scale == Scale::logarithmic) {
    svg_.begin_group("axis");
    for (const double value : ticks.minor) svg_.line(left_ - 4, y(value), left_, y(value), "");
    svg_.line(left_, top_, left_, bottom_, "");
    svg_.end_group();
  }
}

void Frame::draw_x_axis() {
  const Ticks& ticks = x_scale_.ticks();
  svg_.begin_group("axis");
  svg_.line(left_, bottom_, right_, bottom_, "");
  for (const double value : ticks.values) svg_.line(x(value), bottom_, x(value), bottom_ + 5, "");
  if (request_.x.scale == Scale::logarithmic) {
    for (const double value : ticks.minor) svg_.line(x(value), bottom_, x(value), bottom_ + 3, "");
  }
  svg_.end_group();
  svg_.begin_group("tick");
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    svg_.text(x(ticks.values[i]), bottom_ + 19, ticks.labels[i], "", Anchor::middle);
  }
  svg_.end_group();
  draw_x_title(axis_title(request_.x, ticks.exponent), bottom_ + 40);
}

void Frame::draw_categories() {
  svg_.begin_group("axis");
  svg_.line(left_, bottom_, right_, bottom_, "");
  svg_.end_group();
  constexpr double kLine = 15;
  double used = 0;
  svg_.begin_group("tick");
  if (!turned_) {
    std::size_t lines = 1;
    for (std::size_t i = 0; i < request_.categories.size(); ++i) {
      const auto names = category_lines(request_.categories[i]);
      lines = std::max(lines, names.size());
      for (std::size_t row = 0; row < names.size(); ++row) {
        svg_.text(slot_center(i), bottom_ + 19 + kLine * static_cast<double>(row), names[row], "",
                  Anchor::middle);
      }
    }
    used = kLine * static_cast<double>(lines) + 4;
  } else {
    // Turned lines of text need about a line height of room; beyond that only some are written.
    const std::size_t stride = name_stride(20, slot_width());
    for (std::size_t i = 0; i < request_.categories.size(); i += stride) {
      // The first names would run off the page to the left.
      const double limit =
          std::min(kMaxTurnedLength, (slot_center(i) - 2) / std::cos(kTurnRadians));
      const std::string name = shortened(request_.categories[i], limit, kTickSize);
      const double width = text_width(name, kTickSize);
      used = std::max(used, 12 + width * -std::sin(kTurnRadians));
      svg_.turned_text(slot_center(i) + 4, bottom_ + 15, kTurn, name, "", Anchor::end);
    }
  }
  svg_.end_group();
  draw_x_title(request_.x.label, bottom_ + used + 21);
}

void Frame::draw_x_title(const std::string& title, double y) {
  height_ = y + (title.empty() ? -12 : 8);
  if (title.empty()) return;
  svg_.text((left_ + right_) / 2, y, shortened(title, kFigureWidth - 20, kLabelSize), "axis-title",
            Anchor::middle);
}

double Frame::slot_width() const {
  return (right_ - left_) /
         static_cast<double>(std::max<std::size_t>(request_.categories.size(), 1));
}

double Frame::slot_center(std::size_t category) const {
  return left_ + (static_cast<double>(category) + 0.5) * slot_width();
}

void Frame::draw_references() {
  for (const auto& reference : request_.references) {
    svg_.line(left_, y(reference.value), right_, y(reference.value), "reference");
  }
}

void Frame::name_references() {
  constexpr double kLine = 13;
  std::vector<double> taken;
  svg_.begin_group("value");
  for (const auto& reference : request_.references) {
    const double at = y(reference.value);
    for (const double base : {at - 4, at + kLine}) {
      const auto near = [&](double other) { return std::abs(other - base) < kLine; };
      if (std::ranges::any_of(taken, near)) continue;
      svg_.text(right_ - 2, base, reference.name, "", Anchor::end);
      taken.push_back(base);
      break;
    }
  }
  svg_.end_group();
}

Drawing Frame::finish(std::string summary) {
  if (request_.filter.taken() == 0) {
    svg_.text((left_ + right_) / 2, (top_ + bottom_) / 2, "No data", "empty", Anchor::middle);
  }
  for (auto& note : request_.filter.notes()) notes_.push_back(std::move(note));
  return {svg_.markup(), height_, std::move(summary), notes_};
}

std::string svg(const Figure& figure, std::string_view document_id) {
  const Drawing drawing = std::visit([](const auto& chart) { return draw(chart); }, figure.chart);
  std::vector<std::string> notes;
  std::string description = drawing.summary;
  if (!figure.caption.empty()) description += " " + figure.caption;
  for (const auto& note : drawing.notes) {
    description += " " + note;
    for (auto& line : wrapped(note, kFigureWidth - 4, kSmallSize)) notes.push_back(std::move(line));
  }
  constexpr double kNoteLine = 15;
  const double height =
      drawing.height + kNoteLine * static_cast<double>(notes.size()) + (notes.empty() ? 0 : 6);
  SvgWriter out;
  const std::string id = escaped(document_id);
  out.raw(
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"damier-plot\" "
                  "viewBox=\"0 0 {} {}\" role=\"img\"",
                  pixels(kFigureWidth), pixels(height)));
  if (!id.empty()) out.raw(fmt::format(" aria-labelledby=\"{0}-title {0}-desc\"", id));
  out.raw(">\n");
  const auto labelled = [&](std::string_view tag, std::string_view text) {
    const std::string mark = id.empty() ? "" : fmt::format(" id=\"{}-{}\"", id, tag);
    out.raw(fmt::format("<{0}{1}>{2}</{0}>\n", tag, mark, escaped(text)));
  };
  labelled("title", figure.title);
  labelled("desc", description);
  out.raw(drawing.markup);
  for (std::size_t i = 0; i < notes.size(); ++i) {
    out.text(2, drawing.height + kNoteLine * static_cast<double>(i) + 12, notes[i], "note");
  }
  out.raw("</svg>\n");
  return out.markup();
}

}  // namespace damier::report
