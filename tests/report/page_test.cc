// What a reader may expect of a report: one page that is well-formed, asks for nothing from
// elsewhere, and shows any text as it was written, however hostile.
#include "damier/report/page.h"

#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/report/sound_page.h"
#include <gtest/gtest.h>

#include "damier/report/svg.h"

namespace damier::report {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

// One figure of each kind, with `name` for every text and `values` for every number.
std::vector<Figure> figures_of(const std::string& name, const std::vector<double>& values,
                               Scale scale) {
  const Axis axis{.label = name, .unit = name, .scale = scale};
  LineChart lines{axis, axis, {{name, {}}, {name, {}}}, {{name, values.empty() ? 0 : values[0]}}};
  BarChart bars{name, {}, axis, {{name, {}}, {name, {}}}, {{name, 1}}};
  ScatterPlot scatter{axis, axis, {{name, {}}, {name, {}}}};
  HeatMap map{name, name, {}, {name}, {values}, axis};
  HeatMap two_ways = map;
  for (const double value : values) {
    lines.curves[0].points.push_back({value, value, value - 1, value + 1});
    lines.curves[1].points.push_back({1, value});
    bars.categories.push_back(name);
    bars.series[0].bars.push_back({value, value, 2 * value});
    scatter.series[0].points.push_back({value, value});
    scatter.series[1].points.push_back({2, value});
    map.columns.push_back(name);
  }
  two_ways.columns = map.columns;
  two_ways.middle = 1;
  const std::vector<Chart> charts{lines,
                                  bars,
                                  Histogram{axis, name, {{name, values}, {name, values}}},
                                  Histogram{axis, name, {{name, values}}, 5},
                                  BoxPlot{name, axis, {{name, values}, {name, {}}}},
                                  scatter,
                                  map,
                                  two_ways};
  std::vector<Figure> figures;
  for (const auto& chart : charts) figures.push_back({name, name, chart});
  return figures;
}

Page report_of(const std::vector<Figure>& figures, const std::string& text) {
  Page report{text, text, text, {text, text}, {}, text};
  Section section{text,
                  {Paragraph{text}, BulletList{{text, text}}, Preformatted{text},
                   KeyNumbers{{{text, text, text}}},
                   PageTable{{text, {{text}}, {{{{text, Verdict::within, true}}}}, text}}}};
  for (const auto& figure : figures) {
    section.blocks.push_back(PageFigure{figure, {text, text, {text}}});
  }
  report.sections.push_back(section);
  return report;
}

TEST(Page, IsWellFormedAndAsksForNothingFromElsewhere) {
  for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
    const auto figures = figures_of("Name", {1, 2, 3.5, 10}, scale);
    expect_sound(html(report_of(figures, "Plain text.")));
    for (const auto& figure : figures) expect_sound(svg(figure));
  }
}

TEST(Page, TheCheckerItselfFindsErrors) {
  for (const char* wrong :
       {"<a>", "<a></b>", "<a/><b/>", "<a b=c/>", "<a b=\"1\" b=\"2\"/>", "<a>&nbsp;</a>",
        "<a>x</a>y", "<a b=\"<\"/>", "", "<a>\xFF</a>", "<a><b></a></b>", "<br>"}) {
    EXPECT_NE(PageReader(wrong).error(), "") << wrong;
  }
  EXPECT_EQ(PageReader("<a b=\"c\">&amp;<d/></a>\n").error(), "");
}

TEST(Page, ShowsHostileTextAsText) {
  const std::string hostile =
      "</title></style></svg><script>alert(\"1\")</script> <img src='x' onerror=\"y\"/> ]]> <!-- & "
      "&lt; `a<b` *c>d* \xFF\xC0\x80 \x01\x1B \xED\xA0\x80 \xEF\xBF\xBF \r\n\t\" ' 😀 é";
  for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
    const auto figures = figures_of(hostile, {1, 2, 3}, scale);
    const std::string page = html(report_of(figures, hostile));
    expect_sound(page);
    EXPECT_EQ(page.find("<script"), std::string::npos);
    EXPECT_EQ(page.find("<img"), std::string::npos);
    EXPECT_NE(page.find("<code>a&lt;b</code> <em>c&gt;d</em>"), std::string::npos);
    for (const auto& figure : figures) expect_sound(svg(figure, hostile));
  }
}

TEST(Page, DrawsAnyNumbers) {
  const std::vector<std::vector<double>> data{
      {},
      {5},
      {0},
      {3, 3, 3, 3},
      {kMissing, kEndless, -kEndless},
      {kMissing, 1, kEndless, 2},
      {0, -1, 10, 100},
      {1e300, -1e300, 1e299},
      {1e308, 1.7e308, -1.7e308},
      {1e-300, 5e-324, 2e-308},
      {1e-300, 1, 1e300},
      {1e16, 1e16 + 2, 1e16 + 4},
      {-1e-9, -2e-9, -3.3e-9},
  };
  for (const auto& values : data) {
    for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
      expect_sound(html(report_of(figures_of("n", values, scale), "text")));
    }
  }
}

TEST(Page, HasContentsFromFourSectionsOn) {
  Page report{.title = "T"};
  for (int i = 0; i < 3; ++i) report.sections.push_back({"Section <" + std::to_string(i), {}});
  EXPECT_EQ(html(report).find("<nav"), std::string::npos);
  report.sections.push_back({"Last", {}});
  const std::string page = html(report);
  expect_sound(page);
  EXPECT_NE(page.find("<a href=\"#section-4\">Last</a>"), std::string::npos);
  EXPECT_NE(page.find("<section id=\"section-4\">"), std::string::npos);
}

TEST(Page, NumbersFiguresAndTablesAndSaysHowTheyWereMade) {
  const Figure figure{"Strength", "", LineChart{{}, {}, {{"a", {{1, 2}, {2, 3}}}}}};
  const Provenance source{"damier contest --seed 7", "7", {"Damier 0.1.0"}};
  Page report{.title = "T"};
  report.sections = {{"S",
                      {PageFigure{figure, source}, PageFigure{figure},
                       PageTable{{"Results", {{"A"}}, {{{"x"}}}}, source}}}};
  const std::string page = html(report);
  expect_sound(page);
  EXPECT_NE(page.find("<span>Figure 2</span>Strength"), std::string::npos);
  EXPECT_NE(page.find("<span>Table 1</span>Results"), std::string::npos);
  EXPECT_NE(page.find("<span>--seed</span> <span>7</span>"), std::string::npos);
  EXPECT_NE(page.find("<li>Seed 7</li><li>Damier 0.1.0</li>"), std::string::npos);
  EXPECT_NE(page.find("<summary>Data of figure 1</summary>"), std::string::npos);
}

TEST(Page, ShowsVerdictsByWordAndNotByColourAlone) {
  Page report{.title = "T"};
  Table table{"", {{"Claim"}, {"Verdict"}}, {}};
  for (const Verdict verdict : {Verdict::reached, Verdict::within, Verdict::missed}) {
    table.rows.push_back({{"claim", {"", verdict}}});
  }
  report.sections = {{"S", {PageTable{table}}}};
  const std::string page = html(report);
  for (const char* word : {">reached<", ">within the interval<", ">missed<"}) {
    EXPECT_NE(page.find(word), std::string::npos) << word;
  }
}

TEST(Page, IsTheSameForTheSameValue) {
  const Page report = report_of(figures_of("n", {1, 2, 3}, Scale::linear), "text");
  EXPECT_EQ(html(report), html(report));
}

TEST(InlineMarkup, KnowsCodeEmphasisAndStrong) {
  EXPECT_EQ(inline_html("run `a*b*` *now* **or** never"),
            "run <code>a*b*</code> <em>now</em> <strong>or</strong> never");
  EXPECT_EQ(inline_html("**a *b* c**"), "<strong>a <em>b</em> c</strong>");
}

TEST(InlineMarkup, LeavesLonelySignsAlone) {
  EXPECT_EQ(inline_html("2 * 3 * 4"), "2 * 3 * 4");
  EXPECT_EQ(inline_html("a ` b"), "a ` b");
  EXPECT_EQ(inline_html("*"), "*");
  EXPECT_EQ(inline_html("**"), "**");
  EXPECT_EQ(inline_html("***"), "***");
  EXPECT_EQ(inline_html("``"), "``");
  EXPECT_EQ(inline_html("\\*a\\* \\`b\\` \\\\"), "*a* `b` \\");
  EXPECT_EQ(inline_html(""), "");
}

}  // namespace
}  // namespace damier::report
