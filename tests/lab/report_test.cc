// What a reader may expect of a report: one page that is well-formed, asks for nothing from
// elsewhere, and shows any text as it was written, however hostile.
#include "damier/lab/report.h"

#include <cctype>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "damier/lab/svg.h"

namespace damier::lab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Reads a document by XML's rules, as far as we use them, with a stack of open tags.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // Empty when the document is well-formed, else what is wrong.
  std::string fault() {
    if (cleaned(text_) != text_) return "not clean UTF-8";
    if (text_.starts_with("<!DOCTYPE html>\n")) at_ = 16;
    bool had_root = false;
    while (at_ < text_.size() && fault_.empty()) {
      if (text_[at_] != '<') {
        read_text();
        continue;
      }
      if (open_.empty() && had_root) return "a second root";
      had_root = true;
      read_tag();
    }
    if (fault_.empty() && !open_.empty()) return "not closed: " + open_.back();
    if (fault_.empty() && !had_root) return "no root";
    return fault_;
  }

  const std::vector<std::pair<std::string, std::string>>& attributes() const { return all_; }
  const std::multiset<std::string>& tags() const { return tags_; }

 private:
  void fail(const std::string& what) {
    if (fault_.empty()) fault_ = what + " near: " + std::string(text_.substr(at_, 80));
  }

  void check_references(std::string_view part) {
    for (std::size_t i = part.find('&'); i != std::string_view::npos; i = part.find('&', i + 1)) {
      const std::string_view rest = part.substr(i + 1);
      bool known = false;
      for (const std::string_view name : {"amp;", "lt;", "gt;", "quot;", "#39;", "#13;"}) {
        known = known || rest.starts_with(name);
      }
      if (!known) fail("an unknown reference");
    }
  }

  void read_text() {
    const std::size_t end = std::min(text_.find('<', at_), text_.size());
    const std::string_view part = text_.substr(at_, end - at_);
    check_references(part);
    if (part.find("]]>") != std::string_view::npos) fail("]]> in text");
    if (open_.empty() && part.find_first_not_of(" \n") != std::string_view::npos) {
      fail("text outside of the root");
    }
    at_ = end;
  }

  std::string read_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  text_[at_] == '-' || text_[at_] == ':')) {
      ++at_;
    }
    if (at_ == begin) fail("no name");
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool take(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }

  void read_tag() {
    if (take("</")) {
      const std::string name = read_name();
      if (!take(">")) fail("an end tag that does not end");
      if (open_.empty() || open_.back() != name) return fail("closes another tag: " + name);
      open_.pop_back();
      return;
    }
    take("<");
    const std::string name = read_name();
    tags_.insert(name);
    std::set<std::string> seen;
    while (fault_.empty() && take(" ")) {
      const std::string attribute = read_name();
      if (!seen.insert(attribute).second) fail("twice the attribute " + attribute);
      if (!take("=\"")) fail("an attribute without quotes");
      const std::size_t end = text_.find('"', at_);
      if (end == std::string_view::npos) return fail("an open quote");
      const std::string_view value = text_.substr(at_, end - at_);
      if (value.find('<') != std::string_view::npos) fail("< in an attribute");
      check_references(value);
      all_.emplace_back(attribute, value);
      at_ = end + 1;
    }
    if (take("/>")) return;
    if (!take(">")) return fail("a tag that does not end");
    open_.push_back(name);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string fault_;
  std::vector<std::string> open_;
  std::vector<std::pair<std::string, std::string>> all_;
  std::multiset<std::string> tags_;
};

// Everything that must hold for any page or drawing.
void expect_sound(const std::string& document) {
  Reader reader(document);
  ASSERT_EQ(reader.fault(), "");
  std::set<std::string> ids;
  for (const auto& [name, value] : reader.attributes()) {
    EXPECT_NE(name, "src");
    EXPECT_NE(name, "style");
    EXPECT_FALSE(name.starts_with("on")) << name;
    if (name == "href") {
      EXPECT_TRUE(value.starts_with("#")) << value;
    }
    if (name == "id") {
      EXPECT_TRUE(ids.insert(value).second) << "twice the id " << value;
    }
    if (name != "xmlns") {
      EXPECT_EQ(value.find("http"), std::string::npos) << value;
    }
    for (const std::string_view geometry :
         {"x", "y", "x1", "y1", "x2", "y2", "width", "height", "d", "viewBox"}) {
      if (name != geometry) continue;
      EXPECT_EQ(value.find_first_not_of("0123456789.- MLHVQZah"), std::string::npos) << value;
    }
  }
  EXPECT_EQ(reader.tags().count("script"), 0U);
  EXPECT_EQ(reader.tags().count("link"), 0U);
  EXPECT_EQ(document.find("@import"), std::string::npos);
  EXPECT_EQ(document.find("url("), std::string::npos);
}

// One figure of each kind, with `name` for every text and `values` for every number.
std::vector<Figure> figures_of(const std::string& name, const std::vector<double>& values,
                               Scale scale) {
  const Axis axis{.label = name, .unit = name, .scale = scale};
  LineChart lines{axis, axis, {{name, {}}, {name, {}}}, {{name, values.empty() ? 0 : values[0]}}};
  BarChart bars{name, {}, axis, {{name, {}}, {name, {}}}, {{name, 1}}};
  ScatterPlot scatter{axis, axis, {{name, {}}, {name, {}}}, true, true};
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

Report report_of(const std::vector<Figure>& figures, const std::string& text) {
  Report report{text, text, text, {text, text}, {}, text};
  Section section{text,
                  {Paragraph{text}, BulletList{{text, text}}, Preformatted{text},
                   KeyNumbers{{{text, text, text}}},
                   ReportTable{{text, {{text}}, {{{{text, Verdict::within, true}}}}, text}}}};
  for (const auto& figure : figures) {
    section.blocks.push_back(ReportFigure{figure, {text, text, {text}}});
  }
  report.sections.push_back(section);
  return report;
}

TEST(Report, IsWellFormedAndAsksForNothingFromElsewhere) {
  for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
    const auto figures = figures_of("Name", {1, 2, 3.5, 10}, scale);
    expect_sound(html(report_of(figures, "Plain text.")));
    for (const auto& figure : figures) expect_sound(svg(figure, {.standalone = true}));
  }
}

TEST(Report, TheCheckerItselfFindsFaults) {
  for (const char* wrong :
       {"<a>", "<a></b>", "<a/><b/>", "<a b=c/>", "<a b=\"1\" b=\"2\"/>", "<a>&nbsp;</a>",
        "<a>x</a>y", "<a b=\"<\"/>", "", "<a>\xFF</a>", "<a><b></a></b>", "<br>"}) {
    EXPECT_NE(Reader(wrong).fault(), "") << wrong;
  }
  EXPECT_EQ(Reader("<a b=\"c\">&amp;<d/></a>\n").fault(), "");
}

TEST(Report, ShowsHostileTextAsText) {
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
    for (const auto& figure : figures) expect_sound(svg(figure, {.id = hostile}));
  }
}

TEST(Report, DrawsAnyNumbers) {
  const std::vector<std::vector<double>> data{
      {},
      {5},
      {0},
      {3, 3, 3, 3},
      {kMissing, kInfinity, -kInfinity},
      {kMissing, 1, kInfinity, 2},
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

TEST(Report, HasContentsFromFourSectionsOn) {
  Report report{.title = "T"};
  for (int i = 0; i < 3; ++i) report.sections.push_back({"Section <" + std::to_string(i), {}});
  EXPECT_EQ(html(report).find("<nav"), std::string::npos);
  report.sections.push_back({"Last", {}});
  const std::string page = html(report);
  expect_sound(page);
  EXPECT_NE(page.find("<a href=\"#section-4\">Last</a>"), std::string::npos);
  EXPECT_NE(page.find("<section id=\"section-4\">"), std::string::npos);
}

TEST(Report, NumbersFiguresAndTablesAndSaysHowTheyWereMade) {
  const Figure figure{"Strength", "", LineChart{{}, {}, {{"a", {{1, 2}, {2, 3}}}}}};
  const Provenance source{"damier contest --seed 7", "7", {"Damier 0.1.0"}};
  Report report{.title = "T"};
  report.sections = {{"S",
                      {ReportFigure{figure, source}, ReportFigure{figure},
                       ReportTable{{"Results", {{"A"}}, {{{"x"}}}}, source}}}};
  const std::string page = html(report);
  expect_sound(page);
  EXPECT_NE(page.find("<span>Figure 2</span>Strength"), std::string::npos);
  EXPECT_NE(page.find("<span>Table 1</span>Results"), std::string::npos);
  EXPECT_NE(page.find("<span>--seed</span> <span>7</span>"), std::string::npos);
  EXPECT_NE(page.find("<li>Seed 7</li><li>Damier 0.1.0</li>"), std::string::npos);
  EXPECT_NE(page.find("<summary>Data of figure 1</summary>"), std::string::npos);
}

TEST(Report, ShowsVerdictsByWordAndNotByColourAlone) {
  Report report{.title = "T"};
  Table table{"", {{"Claim"}, {"Verdict"}}, {}};
  for (const Verdict verdict : {Verdict::reached, Verdict::within, Verdict::missed}) {
    table.rows.push_back({{"claim", {"", verdict}}});
  }
  report.sections = {{"S", {ReportTable{table}}}};
  const std::string page = html(report);
  for (const char* word : {">reached<", ">within the interval<", ">missed<"}) {
    EXPECT_NE(page.find(word), std::string::npos) << word;
  }
}

TEST(Report, IsTheSameForTheSameValue) {
  const Report report = report_of(figures_of("n", {1, 2, 3}, Scale::linear), "text");
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
}  // namespace damier::lab
