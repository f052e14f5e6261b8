// The words of a study: how they name what was found, and the tables and drawings that they
// declare.
#include "damier/lab/words.h"

#include <cmath>

#include <gtest/gtest.h>

#include "damier/lab/drawn_words.h"
#include "damier/lab/found.h"

namespace damier::lab {
namespace {

const Published& published() {
  static const Published read = read_published(R"({
    "title": "x", "source": {"authors": "a", "title": "b", "place": "c"},
    "seconds": {"full": 2, "quick": 1}, "listed": [], "comparisons": [],
    "figures": [{"name": "again", "kind": "share", "value": 82.35, "reach": 0.4}],
    "tables": [{"name": "sizes",
                "columns": [{"name": "wins", "kind": "share"}, {"name": "note", "kind": "text"}],
                "rows": [{"name": "6x6", "cells": [83.5, "luck"]}, {"name": "8x8", "cells": [null, null]}]}]
  })",
                                               "x")
                                    .value();
  return read;
}

Json findings() {
  const auto share = [](int wins, int games) { return estimate_json(share_estimate(wins, games)); };
  return {{"games", 16082},
          {"player", "net"},
          {"quick", false},
          {"best",
           {{"name", "adam"}, {"loss", estimate_json({0.25, {0.2, 0.3}, 9, EstimateKind::loss})}}},
          {"boards",
           {{"6x6", {{"wins", share(80, 100)}, {"plies", 12.345}, {"is_best", true}}},
            {"8x8", {{"wins", share(10, 100)}, {"plies", 20}}}}},
          {"0.4", {{"wins", 7}}},
          {"curves", {{"loss", {{1, 0.5}, {2, 0.25}}}}},
          {"band", Json::array({Json::array({1, 0.5, 0.4, 0.6})})},
          {"names", Json::array({"a", "b"})},
          {"scores", {{"a", 1}, {"b", 2}}},
          {"values", {1.5, 2.5}}};
}

// The text with all filled in, or what is wrong with it.
std::string filled(const std::string& words) {
  const Json found = findings();
  Finder finder(found, published());
  finder.at("here");
  std::string text = finder.filled(words);
  return finder.error() ? finder.error()->text() : text;
}

TEST(FoundFigures, StandInWordsInTheirForms) {
  EXPECT_EQ(filled("{boards.6x6.wins} of {games:,} games of {player}"),
            "80.00 % of 16,082 games of net");
  EXPECT_EQ(filled("{boards.6x6.wins:.1%}, {boards.6x6.wins:.0}, {boards.6x6.wins:±1}"),
            "80.0 %, 80, 80.0 ± 7.8");
  EXPECT_EQ(filled("{boards.6x6.wins:[.1]} {boards.6x6.wins:to.0} {boards.6x6.wins:interval}"),
            "80.0 [71.1, 86.7] 71 to 87 [71.12, 86.66]");
  EXPECT_EQ(filled("{best.loss:.3} {best.loss:±2} {best.loss.n} {boards.6x6.plies:3g}"),
            "0.250 0.25 ± 0.05 9 12.3");
  EXPECT_EQ(filled("{scores.a:#game}, {scores.b:#game}"), "1 game, 2 games");
  EXPECT_EQ(filled("{published.again}, {published.again:g}, {published.sizes.6x6.note}"),
            "82.35 % ± 0.4, 82.35, luck");
}

TEST(FoundFigures, HaveNamesWithPointsAndPathsInPaths) {
  EXPECT_EQ(filled("{0.4.wins}"), "7");
  EXPECT_EQ(filled("{published.sizes.{board?6x6}.wins}"), "83.5 %");
}

TEST(FoundFigures, MayBeMissingWhereTheWordsSaySo) {
  EXPECT_EQ(filled("{nothing?—} {published.sizes.8x8.wins:g?—}"), "— —");
  EXPECT_EQ(filled("{?quick}quick{/}{!quick}whole, of {player}{/}"), "whole, of net");
  EXPECT_EQ(filled("{?best}{best.name}{/}{?worst}{worst.name}{/}"), "adam");
  EXPECT_EQ(filled("{nothing}"), "here: nothing was found that is called 'nothing'");
  EXPECT_EQ(filled("{player:.1}"), "here: 'player' has no form '.1'");
  EXPECT_EQ(filled("{player:nothing}"), "here: 'player' has no form 'nothing'");
  EXPECT_EQ(filled("{player"), "here: has no } at its end: '{player'");
  EXPECT_EQ(filled("{?player}x"), "here: has no {/} at its end: '{?player}x'");
}

constexpr const char* kBegin = "# Title\n\nSub-\ntitle\n\n> The\n> lead.\n\n## First\n\n";
constexpr const char* kEnd = "\n\n```comparisons\n```\n";

Result<Words> words_of(const std::string& text) { return read_words(kBegin + text + kEnd, "x.md"); }

report::Page page(const std::string& text) {
  const auto words = words_of(text);
  if (!words) {
    ADD_FAILURE() << words.error().text();
    return {};
  }
  const Json found = findings();
  Finder finder(found, published());
  report::Page page = page_of(*words, finder, {});
  if (finder.error()) ADD_FAILURE() << finder.error()->text();
  return page;
}

template <class T>
T block(const std::string& text) {
  const report::Page made = page(text);
  if (made.sections.empty() || !std::holds_alternative<T>(made.sections[0].blocks.at(0))) {
    ADD_FAILURE() << "another block: " << text;
    return {};
  }
  return std::get<T>(made.sections[0].blocks[0]);
}

TEST(StudyWords, AreAPageInMarkdown) {
  const report::Page made = page(
      "A paragraph\nof {player}.\n\n{?quick}Left out.{/}\n\n- one\n- two,\n  which goes on\n- "
      "{?quick}left out{/}\n\n<!-- a\ncomment -->\n## Second\n\nEnd.");
  EXPECT_EQ(made.title, "Title");
  EXPECT_EQ(made.subtitle, "Sub- title");
  EXPECT_EQ(made.lead, "The lead.");
  ASSERT_EQ(made.sections.size(), 2u);
  ASSERT_EQ(made.sections[0].blocks.size(), 2u);
  EXPECT_EQ(std::get<report::Paragraph>(made.sections[0].blocks[0]).text, "A paragraph of net.");
  EXPECT_EQ(std::get<report::BulletList>(made.sections[0].blocks[1]).items,
            (std::vector<std::string>{"one", "two, which goes on"}));
  EXPECT_EQ(made.sections[1].heading, "Second");
  EXPECT_EQ(made.sections[1].blocks.size(), 2u) << "the text and the comparisons";
}

TEST(StudyWords, SayWhereTheyAreWrong) {
  const auto error_of = [](const std::string& text) { return words_of(text).error().text(); };
  EXPECT_EQ(error_of("```tabel\n```").substr(0, 60),
            "x.md:11: unknown kind of block 'tabel'; did you mean 'table'");
  EXPECT_EQ(error_of("```lines\ncurv: a\n```").substr(0, 54),
            "x.md:12: unknown key 'curv'; did you mean 'curve'? (kn");
  EXPECT_EQ(error_of("```lines\nx: a\nx: b\n```"), "x.md:13: x stands there twice");
  EXPECT_EQ(error_of("```lines\nx\n```"), "x.md:12: x has no value");
  EXPECT_EQ(read_words("# T\n## S\n```table\n", "x.md").error().text(),
            "x.md:3: the block has no end (```)");
  EXPECT_NE(read_words("## S\n", "x.md").error().text().find("has no title"), std::string::npos);
  EXPECT_NE(read_words("# T\n## S\n", "x.md").error().text().find("comparisons"),
            std::string::npos);
}

TEST(StudyTables, AreHeadingsAndExpressionsOverRows) {
  const auto table = block<report::PageTable>(
                         "```table sizes\n"
                         "caption: Boards of {player}\n"
                         "rows: boards\n"
                         "strong: is_best\n"
                         "column: Board | {key}\n"
                         "column: Theirs > | {published.sizes.{key}.wins:g?—}\n"
                         "column: Ours > | {wins:.0} | verdict wins >= published.again\n"
                         "column: {key} > | {scores.{key}} | each names\n"
                         "note: A note\n"
                         "  in two lines.\n"
                         "```")
                         .table;
  EXPECT_EQ(plain_text(table),
            "Boards of net\n\n"
            "Board  Theirs                      Ours  a  b\n"
            "─────  ──────  ────────────────────────  ─  ─\n"
            "6x6      83.5  80 (within the interval)  1  2\n"
            "8x8         —               10 (missed)  1  2\n\n"
            "A note in two lines.\n");
}

TEST(StudyDrawings, AreCurvesOverListsAndOverMembers) {
  const auto figure = block<report::PageFigure>(
                          "```lines\n"
                          "title: Wins of {player}\n"
                          "x: Size (cells) | log\n"
                          "y: Won (%) | from 0 to 100\n"
                          "bands: ranges\n"
                          "curve: loss | curves.loss\n"
                          "curve: band | band\n"
                          "curve: ours | wins | over boards | at plies | where is_best\n"
                          "line: even | 50\n"
                          "line: {key} | value | each scores\n"
                          "line: again | published.again\n"
                          "```")
                          .figure;
  EXPECT_EQ(figure.title, "Wins of net");
  const auto& chart = std::get<report::LineChart>(figure.chart);
  EXPECT_EQ(chart.x.unit, "cells");
  EXPECT_EQ(chart.x.scale, report::Scale::logarithmic);
  EXPECT_EQ(chart.y.high, 100);
  EXPECT_EQ(chart.bands, report::Bands::ranges);
  ASSERT_EQ(chart.curves.size(), 3u);
  EXPECT_EQ(chart.curves[0].points[1].y, 25) << "a share of the findings, in percent";
  EXPECT_EQ(chart.curves[1].points[0].low, 40);
  ASSERT_EQ(chart.curves[2].points.size(), 1u);
  EXPECT_EQ(chart.curves[2].points[0].x, 12.345);
  EXPECT_EQ(chart.curves[2].points[0].y, 80);
  ASSERT_EQ(chart.references.size(), 4u);
  EXPECT_EQ(chart.references[0].value, 50) << "as it is written";
  EXPECT_EQ(chart.references[2].name, "b");
  EXPECT_EQ(chart.references[2].value, 200);
  EXPECT_EQ(chart.references[3].value, 82.35) << "as it was printed";
}

TEST(StudyDrawings, AreBarsMapsAndSamples) {
  const auto bars = std::get<report::BarChart>(
      block<report::PageFigure>("```bars\n"
                                "y: Won (%)\n"
                                "categories: boards | {key}\n"
                                "bar: theirs | published.sizes.{key}.wins\n"
                                "bar: ours | wins\n"
                                "```")
          .figure.chart);
  EXPECT_EQ(bars.categories, (std::vector<std::string>{"6x6", "8x8"}));
  EXPECT_EQ(bars.series[0].bars[0].value, 83.5);
  EXPECT_TRUE(std::isnan(bars.series[0].bars[1].value)) << "not printed";
  EXPECT_EQ(bars.series[1].bars[1].value, 10);
  const auto boxes = std::get<report::BoxPlot>(
      block<report::PageFigure>("```boxes\ny: Score\nsample: all | values\n```").figure.chart);
  EXPECT_EQ(boxes.samples[0].values, (std::vector<double>{1.5, 2.5}));
}

TEST(StudyDrawings, AreRepeatedForEachMember) {
  const report::Page made = page(
      "```numbers\nif: quick\nnumber: 1 | one | a\n```\n\n```bars\neach: names\ntitle: Of "
      "{key}\ny: Score\ncategories: scores | {key}\nbar: score | value\n```");
  ASSERT_EQ(made.sections[0].blocks.size(), 3u) << "two drawings, and the comparisons";
  EXPECT_EQ(std::get<report::PageFigure>(made.sections[0].blocks[1]).figure.title, "Of b");
}

}  // namespace
}  // namespace damier::lab
