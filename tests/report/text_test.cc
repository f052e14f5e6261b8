// A page as a terminal shows it, and curves drawn with characters.
#include "damier/report/text.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "damier/base/text/text.h"

namespace damier::report {
namespace {

TEST(PageText, PrintsFactsTablesAndCurvesUnderTheirHeadings) {
  const LineChart chart{
      {.label = "Epoch"}, {.unit = "%"}, {{"wins", {{1, 50}}}, {"draws", {{1, 5}, {2, 5}}}}};
  Page page{.title = "Run",
            .subtitle = "of a recipe",
            .lead = "Four words that wrap.",
            .facts = {"seed 1"}};
  page.sections = {
      {"Recipe", {Facts{{{"network", "dense 64"}, {"rate", "0.1"}}}}},
      {"Curves", {PageFigure{{"t", "c", chart}}}},
      {"Drawings", {PageFigure{{"t", "c", BarChart{}}}, Preformatted{"{}"}}},
      {"Figures", {PageTable{{"", {{"A"}}, {{{"x"}}}}}, Paragraph{"End."}, BulletList{{"one"}}}},
      {"Files", {Facts{{{"model", "a very long path that is kept whole"}}, true}}}};
  EXPECT_EQ(
      text(page, {.columns = 24,
                  .strong = [](std::string_view heading) { return "# " + std::string(heading); }}),
      "# Run\nof a recipe\nseed 1\n\n  Four words that wrap.\n"
      "\n# Recipe\n  network  dense 64\n  rate     0.1\n"
      "\n# Curves\n  wins: 50 % after epoch 1\n  draws: 5 % in all of 2 epochs\n"
      "\n# Figures\n  A\n  ─\n  x\n  End.\n  - one\n"
      "\n# Files\n  model  a very long path that is kept whole\n");
}

TEST(PageText, DrawsCurvesThatMove) {
  const LineChart chart{{.label = "Epoch"}, {}, {{"loss", {{1, 2}, {2, 1}}}}};
  Page page{.title = "Run"};
  page.sections = {{"", {PageFigure{{"t", "c", chart}}}}};
  const std::string shown = text(page, {.columns = 30, .unicode = false});
  EXPECT_NE(shown.find("  loss: 2 to 1 in 2 epochs\n  2 |"), std::string::npos) << shown;
}

TEST(CurveText, DrawsARisingLine) {
  const auto lines = curve_text({{1, 0}, {2, 1}, {3, 2}, {4, 3}}, 8, 4, false);
  EXPECT_EQ(lines, (std::vector<std::string>{"3 |   **", "  |  **", "  | *", "0 |*", "   1   4"}))
      << join(lines, "\n");
}

TEST(CurveText, KeepsItsWidthAndLeavesOutWhatIsNotFinite) {
  EXPECT_TRUE(curve_text({}, 40, 5, true).empty());
  EXPECT_TRUE(curve_text({{0, std::nan("")}}, 40, 5, true).empty());
  const auto lines = curve_text({{0, 1}, {1, std::nan("")}, {2, 1}}, 30, 5, true);
  ASSERT_EQ(lines.size(), 6u);
  for (const auto& line : lines) {
    const auto columns =
        std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
    EXPECT_LE(columns, 30) << line;
  }
}

}  // namespace
}  // namespace damier::report
