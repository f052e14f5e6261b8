// The frame that every chart but the heat map shares: legend, axes, grid, labels. It lays itself
// out from the texts it has to carry, so that no label meets another; charts then draw inside it.
#pragma once

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "damier/report/plot/axis.h"
#include "damier/report/plot/plot.h"
#include "damier/report/svg.h"

namespace damier::report {

// Pixels of the viewBox; on the page the drawing shrinks with its column.
constexpr double kFigureWidth = 720;
constexpr double kTickSize = 12;
constexpr double kLabelSize = 13;
constexpr double kSmallSize = 11;
constexpr std::size_t kSeriesColors = 7;
// Steps of the colour ramps of heat maps: classes q0 … and, for ramps with a middle, d0 ….
constexpr int kRampSteps = 17;

// What a chart hands to the figure around it.
struct Drawing {
  std::string markup = {};
  double height = 0;
  std::string summary = {};  // for readers who do not see the drawing
  std::vector<std::string> notes = {};
};

// One function a kind of chart.
Drawing draw(const LineChart& chart);
Drawing draw(const BarChart& chart);
Drawing draw(const Histogram& chart);
Drawing draw(const BoxPlot& chart);
Drawing draw(const ScatterPlot& chart);
Drawing draw(const HeatMap& chart);

// The class that gives the marks of a series their colour, "s1" … "s7".
std::string series_class(std::size_t series);

enum class Key { marked_line, box, marker, reference };

struct LegendEntry {
  Key key = Key::box;
  std::size_t series = 0;
  std::string name = {};
};

// What stands in the frame, and what its axes must reach.
struct FrameRequest {
  Axis x = {};  // of categories: the label only
  Axis y = {};
  Range x_range = {};
  Range y_range = {};
  std::vector<std::string> categories = {};  // in place of numbers along x
  bool has_categories = false;
  std::vector<Reference> references = {};  // levels of y
  std::vector<LegendEntry> legend = {};
  std::vector<std::string> names = {};  // of the series
  ValueFilter filter = {};

  void add_series(Key key, const std::string& name);
  // After the series.
  void add_references(const std::vector<Reference>& levels);
  // Of those that have a place on the axis.
  void reach(std::initializer_list<double> y_values);
};

class Frame {
 public:
  explicit Frame(FrameRequest request);

  double x(double value) const { return left_ + x_scale_.fraction(value) * (right_ - left_); }
  double y(double value) const { return bottom_ - y_scale_.fraction(value) * (bottom_ - top_); }
  double left() const { return left_; }
  double right() const { return right_; }
  double bottom() const { return bottom_; }

  // The slot of a category.
  double slot_width() const;
  double slot_center(std::size_t category) const;

  SvgWriter& svg() { return svg_; }
  void draw_references();
  // Above their lines, at the right; below where that place is taken, nowhere where both are.
  void name_references();
  // A remark under the figure.
  void add_note(std::string note) { notes_.push_back(std::move(note)); }
  Drawing finish(std::string summary);

 private:
  void lay_out();
  void lay_out_categories();
  std::vector<std::string> category_lines(const std::string& name) const;
  void draw_y_axis();
  void draw_x_axis();
  void draw_categories();
  void draw_x_title(const std::string& title, double y);

  FrameRequest request_;
  AxisScale x_scale_;
  AxisScale y_scale_;
  bool turned_ = false;  // the names of the categories
  double left_ = 0;
  double right_ = 0;
  double top_ = 0;
  double bottom_ = 0;
  double height_ = 0;
  SvgWriter svg_;
  std::vector<std::string> notes_;
};

// A vertical interval with caps.
void draw_interval(SvgWriter& svg, double x, double low, double high, double cap);

// Of a bar or a point.
template <class Value>
bool has_interval(const Value& value) {
  return std::isfinite(value.low) && std::isfinite(value.high);
}

double widest(const std::vector<std::string>& texts, double font_size);

// "a, b and 3 more", for summaries.
std::string name_list(const std::vector<std::string>& names);

}  // namespace damier::report
