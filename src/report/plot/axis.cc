#include "damier/report/plot/axis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/language.h"

namespace damier::report {

namespace {

// Beyond this a difference of two values could overflow.
constexpr double kMaxValue = 1e300;
constexpr double kMinValue = 1e-300;

int decade_of(double value) { return static_cast<int>(std::floor(std::log10(value) + 1e-9)); }

double power_of_ten(int exponent) { return std::pow(10.0, exponent); }

// A single value, or values that differ by rounding only, get room on both sides.
Range widened(Range range) {
  if (range.empty()) return {0, 1};
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (range.high - range.low > std::max(size * 1e-12, kMinValue)) return range;
  const double room = size < kMinValue ? 1 : 0.1 * size;
  return {range.low - room, range.high + room};
}

// The next of 1, 2, 5, 10 … below (or above) a positive value.
double round_down(double value) {
  const double unit = power_of_ten(decade_of(value));
  for (const double factor : {5.0, 2.0}) {
    if (factor * unit <= value * (1 + 1e-9)) return factor * unit;
  }
  return unit;
}

double round_up(double value) {
  const double unit = power_of_ten(decade_of(value));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * unit >= value * (1 - 1e-9)) return factor * unit;
  }
  return 10 * unit;
}

double nice_step(double span, int most) { return round_up(span / std::max(most, 1)); }

std::string superscript(int number) {
  constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = number < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(number))) out += kDigits[digit - '0'];
  return out;
}

// A true minus sign, commas between thousands.
std::string typeset(std::string digits) {
  const bool negative = digits.starts_with('-');
  if (negative) digits.erase(0, 1);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t i = point; i > 3; i -= 3) digits.insert(i - 3, ",");
  const bool zero = digits.find_first_not_of("0.,") == std::string::npos;
  return negative && !zero ? "−" + digits : digits;
}

std::string fixed(double value, int decimals) {
  return typeset(fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 17)));
}

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string scientific(double value, int significant) {
  const std::string text = fmt::format("{:.{}e}", value, std::max(significant - 1, 0));
  const std::size_t mark = text.find('e');
  const std::string mantissa = without_trailing_zeros(text.substr(0, mark));
  return typeset(mantissa) + "×10" + superscript(std::stoi(text.substr(mark + 1)));
}

// Numbers that are no multiples of ten to a power would need their own factor before it.
std::string decade_label(double value) {
  const int exponent = decade_of(value);
  const double factor = std::round(value / power_of_ten(exponent));
  const std::string power = "10" + superscript(exponent);
  return factor == 1 ? power : fmt::format("{:.0f}×{}", factor, power);
}

Ticks linear_ticks(double low, double high, int most, bool whole = false) {
  // No more ticks than whole numbers: steps of 1 at least.
  if (whole) most = std::clamp(static_cast<int>(std::ceil(high - low)), 1, most);
  Ticks ticks;
  ticks.values = nice_ticks(low, high, most);
  const double size = std::max(std::abs(low), std::abs(high));
  if (size >= 1e6 || size < 1e-3) {
    ticks.exponent = static_cast<int>(3 * std::floor((std::log10(size) + 1e-9) / 3));
  }
  const double unit = power_of_ten(ticks.exponent);
  const double step = nice_step(high - low, most) / unit;
  const int decimals = std::max(0, -decade_of(step));
  for (const double value : ticks.values) ticks.labels.push_back(fixed(value / unit, decimals));
  return ticks;
}

Ticks logarithmic_ticks(double low, double high, int most) {
  Ticks ticks;
  ticks.values = log_ticks(low, high, most);
  // Less than a decade may hold no round number but those of a linear axis.
  if (ticks.values.size() < 2) return linear_ticks(low, high, most);
  const bool plain = ticks.values.front() >= 0.999e-3 && ticks.values.back() < 1.001e5;
  for (const double value : ticks.values) {
    ticks.labels.push_back(
        plain ? without_trailing_zeros(fixed(value, std::max(0, -decade_of(value))))
              : decade_label(value));
  }
  constexpr int kMaxDecadesWithMinorTicks = 8;
  const int first = decade_of(low);
  const int last = decade_of(high);
  if (last - first > kMaxDecadesWithMinorTicks) return ticks;
  for (int decade = first; decade <= last; ++decade) {
    for (int factor = 2; factor < 10; ++factor) {
      const double value = factor * power_of_ten(decade);
      if (value >= low && value <= high) ticks.minor.push_back(value);
    }
  }
  return ticks;
}

}  // namespace

void Range::include(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

double Range::share(double value, bool logarithmic) const {
  if (!logarithmic) return (value - low) / (high - low);
  return (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
}

bool drawable(const Axis& axis, double value) {
  if (!std::isfinite(value) || std::abs(value) > kMaxValue) return false;
  return axis.scale == Scale::linear || value >= kMinValue;
}

std::vector<double> nice_ticks(double low, double high, int most) {
  const double step = nice_step(high - low, most);
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-6);
  for (int i = 0; i <= most + 1; ++i) {
    const double value = (first + i) * step;
    if (value > high + 1e-6 * step) break;
    ticks.push_back(value == 0 ? 0 : value);  // no negative zero
  }
  return ticks;
}

std::vector<double> log_ticks(double low, double high, int most) {
  const int first = decade_of(low);
  const int last = decade_of(high);
  std::vector<double> ticks;
  const auto collect = [&](std::span<const double> factors, int stride) {
    ticks.clear();
    for (int decade = first; decade <= last; ++decade) {
      if (decade % stride != 0) continue;
      for (const double factor : factors) {
        const double value = factor * power_of_ten(decade);
        if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) ticks.push_back(value);
      }
    }
    return static_cast<int>(ticks.size());
  };
  constexpr std::array kFactors{1.0, 2.0, 5.0};
  if (collect(kFactors, 1) <= most) return ticks;
  int stride = 1;
  while (collect(std::span(kFactors).first(1), stride) > most) ++stride;
  return ticks;
}

std::size_t name_stride(double needed, double step) {
  const double least = needed / std::max(step, 1e-6);
  return least <= 1 ? 1 : static_cast<std::size_t>(std::min(round_up(least), 1e6));
}

AxisScale::AxisScale(const Axis& axis, Range data, Ends ends, int most_ticks)
    : logarithmic_(axis.scale == Scale::logarithmic), whole_(axis.whole) {
  for (const auto& end : {axis.low, axis.high}) {
    if (end && drawable(axis, *end)) data.include(*end);
  }
  if (logarithmic_) {
    if (data.empty()) data = {1, 10};
    const double room = std::exp(0.03 * (std::log(data.high) - std::log(data.low)));
    // A range of hundreds of decades must not run out of what a double holds.
    range_ = ends == Ends::round ? Range{round_down(data.low), round_up(data.high)}
                                 : Range{std::max(data.low / room, 1e-5 * kMinValue),
                                         std::min(data.high * room, 1e5 * kMaxValue)};
    if (range_.high / range_.low < 1 + 1e-9) range_ = {range_.low / 2, range_.high * 2};
  } else {
    data = widened(data);
    const double span = data.high - data.low, step = nice_step(span, most_ticks);
    range_ = ends == Ends::round ? Range{std::floor(data.low / step + 1e-6) * step,
                                         std::ceil(data.high / step - 1e-6) * step}
                                 : Range{data.low - 0.03 * span, data.high + 0.03 * span};
  }
  thin_ticks(most_ticks);
}

double AxisScale::fraction(double value) const {
  // An interval may reach down to zero: it is drawn to the end of the axis.
  return range_.share(logarithmic_ ? std::max(value, range_.low) : value, logarithmic_);
}

void AxisScale::thin_ticks(int most) {
  ticks_ = logarithmic_ ? logarithmic_ticks(range_.low, range_.high, most)
                        : linear_ticks(range_.low, range_.high, most, whole_);
}

std::string axis_title(const Axis& axis, int exponent) {
  std::string unit = exponent == 0 ? "" : "×10" + superscript(exponent);
  if (!unit.empty() && !axis.unit.empty()) unit += ' ';
  unit += axis.unit;
  if (unit.empty()) return axis.label;
  return axis.label.empty() ? unit : fmt::format("{} ({})", axis.label, unit);
}

std::string number_text(double value, int significant) {
  if (std::isnan(value)) return tr("not a number");
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (std::floor(value) == value && size < 1e9) return fixed(value, 0);
  if (size >= 1e6 || size < 1e-3) return scientific(value, significant);
  return without_trailing_zeros(fixed(value, significant - 1 - decade_of(size)));
}

std::vector<std::string> column_texts(std::span<const double> values, int significant) {
  bool whole = true;
  double largest = 0;
  double smallest = kMaxValue;  // apart from zero
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    const double size = std::abs(value);
    whole = whole && std::floor(value) == value;
    largest = std::max(largest, size);
    if (size > 0) smallest = std::min(smallest, size);
  }
  constexpr double kMaxSpread = 1e5;
  const bool same_size =
      largest < 1e9 && (whole || (smallest > 1e-5 && largest / smallest < kMaxSpread));
  const int decimals =
      whole || largest == 0 ? 0 : std::clamp(significant - 1 - decade_of(largest), 0, 6);
  std::vector<std::string> texts;
  for (const double value : values) {
    texts.push_back(std::isnan(value)                   ? "–"
                    : same_size && std::isfinite(value) ? fixed(value, decimals)
                                                        : number_text(value, significant));
  }
  return texts;
}

std::string value_text(const Axis& axis, double value) {
  return number_text(value) + (axis.unit.empty() ? "" : " " + axis.unit);
}

bool ValueFilter::fits(const Axis& axis, double value) {
  if (drawable(axis, value)) return true;
  const bool finite = std::isfinite(value) && std::abs(value) <= kMaxValue;
  ++(finite ? not_positive_ : not_finite_);
  return false;
}

bool ValueFilter::takes(const Axis& axis, double value) {
  const bool taken = fits(axis, value);
  taken_ += taken;
  return taken;
}

bool ValueFilter::takes(const Axis& x_axis, double x, const Axis& y_axis, double y) {
  return fits(x_axis, x) && takes(y_axis, y);
}

std::vector<std::string> ValueFilter::notes() const {
  std::vector<std::string> notes;
  const auto count = [&](std::size_t number, std::string_view one, std::string_view many) {
    if (number == 0) return;
    notes.push_back(
        fmt::format("{} {}", typeset(std::to_string(number)), tr(number == 1 ? one : many)));
  };
  count(not_finite_, "value that is not a finite number is left out.",
        "values that are not finite numbers are left out.");
  count(not_positive_, "value of zero or less has no place on a logarithmic axis.",
        "values of zero or less have no place on a logarithmic axis.");
  return notes;
}

}  // namespace damier::report
