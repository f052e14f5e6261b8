// The colours of figures and pages. Page and drawing have the same ground, so that rings around
// markers vanish into it.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "damier/report/plot/frame.h"
#include "damier/report/plot/plot.h"

namespace damier::report {

namespace {

// Chosen to stay apart under the three kinds of colour blindness (at least 6 units of OKLab
// difference between any two, 9 among the first four) and to have a contrast of 3:1 or more.
constexpr std::array<std::string_view, kSeriesColors> kLightSeries{
    "#0067ad", "#c54f00", "#00997a", "#943b6a", "#b68d0b", "#3b9cdf", "#582d96"};
constexpr std::array<std::string_view, kSeriesColors> kDarkSeries{
    "#4ba5f8", "#f07d3c", "#3ed8a7", "#c87db0", "#f0c64f", "#9ed8ff", "#8a6fdc"};

using Color = std::array<double, 3>;

Color linear_rgb(std::string_view hex) {
  Color color{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = std::stoi(std::string(hex.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
    color[i] = part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  }
  return color;
}

std::string hex_of(const Color& linear) {
  std::string out = "#";
  for (const double part : linear) {
    const double p = std::clamp(part, 0.0, 1.0);
    const double encoded = p <= 0.0031308 ? 12.92 * p : 1.055 * std::pow(p, 1 / 2.4) - 0.055;
    out += fmt::format("{:02x}", static_cast<int>(std::lround(encoded * 255)));
  }
  return out;
}

// Equal steps in OKLab look equal.
Color to_oklab(const Color& c) {
  const double l = std::cbrt(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2]);
  const double m = std::cbrt(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2]);
  const double s = std::cbrt(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2]);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Color from_oklab(const Color& lab) {
  const auto cube = [](double v) { return v * v * v; };
  const double l = cube(lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2]);
  const double m = cube(lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2]);
  const double s = cube(lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2]);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

// The colour at `place` (0 … 1) of a ramp through `stops`.
Color ramp_color(const std::vector<std::string_view>& stops, double place) {
  const double position = place * static_cast<double>(stops.size() - 1);
  const auto before = std::min(static_cast<std::size_t>(position), stops.size() - 2);
  const double share = position - static_cast<double>(before);
  const Color a = to_oklab(linear_rgb(stops[before]));
  const Color b = to_oklab(linear_rgb(stops[before + 1]));
  Color mixed{};
  for (std::size_t i = 0; i < 3; ++i) mixed[i] = a[i] * (1 - share) + b[i] * share;
  return from_oklab(mixed);
}

double luminance(const Color& c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; }

// Black or white, whichever has more contrast.
std::string_view ink_on(const Color& ground) {
  const double light = luminance(ground) + 0.05;
  return 1.05 / light > light / 0.06 ? "#ffffff" : "#14171c";
}

std::string ramp_variables(char name, const std::vector<std::string_view>& stops) {
  std::string out;
  for (int i = 0; i < kRampSteps; ++i) {
    const Color color = ramp_color(stops, i / (kRampSteps - 1.0));
    out += fmt::format("--{0}{1}:{2};--{0}t{1}:{3};", name, i, hex_of(color), ink_on(color));
  }
  return out;
}

std::string series_variables(const std::array<std::string_view, kSeriesColors>& colors) {
  std::string out;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    out += fmt::format("--s{}:{};", i + 1, colors[i]);
  }
  return out;
}

constexpr std::string_view kRules = R"css(
.damier-plot{display:block;width:100%;height:auto;max-width:760px;margin:0 auto;color:var(--ink);
font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
font-size:12px;font-variant-numeric:tabular-nums}
.damier-plot text{fill:currentColor}
.damier-plot .axis-title{font-size:13px;fill:var(--muted)}
.damier-plot .legend{font-size:13px}
.damier-plot .tick text{fill:var(--muted)}
.damier-plot .note{font-size:11px;fill:var(--muted)}
.damier-plot .empty{font-size:14px;fill:var(--muted)}
.damier-plot .grid line{stroke:var(--grid);stroke-width:1}
.damier-plot .axis line{stroke:var(--axis);stroke-width:1}
.damier-plot .curve{fill:none;stroke:var(--series);stroke-width:2;stroke-linejoin:round;
stroke-linecap:round}
.damier-plot .band{fill:var(--series);fill-opacity:.16;stroke:none}
.damier-plot .marker{fill:var(--series);stroke:var(--surface);stroke-width:1.25}
.damier-plot .point{fill:var(--series);fill-opacity:.75;stroke:var(--surface);stroke-width:.75}
.damier-plot .dots{fill:none;stroke:var(--series);stroke-width:4;stroke-linecap:round;
stroke-opacity:.4}
.damier-plot .reference{stroke:var(--ink);stroke-width:1.25;stroke-dasharray:4 4;
stroke-opacity:.75}
.damier-plot .bar,.damier-plot .swatch{fill:var(--series)}
.damier-plot .overlaid{fill:var(--series);fill-opacity:.28;stroke:var(--series);stroke-width:1.5;
pointer-events:none}
.damier-plot .hover{fill:none;stroke:none;pointer-events:all}
.damier-plot .interval{fill:none;stroke:var(--ink);stroke-width:1.25}
.damier-plot .value text{font-size:11px;fill:var(--ink);paint-order:stroke;stroke:var(--surface);
stroke-width:3px;stroke-linejoin:round}
.damier-plot .box{fill:var(--series);fill-opacity:.2;stroke:var(--series);stroke-width:1.5}
.damier-plot .whisker{fill:none;stroke:var(--series);stroke-width:1.5}
.damier-plot .median{stroke:var(--series);stroke-width:3}
.damier-plot .mean{fill:var(--surface);stroke:var(--series);stroke-width:1.5}
.damier-plot .outliers{fill:none;stroke:var(--series);stroke-width:4;stroke-linecap:round;
stroke-opacity:.6}
.damier-plot .cell-value text{font-size:11px}
.damier-plot .no-value{fill:none;stroke:var(--grid);stroke-width:1}
.damier-plot .cell-value .no-value-ink{fill:var(--muted)}
.damier-plot .bar:hover,.damier-plot .marker:hover{filter:brightness(1.12)}
)css";

std::string indexed_rules() {
  std::string out;
  for (std::size_t i = 1; i <= kSeriesColors; ++i) {
    out += fmt::format(".damier-plot .s{0}{{--series:var(--s{0})}}\n", i);
  }
  for (const char name : {'q', 'd'}) {
    for (int i = 0; i < kRampSteps; ++i) {
      out += fmt::format(
          ".damier-plot .{0}{1}{{fill:var(--{0}{1})}}.damier-plot "
          ".{0}t{1}{{fill:var(--{0}t{1})}}\n",
          name, i);
    }
  }
  return out;
}

}  // namespace

std::string light_variables() {
  return "--surface:#ffffff;--ink:#1b1f24;--muted:#57606a;--grid:#e4e7eb;--axis:#8b939d;" +
         series_variables(kLightSeries) +
         ramp_variables('q', {"#eef5fb", "#a9cdea", "#4a93cc", "#0a5c9e", "#062f57"}) +
         ramp_variables(
             'd', {"#8f3500", "#d9702a", "#f5c9a6", "#f4f4f2", "#a9cdea", "#3585c3", "#07406f"});
}

std::string dark_variables() {
  return "--surface:#14171c;--ink:#e7eaee;--muted:#a3acb7;--grid:#2b3139;--axis:#6d7681;" +
         series_variables(kDarkSeries) +
         ramp_variables('q', {"#1b2530", "#124a78", "#2a80c2", "#78bcf0", "#e0f1ff"}) +
         ramp_variables(
             'd', {"#ffb47f", "#d9702a", "#7a3b14", "#262b32", "#1a4a75", "#3f94d8", "#a9d8ff"});
}

std::string figure_css() {
  // Dark for screens only: paper is white.
  return fmt::format(
             ".damier-plot{{{}}}\n@media screen and "
             "(prefers-color-scheme:dark){{.damier-plot{{{}}}}}\n",
             light_variables(), dark_variables()) +
         std::string(kRules.substr(1)) + indexed_rules();
}

}  // namespace damier::report
