// Figures as plain values: what is to be shown, not how. `svg` draws any of them, `data_table`
// (plot_table.h) prints the numbers behind it. Values that cannot be drawn (NaN, infinities, zero
// on a logarithmic axis) are left out and the figure says so under its axis.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "damier/base/numbers/estimate.h"

namespace damier::report {

// A value that is not there: no interval, an empty cell.
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

enum class Scale { linear, logarithmic };

struct Axis {
  std::string label = {};
  std::string unit = {};  // "Elo", "%", "ms"; stands in parentheses behind the label
  Scale scale = Scale::linear;
  // The axis reaches at least from here to there. It never hides data.
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
  bool whole = false;  // counts something: no tick between whole numbers
};

// A level to compare with: a line across the figure.
struct Reference {
  std::string name = {};
  double value = 0;
};

// --- curves ---------------------------------------------------------------------------------

struct CurvePoint {
  double x = 0;
  double y = 0;
  // The band around y, where there is one.
  double low = kMissing;
  double high = kMissing;
};
// Shares in percent.
CurvePoint point_of(double x, const Estimate& estimate);

struct Curve {
  std::string name = {};
  std::vector<CurvePoint> points = {};  // in the order in which they are joined
};

// What the bands around curves are: 95 % intervals, or all that was measured there.
enum class Bands { intervals, ranges };

struct LineChart {
  Axis x = {};
  Axis y = {};
  std::vector<Curve> curves = {};
  std::vector<Reference> references = {};  // levels of y
  Bands bands = Bands::intervals;
};

// --- grouped bars ---------------------------------------------------------------------------

struct Bar {
  double value = kMissing;
  double low = kMissing;  // the 95 % interval, where there is one
  double high = kMissing;
};
// Shares in percent.
Bar bar_of(const Estimate& estimate);

struct BarSeries {
  std::string name = {};
  std::vector<Bar> bars = {};  // one for each category
};

struct BarChart {
  std::string categories_label = {};
  std::vector<std::string> categories = {};
  Axis y = {};
  std::vector<BarSeries> series = {};
  std::vector<Reference> references = {};
};

// --- distributions --------------------------------------------------------------------------

struct Sample {
  std::string name = {};
  std::vector<double> values = {};
};

struct Histogram {
  Axis x = {};
  std::string counts_label = "Count";
  std::vector<Sample> samples = {};
  // How many bins; when missing, the width follows Freedman and Diaconis, rounded to 1-2-5.
  std::optional<int> bins = std::nullopt;
};

struct BoxPlot {
  std::string samples_label = {};
  Axis y = {};
  std::vector<Sample> samples = {};
};

// --- points ---------------------------------------------------------------------------------

struct ScatterPlot {
  Axis x = {};
  Axis y = {};
  std::vector<Curve> series = {};  // their points are not joined
};

// --- heat map -------------------------------------------------------------------------------

struct HeatMap {
  std::string columns_label = {};
  std::string rows_label = {};
  std::vector<std::string> columns = {};
  std::vector<std::string> rows = {};
  // values[row][column]; kMissing leaves a cell empty
  std::vector<std::vector<double>> values = {};
  Axis color = {};  // what the colours stand for
  // With a middle, colours run in two directions from it: wins and losses, gains and costs.
  std::optional<double> middle = std::nullopt;
  bool square_cells = false;  // for boards

  double value_at(std::size_t row, std::size_t column) const {
    const bool given = row < values.size() && column < values[row].size();
    return given ? values[row][column] : kMissing;
  }
};

// --- figures --------------------------------------------------------------------------------

using Chart = std::variant<LineChart, BarChart, Histogram, BoxPlot, ScatterPlot, HeatMap>;

struct Figure {
  std::string title = {};
  std::string caption = {};
  Chart chart = {};
};

// The page that holds the drawing shows the title and has figure_css() in a <style> element. `id`,
// distinct in a document, ties title and description to the drawing for screen readers.
std::string svg(const Figure& figure, std::string_view id = {});

// The style sheet of the drawings: marks carry class names, which it turns into colours for a light
// page, a dark one and paper.
std::string figure_css();
// Its declarations of the colour variables, without a selector.
std::string light_variables();
std::string dark_variables();

// The five numbers of a box plot, and the mean.
struct BoxSummary {
  std::size_t count = 0;
  double mean = kMissing;
  double median = kMissing;
  double lower_quartile = kMissing;
  double upper_quartile = kMissing;
  // The outermost values within 1.5 interquartile ranges of the box.
  double lower_whisker = kMissing;
  double upper_whisker = kMissing;
  std::vector<double> outliers = {};
};

// Of the finite values.
BoxSummary box_summary(const std::vector<double>& values);

// edges[i] <= value < edges[i + 1]; the last bin holds its upper edge too.
struct Bins {
  std::vector<double> edges = {};
  std::vector<std::vector<std::size_t>> counts = {};  // counts[sample][bin]
};

Bins binned(const Histogram& histogram);

}  // namespace damier::report
