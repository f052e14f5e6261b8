// Scales, round tick values and the numbers written beside them. Everything here is safe for any
// double: ranges that are empty, a single value, or at the ends of what a double holds.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "damier/report/plot/plot.h"

namespace damier::report {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool empty() const { return low > high; }
  void include(double value);  // values that are not finite change nothing
  // From 0 at the low end to 1 at the high one.
  double share(double value, bool logarithmic) const;
};

// Whether `value` has a place on `axis`.
bool drawable(const Axis& axis, double value);

// Steps of 1, 2 or 5 times a power of ten, within [low, high], about `most` and hardly more.
std::vector<double> nice_ticks(double low, double high, int most);
// Powers of ten within [low, high]; with few of them, also their doubles and fives.
std::vector<double> log_ticks(double low, double high, int most);

// How many names go to one that is written, when each has `step` and needs `needed`: 1, 2, 5, 10 …
std::size_t name_stride(double needed, double step);

struct Ticks {
  std::vector<double> values = {};
  std::vector<std::string> labels = {};
  std::vector<double> minor = {};  // without labels
  int exponent = 0;                // the labels are in units of ten to this power
};

enum class Ends { padded, round };  // round: the axis ends on a tick

// Maps values to 0 … 1 along one axis.
class AxisScale {
 public:
  AxisScale(const Axis& axis, Range data, Ends ends, int most_ticks);

  double fraction(double value) const;
  double low() const { return range_.low; }
  double high() const { return range_.high; }
  const Ticks& ticks() const { return ticks_; }
  // Fewer labels, for when they do not fit; the range stays.
  void thin_ticks(int most);

 private:
  bool logarithmic_;
  bool whole_;
  Range range_;
  Ticks ticks_;
};

// "Visits (×10⁶ nodes)".
std::string axis_title(const Axis& axis, int exponent);

// For tooltips and tables: "12,000", "0.5312", "1.2×10⁻⁷", "−3", "not a number".
std::string number_text(double value, int significant = 4);
// The numbers of one column, with the same number of decimals where their sizes allow it.
std::vector<std::string> column_texts(std::span<const double> values, int significant = 4);

// "12,000 nodes"
std::string value_text(const Axis& axis, double value);

// Counts what could be drawn, and what could not, so that the figure can say so.
class ValueFilter {
 public:
  bool takes(const Axis& axis, double value);
  bool takes(const Axis& x_axis, double x, const Axis& y_axis, double y);
  std::size_t taken() const { return taken_; }
  std::vector<std::string> notes() const;

 private:
  bool fits(const Axis& axis, double value);

  std::size_t taken_ = 0, not_finite_ = 0, not_positive_ = 0;
};

}  // namespace damier::report
