// What a reader may expect of a drawing: round ticks, honest axes, readable numbers, and a word
// about whatever could not be drawn. That the markup is well-formed is report_test.cc's subject.
#include "damier/report/plot/plot.h"

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "damier/report/plot/axis.h"
#include "damier/report/plot/table.h"
#include "damier/report/svg.h"

namespace damier::report {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++found;
  }
  return found;
}

bool contains(std::string_view text, std::string_view part) { return count(text, part) > 0; }

void expect_near(const std::vector<double>& values, const std::vector<double>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i], 1e-9 * (1 + std::abs(expected[i])));
  }
}

Figure line_figure(std::vector<CurvePoint> points, Scale y_scale = Scale::linear) {
  return {"Title", "Caption",
          LineChart{
              {.label = "Time"}, {.label = "Value", .scale = y_scale}, {{"a", std::move(points)}}}};
}

// --- ticks ----------------------------------------------------------------------------------

TEST(Ticks, AreMultiplesOfOneTwoOrFive) {
  expect_near(nice_ticks(0, 1, 5), {0, 0.2, 0.4, 0.6, 0.8, 1});
  expect_near(nice_ticks(-3, 12, 6), {0, 5, 10});
  expect_near(nice_ticks(0, 97, 6), {0, 20, 40, 60, 80});
  expect_near(nice_ticks(1e9, 1.4e9, 4), {1e9, 1.1e9, 1.2e9, 1.3e9, 1.4e9});
}

TEST(Ticks, StayInRangeAndAreFewForRangesOfAnySize) {
  for (int exponent = -290; exponent <= 290; exponent += 7) {
    for (const double share : {1.0, 1.7, 3.3, 9.99}) {
      const double high = share * std::pow(10.0, exponent);
      const double low = -0.3 * high;
      const auto ticks = nice_ticks(low, high, 6);
      ASSERT_GE(ticks.size(), 2U) << high;
      EXPECT_LE(ticks.size(), 7U) << high;
      EXPECT_GE(ticks.front(), low * (1 + 1e-6));
      EXPECT_LE(ticks.back(), high * (1 + 1e-6));
    }
  }
}

TEST(Ticks, OfALogarithmicAxisArePowersOfTen) {
  expect_near(log_ticks(1, 1e5, 6), {1, 10, 100, 1e3, 1e4, 1e5});
  expect_near(log_ticks(1, 100, 9), {1, 2, 5, 10, 20, 50, 100});
  // Many decades: every so many of them only.
  EXPECT_LE(log_ticks(1e-30, 1e30, 6).size(), 6U);
}

TEST(Ticks, LabelsShareTheirDecimalsAndTakeOutLargePowers) {
  const AxisScale small({}, {0, 1}, Ends::round, 5);
  EXPECT_EQ(small.ticks().labels,
            (std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  const AxisScale thousands({}, {0, 20000}, Ends::round, 4);
  EXPECT_EQ(thousands.ticks().labels.back(), "20,000");
  const Axis nodes{.label = "Nodes", .unit = "n"};
  const AxisScale millions(nodes, {0, 3e7}, Ends::round, 3);
  EXPECT_EQ(millions.ticks().labels, (std::vector<std::string>{"0", "10", "20", "30"}));
  EXPECT_EQ(axis_title(nodes, millions.ticks().exponent), "Nodes (×10⁶ n)");
  const AxisScale negative({}, {-1, 0}, Ends::round, 2);
  EXPECT_EQ(negative.ticks().labels.front(), "−1.0");
}

TEST(AxisScale, OneValueAndNoValueHaveAnAxisToo) {
  for (const double value : {0.0, 5.0, -3e-9, 1e299, 1e-310}) {
    const AxisScale scale({}, {value, value}, Ends::round, 6);
    EXPECT_LT(scale.low(), scale.high()) << value;
    const double place = scale.fraction(value);
    EXPECT_GE(place, 0) << value;
    EXPECT_LE(place, 1) << value;
    EXPECT_GE(scale.ticks().values.size(), 2U) << value;
  }
  const AxisScale empty({.scale = Scale::logarithmic}, {}, Ends::padded, 6);
  EXPECT_LT(empty.low(), empty.high());
}

TEST(AxisScale, ReachesAsFarAsAskedAndNeverHidesData) {
  const AxisScale scale({.low = 0, .high = 100}, {40, 130}, Ends::round, 6);
  EXPECT_LE(scale.low(), 0);
  EXPECT_GE(scale.high(), 130);
}

TEST(AxisScale, LogarithmicAxisHasEqualStepsForEqualFactors) {
  const AxisScale scale({.scale = Scale::logarithmic}, {1, 10000}, Ends::round, 6);
  EXPECT_NEAR(scale.fraction(100), 0.5, 1e-12);
  EXPECT_EQ(scale.fraction(0), 0);  // an interval that reaches down to zero
  const AxisScale widest({.scale = Scale::logarithmic}, {1e-299, 1e299}, Ends::round, 6);
  EXPECT_NEAR(widest.fraction(1), 0.5, 0.01);
}

// --- numbers --------------------------------------------------------------------------------

TEST(Numbers, AreWrittenForReaders) {
  EXPECT_EQ(number_text(12000), "12,000");
  EXPECT_EQ(number_text(-3), "−3");
  EXPECT_EQ(number_text(0.53124), "0.5312");
  EXPECT_EQ(number_text(1.25e-7), "1.25×10⁻⁷");
  EXPECT_EQ(number_text(6.02214e23), "6.022×10²³");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(kInfinity), "∞");
  EXPECT_EQ(number_text(kMissing), "not a number");
}

TEST(Numbers, OfAColumnHaveTheSameDecimals) {
  EXPECT_EQ(column_texts(std::vector{1.0, 2.5, 10.25}),
            (std::vector<std::string>{"1.00", "2.50", "10.25"}));
  EXPECT_EQ(column_texts(std::vector{3.0, kMissing, 1200.0}),
            (std::vector<std::string>{"3", "–", "1,200"}));
  // Sizes too different for that.
  EXPECT_EQ(column_texts(std::vector{1e-9, 1.5}), (std::vector<std::string>{"1×10⁻⁹", "1.5"}));
}

TEST(Numbers, PixelsAreNeverNotANumber) {
  EXPECT_EQ(pixels(kMissing), "0");
  EXPECT_EQ(pixels(kInfinity), "0");
  EXPECT_EQ(pixels(-0.001), "0");
  EXPECT_EQ(pixels(12.5), "12.5");
}

// --- texts ----------------------------------------------------------------------------------

TEST(SvgText, EscapesMarkupAndReplacesWhatIsNotUtf8) {
  EXPECT_EQ(escaped("<a b=\"c\">&'"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
  EXPECT_EQ(escaped("é€😀"), "é€😀");
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(escaped("a\xFF"), "a" + replacement);
  EXPECT_EQ(escaped("\xED\xA0\x80"), replacement + replacement + replacement);  // a surrogate
  EXPECT_EQ(escaped("\xC0\x80"), replacement + replacement);                    // an overlong zero
  EXPECT_EQ(escaped(std::string_view("\0\x1B", 2)), replacement + replacement);
  EXPECT_EQ(escaped("\xEF\xBF\xBF"), replacement);  // U+FFFF is not a character
  EXPECT_EQ(escaped("\xE2\x82"), replacement + replacement);
}

TEST(SvgText, WrapsBetweenWordsAndShortensAtCharacters) {
  EXPECT_EQ(wrapped("one two three", text_width("one two", 12), 12),
            (std::vector<std::string>{"one two", "three"}));
  const std::string cut = shortened("ééééééééééééééé", 60, 12);
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_LE(text_width(cut, 12), 66);
  EXPECT_EQ(escaped(cut).find("\xEF\xBF\xBD"), std::string::npos);
}

// --- drawings -------------------------------------------------------------------------------

TEST(Svg, IsResponsiveAndAccessible) {
  const std::string drawing = svg(line_figure({{0, 1}, {1, 2}}), "f");
  EXPECT_TRUE(contains(drawing, "viewBox=\"0 0 720 "));
  EXPECT_TRUE(contains(drawing, "role=\"img\" aria-labelledby=\"f-title f-desc\""));
  EXPECT_TRUE(contains(drawing, "<title id=\"f-title\">Title</title>"));
  EXPECT_TRUE(contains(drawing, "Line chart of Value over Time: a. Caption"));
  // Colours belong to the style sheet, which knows light and dark.
  EXPECT_FALSE(contains(drawing, "fill=\"#"));
  EXPECT_TRUE(contains(figure_css(), "prefers-color-scheme:dark"));
}

TEST(Svg, SaysWhenThereIsNoData) {
  const std::vector<Chart> charts{LineChart{}, BarChart{},    Histogram{},
                                  BoxPlot{},   ScatterPlot{}, HeatMap{}};
  for (const auto& chart : charts) {
    EXPECT_TRUE(contains(svg({"Empty", "", chart}), ">No data<")) << chart.index();
  }
}

TEST(Svg, SkipsValuesThatAreNotFiniteAndSaysSo) {
  const std::string drawing =
      svg(line_figure({{0, 1}, {1, kMissing}, {2, kInfinity}, {3, 2}, {4, 3}}));
  EXPECT_TRUE(contains(drawing, "2 values that are not finite numbers are left out."));
  EXPECT_EQ(count(drawing, "class=\"marker\""), 3U);
  // The curve is not drawn across the gap: only the last two points are joined.
  EXPECT_EQ(count(drawing, "class=\"curve\""), 1U);
}

TEST(Svg, LogarithmicAxisLeavesZeroOutAndSaysSo) {
  const std::string drawing = svg(line_figure({{0, 0}, {1, 10}, {2, -5}}, Scale::logarithmic));
  EXPECT_TRUE(contains(drawing, "2 values of zero or less have no place on a logarithmic axis."));
  EXPECT_EQ(count(drawing, "class=\"marker\""), 1U);
}

TEST(Svg, OnePointIsSeenAlsoWhereFewHaveMarkers) {
  std::vector<CurvePoint> points;
  for (int i = 0; i < 100; ++i) points.push_back({1.0 * i, i % 2 == 0 ? 1.0 * i : kMissing});
  EXPECT_EQ(count(svg(line_figure(points)), "class=\"marker\""), 50U);
}

TEST(Svg, OneCurveNeedsNoLegendTwoDo) {
  LineChart chart{{}, {}, {{"first", {{0, 0}, {1, 1}}}}};
  EXPECT_FALSE(contains(svg({"", "", chart}), "class=\"legend\""));
  chart.curves.push_back({"second", {{0, 1}, {1, 0}}});
  EXPECT_EQ(count(svg({"", "", chart}), "class=\"legend\""), 2U);
}

TEST(Svg, BandsAreDrawnWhereThereAreIntervals) {
  const std::string drawing = svg(line_figure({{0, 1, 0.5, 1.5}, {1, 2, 1.5, 2.5}, {2, 3}}));
  EXPECT_EQ(count(drawing, "class=\"band\""), 1U);
  EXPECT_TRUE(contains(drawing, "Bands show 95 % intervals."));
}

TEST(Svg, BandsMayBeAllThatWasMeasured) {
  LineChart chart{{}, {}, {{"seeds", {{0, 1, 0.5, 1.5}, {1, 2, 1.5, 2.5}}}}};
  chart.bands = Bands::ranges;
  const std::string drawing = svg({"", "", chart});
  EXPECT_TRUE(contains(drawing, "Bands reach from the lowest to the highest."));
  EXPECT_FALSE(contains(drawing, "95 %"));
}

TEST(Svg, SeveralReferencesHaveTheirNamesAtTheirLines) {
  LineChart chart{{}, {}, {{"curve", {{0, 0}, {1, 100}}}}, {{"low", 10}}};
  EXPECT_EQ(count(svg({"", "", chart}), ">low</text>"), 1U) << "in the legend";
  // The third has no place of its own beside the other two.
  chart.references = {{"low", 10}, {"lower", 9}, {"lowest", 8}};
  const std::string drawing = svg({"", "", chart});
  EXPECT_EQ(count(drawing, ">low</text>"), 2U);
  EXPECT_EQ(count(drawing, ">lower</text>"), 2U);
  EXPECT_EQ(count(drawing, ">lowest</text>"), 1U);
}

TEST(Svg, AnAxisThatCountsHasNoTickBetweenWholeNumbers) {
  LineChart chart{{}, {}, {{"curve", {{1, 50}, {4, 60}}}}};
  EXPECT_TRUE(contains(svg({"", "", chart}), ">1.5</text>"));
  chart.x.whole = true;
  const std::string drawing = svg({"", "", chart});
  EXPECT_FALSE(contains(drawing, ">1.5</text>"));
  for (const char* tick : {">1</text>", ">2</text>", ">3</text>", ">4</text>"}) {
    EXPECT_TRUE(contains(drawing, tick)) << tick;
  }
}

TEST(Svg, BarsStandOnZero) {
  const BarChart chart{"", {"a", "b"}, {.label = "Score"}, {{"s", {{60, 55, 65}, {70}}}}};
  const std::string drawing = svg({"", "", chart});
  EXPECT_TRUE(contains(drawing, ">0</text>"));
  EXPECT_EQ(count(drawing, "class=\"bar\""), 2U);
  EXPECT_EQ(count(drawing, "class=\"interval\""), 1U);
}

TEST(Svg, ThousandsOfPointsStaySmall) {
  ScatterPlot chart{.series = {{"s", {}}}};
  for (int i = 0; i < 20000; ++i) {
    chart.series[0].points.push_back({std::sin(i * 0.7), std::cos(i * 1.3)});
  }
  EXPECT_LT(svg({"", "", chart}).size(), 20000U * 20);
}

TEST(Svg, HeatMapWritesValuesWhereTheyFitAndLeavesMissingCellsEmpty) {
  const HeatMap small{"c", "r", {"a", "b"}, {"x"}, {{1.5, kMissing}}, {.label = "v"}};
  const std::string drawing = svg({"", "", small});
  EXPECT_TRUE(contains(drawing, ">1.50</text>"));
  EXPECT_EQ(count(drawing, "class=\"no-value\""), 1U);
  HeatMap large{"c", "r", {}, {"x"}, {{}}, {.label = "v"}};
  for (int i = 0; i < 100; ++i) {
    large.columns.push_back(std::to_string(i));
    large.values[0].push_back(0.125 + i);
  }
  EXPECT_FALSE(contains(svg({"", "", large}), ">0.125</text>"));
}

// Boxes of the labels along the axes, from the markup itself.
struct LabelBox {
  double left, right, baseline;
};

std::vector<LabelBox> tick_labels(std::string_view drawing) {
  std::vector<LabelBox> boxes;
  const std::string_view open = "<g class=\"tick\">";
  for (std::size_t at = drawing.find(open); at != std::string_view::npos;
       at = drawing.find(open, at + 1)) {
    std::string_view group = drawing.substr(at, drawing.find("</g>", at) - at);
    for (std::size_t text = group.find("<text x=\""); text != std::string_view::npos;
         text = group.find("<text x=\"", text + 1)) {
      const std::string_view label = group.substr(text, group.find("</text>", text) - text);
      const double x = std::stod(std::string(label.substr(9)));
      const double y = std::stod(std::string(label.substr(label.find(" y=\"") + 4)));
      const double width = text_width(label.substr(label.find('>') + 1), 12);
      const double before = contains(label, "\"middle\"") ? 0.5
                            : contains(label, "\"end\"")  ? 1
                                                          : 0;
      boxes.push_back({x - before * width, x + (1 - before) * width, y});
    }
  }
  return boxes;
}

TEST(Svg, LabelsOfAnAxisNeverOverlap) {
  std::vector<Chart> charts;
  for (const double size : {1e-12, 0.003, 1.0, 12345.678, 9e5, 4e6, 7e15}) {
    for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
      charts.push_back(
          LineChart{{.scale = scale},
                    {.scale = scale},
                    {{"a", {{size, size}, {size * 1.3, size * 2}, {size * 90, size}}}}});
      charts.push_back(LineChart{{.scale = scale},
                                 {.scale = scale},
                                 {{"a", {{size, size}, {size * (1 + 1e-7), size * 1.1}}}}});
    }
  }
  for (const int columns : {1, 5, 12, 40, 200}) {
    HeatMap map{.color = {.label = "v"}};
    BarChart bars{.series = {{"s", {}}}};
    for (int i = 0; i < columns; ++i) {
      const std::string name = "name " + std::to_string(i);
      map.columns.push_back(std::to_string(1000 + i));
      map.rows.push_back(name);
      map.values.emplace_back(columns, 1.0 * i);
      bars.categories.push_back(name);
      bars.series[0].bars.push_back({1.0 * i});
    }
    charts.emplace_back(map);
    charts.emplace_back(bars);
  }
  for (std::size_t chart = 0; chart < charts.size(); ++chart) {
    const auto boxes = tick_labels(svg({"", "", charts[chart]}));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      EXPECT_GE(boxes[i].left, -0.5) << "chart " << chart;
      EXPECT_LE(boxes[i].right, 720.5) << "chart " << chart;
      for (std::size_t k = i + 1; k < boxes.size(); ++k) {
        const bool apart = std::abs(boxes[i].baseline - boxes[k].baseline) >= 11 ||
                           boxes[i].right <= boxes[k].left || boxes[k].right <= boxes[i].left;
        EXPECT_TRUE(apart) << "chart " << chart << ", labels " << i << " and " << k;
      }
    }
  }
}

// --- distributions and tables ---------------------------------------------------------------

TEST(Bins, HoldEveryFiniteValueOnce) {
  Histogram chart{.samples = {{"a", {0.1, 0.2, 0.25, 0.9, kMissing}}, {"b", {0.5, 1.0}}}};
  const Bins bins = binned(chart);
  std::size_t total = 0;
  for (const auto& counts : bins.counts) {
    for (const std::size_t number : counts) total += number;
  }
  EXPECT_EQ(total, 6U);
  EXPECT_LE(bins.edges.front(), 0.1);
  EXPECT_GE(bins.edges.back(), 1.0);
}

TEST(Bins, OfSmallWholeNumbersAreCentredOnThem) {
  const Bins bins = binned({.samples = {{"plies", {3, 4, 4, 6}}}});
  EXPECT_EQ(bins.edges, (std::vector<double>{2.5, 3.5, 4.5, 5.5, 6.5}));
  EXPECT_EQ(bins.counts[0], (std::vector<std::size_t>{1, 2, 0, 1}));
}

TEST(Bins, AreAsManyAsAskedFor) {
  EXPECT_EQ(binned({.samples = {{"a", {0, 0.3, 1}}}, .bins = 7}).counts[0].size(), 7U);
  EXPECT_EQ(binned({.samples = {{"a", {2.5, 2.5}}}}).counts[0], (std::vector<std::size_t>{2}));
}

TEST(BoxSummary, HasQuartilesWhiskersAndOutliers) {
  const BoxSummary box = box_summary({1, 2, 3, 4, 5, 6, 7, 8, 9, 100, kMissing});
  EXPECT_EQ(box.count, 10U);
  EXPECT_DOUBLE_EQ(box.median, 5.5);
  EXPECT_DOUBLE_EQ(box.lower_quartile, 3.25);
  EXPECT_DOUBLE_EQ(box.upper_quartile, 7.75);
  EXPECT_DOUBLE_EQ(box.lower_whisker, 1);
  EXPECT_DOUBLE_EQ(box.upper_whisker, 9);
  EXPECT_EQ(box.outliers, (std::vector<double>{100}));
  EXPECT_NEAR(box.mean, 14.5, 1e-12);
}

TEST(DataTable, HasTheNumbersOfTheFigure) {
  const Table table = data_table(line_figure({{1, 2, 1.5, 2.5}, {2, 3}}));
  ASSERT_EQ(table.columns.size(), 4U);
  EXPECT_EQ(table.columns[0].name, "Time");
  EXPECT_EQ(table.columns[2].name, "95 % low");
  EXPECT_EQ(table.rows[0].cells[1].text, "2");
  EXPECT_EQ(table.rows[1].cells[2].text, "–");
}

TEST(DataTable, SaysHowManyRowsItLeavesOut) {
  ScatterPlot chart{.series = {{"s", std::vector<CurvePoint>(5000)}}};
  const Table table = data_table({"", "", chart}, 100);
  EXPECT_EQ(table.rows.size(), 100U);
  EXPECT_EQ(table.note, "The first 100 of 5,000 rows.");
}

TEST(DataTable, PrintsAsAlignedText) {
  const Table table{"", {{"Name"}, {"Score", Align::right}}, {{{"é", "1"}}, {{"long name", "12"}}}};
  EXPECT_EQ(plain_text(table),
            "Name       Score\n"
            "─────────  ─────\n"
            "é              1\n"
            "long name     12\n");
}

}  // namespace
}  // namespace damier::report
