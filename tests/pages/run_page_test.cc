// The page of a run shows every figure as its kind is read.
#include "damier/pages/run_page.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "damier/base/numbers/estimate.h"
#include "damier/base/text/text.h"
#include "damier/games/registry.h"

namespace damier::pages {
namespace {

// All tables of a page, as they are printed.
std::string tables_of(const report::Page& page) {
  std::string text;
  for (const report::Section& section : page.sections) {
    for (const auto& block : section.blocks) {
      if (const auto* table = std::get_if<report::PageTable>(&block)) {
        text += plain_text(table->table);
      }
    }
  }
  return text;
}

const report::LineChart* chart_with(const report::Page& page, std::string_view curve) {
  for (const report::Section& section : page.sections) {
    for (const auto& block : section.blocks) {
      const auto* figure = std::get_if<report::PageFigure>(&block);
      const auto* chart =
          figure == nullptr ? nullptr : std::get_if<report::LineChart>(&figure->figure.chart);
      if (chart == nullptr) continue;
      if (std::any_of(chart->curves.begin(), chart->curves.end(),
                      [&](const report::Curve& one) { return one.name == curve; })) {
        return chart;
      }
    }
  }
  return nullptr;
}

Run training_run() {
  const std::vector<Metric> metrics = {
      {"safe_choice", share_estimate(9, 10)},
      {"bomb_loss", mean_estimate(EstimateKind::loss, 31.0, 10.0, 100)},
      {"mean_squared_error", bare_estimate(EstimateKind::loss, 0.0625, 100)}};
  damier::Run run;
  run.request.kind = "train";
  run.status = RunStatus::done;
  run.summary = {{"epochs", 2}, {"metrics", {{"test", metrics_json(metrics)}}}};
  return run;
}

TEST(RunPages, ShowLossesAsNumbersAndSharesInPercent) {
  const std::string tables = tables_of(run_page(training_run(), {}, {}));
  EXPECT_NE(tables.find("90.00 %"), std::string::npos) << tables;
  EXPECT_NE(tables.find("0.31 "), std::string::npos) << tables;
  EXPECT_NE(tables.find("0.0625 "), std::string::npos) << tables;
  EXPECT_EQ(tables.find("31.00"), std::string::npos) << tables;
  EXPECT_EQ(tables.find("6.25"), std::string::npos) << tables;
}

TEST(RunPages, DrawACurveAsTheFigureItEndsIn) {
  const std::vector<MetricRow> rows = {
      {1, "safe_choice", 0.9}, {1, "mean_squared_error", 0.5}, {1, "training_loss", 0.25}};
  const report::Page page = run_page(training_run(), rows, {});
  const auto end_of = [&](std::string_view name) {
    for (const report::Curve& curve : chart_with(page, name)->curves) {
      if (curve.name == name) return curve.points.back().y;
    }
    return report::kMissing;
  };
  EXPECT_DOUBLE_EQ(end_of("safe_choice"), 90);
  EXPECT_EQ(chart_with(page, "safe_choice")->y.unit, "%");
  EXPECT_EQ(end_of("mean_squared_error"), 0.5);
  EXPECT_EQ(chart_with(page, "mean_squared_error"), chart_with(page, "training_loss"));
  EXPECT_EQ(chart_with(page, "training_loss")->y.unit, "");
}

damier::Run self_play_run() {
  damier::Run run = training_run();
  run.request.config = {{"settings", {{"generations", 2}}}};
  return run;
}

TEST(RunPages, ShowLearningByPlayByGeneration) {
  const std::vector<MetricRow> rows = {
      {1, "training_loss", 2},   {1, "gate_score", 0.6}, {1, "score_random", 0.5},
      {2, "score_random", 0.75}, {1, "gate_score", 0.6}, {1, "draws", 0.25},
      {1, "first_wins", 0.5},    {1, "plies", 17},       {1, "simulations_per_second", 1e6}};
  const report::Page page = run_page(self_play_run(), rows, {});
  const report::LineChart* scores = chart_with(page, "score against random");
  ASSERT_NE(scores, nullptr);
  EXPECT_EQ(scores->x.label, "Generation");
  EXPECT_EQ(scores->y.unit, "%");
  ASSERT_EQ(scores->curves.size(), 2u);
  EXPECT_EQ(scores->curves[0].name, "score against the network before");
  EXPECT_EQ(scores->curves[1].points.back().y, 75);
  EXPECT_EQ(chart_with(page, "draws"), chart_with(page, "first_wins"));
  EXPECT_EQ(chart_with(page, "plies")->y.label, "Moves");
  EXPECT_EQ(chart_with(page, "simulations_per_second"), nullptr) << "tells of the machine";
  EXPECT_NE(page.lead.find("after generation"), std::string::npos) << page.lead;
}

TEST(RunPages, ShowTrainingsBesideEachOther) {
  const auto named = [](damier::Run run, const char* name, const char* recipe) {
    run.name = name;
    run.request.config["recipe"] = recipe;
    return run;
  };
  const std::vector<StoredTraining> trainings = {
      {named(training_run(), "one", "by-data"),
       {{1, "safe_choice", 0.5}, {2, "safe_choice", 0.75}, {1, "validation_loss", 2}},
       {}},
      {named(self_play_run(), "two", "by-play"),
       {{1, "safe_choice", 0.25}, {1, "draws", 0.5}, {1, "samples_per_second", 7}},
       {}}};
  const report::Page page = trainings_page(trainings);
  const report::LineChart* both = chart_with(page, "by-play two");
  ASSERT_NE(both, nullptr);
  ASSERT_EQ(both->curves.size(), 2u) << "what both have comes first";
  EXPECT_EQ(both->curves[0].name, "by-data one");
  EXPECT_EQ(both->curves[0].points.back().y, 75);
  EXPECT_EQ(both->curves[1].points.back().y, 25);
  EXPECT_EQ(both->x.label, "Epoch or generation");
  std::string titles;
  for (const auto& block : page.sections.front().blocks) {
    const auto& figure = std::get<report::PageFigure>(block).figure;
    titles += figure.title + "; " + figure.caption + "\n";
  }
  EXPECT_EQ(titles,
            "safe_choice by epoch or generation; \n"
            "draws by epoch or generation; Measured in by-play two alone.\n"
            "validation_loss by epoch or generation; Measured in by-data one alone.\n");
  EXPECT_NE(tables_of(page).find("by-data one, test"), std::string::npos);
}

// A game of first moves, to its end.
GameRow plain_game(const games::AnyGame& game) {
  const auto session = game.start(Seed{1});
  while (session->outcome() == games::Outcome::ongoing) {
    session->play(session->legal_actions().front());
  }
  GameRow row;
  row.first = row.second = "generation 1";
  row.moves = join(session->move_texts(), " ");
  row.plies = session->plies();
  row.outcome = session->outcome() == games::Outcome::draw         ? "draw"
                : session->outcome() == games::Outcome::first_wins ? "first"
                                                                   : "second";
  return row;
}

std::vector<report::Diagrams> diagrams_of(const report::Page& page) {
  std::vector<report::Diagrams> all;
  for (const report::Section& section : page.sections) {
    for (const auto& block : section.blocks) {
      if (const auto* diagrams = std::get_if<report::Diagrams>(&block)) all.push_back(*diagrams);
    }
  }
  return all;
}

TEST(RunPages, RateGenerationsByTheirGames) {
  std::vector<GameRow> games;
  const auto add = [&](const std::string& winner, const std::string& loser, int times) {
    for (int i = 0; i < times; ++i) {
      GameRow row;
      row.first = i % 2 == 0 ? winner : loser;
      row.second = i % 2 == 0 ? loser : winner;
      row.outcome = i % 2 == 0 ? "first" : "second";
      games.push_back(row);
    }
  };
  add("generation 4", "random", 30), add("random", "generation 4", 10);
  add("generation 8", "generation 4", 30), add("generation 4", "generation 8", 10);
  const report::Page page = run_page(self_play_run(), {}, games);
  const report::LineChart* chart = chart_with(page, "elo");
  ASSERT_NE(chart, nullptr);
  EXPECT_EQ(chart->y.label, "Elo");
  const auto& points = chart->curves[0].points;
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].x, 4);
  EXPECT_GT(points[0].y, 150);
  EXPECT_LT(points[0].low, points[0].y);
  EXPECT_NEAR(points[1].y, 2 * points[0].y, 10) << "three to one, twice";
  ASSERT_EQ(chart->references.size(), 1u);
  EXPECT_EQ(chart->references[0].name, "random");
  // What learns by reward counts epochs, and meets nobody but its opponents.
  for (GameRow& row : games) {
    for (std::string* name : {&row.first, &row.second}) {
      if (*name == "generation 8") *name = "epoch 8";
      if (*name == "generation 4") *name = "minimax:2";
    }
  }
  const report::Page by_reward = run_page(training_run(), {}, games);
  const report::LineChart* strength = chart_with(by_reward, "elo");
  ASSERT_NE(strength, nullptr);
  EXPECT_EQ(strength->x.label, "Epoch");
  ASSERT_EQ(strength->curves[0].points.size(), 1u);
  EXPECT_EQ(strength->curves[0].points[0].x, 8);
  EXPECT_EQ(strength->references.size(), 2u);
}

TEST(RunPages, DrawSomeGamesOfEveryGame) {
  const games::Registry all = games::builtin_games();
  for (const games::GameEntry& entry : all.entries()) {
    if (entry.facts.players != 2) continue;
    const auto game = entry.make({}).value();
    const GameRow row = plain_game(*game);
    const auto drawn =
        diagrams_of(run_page(self_play_run(), {}, std::vector{row, row}, game.get()));
    ASSERT_EQ(drawn.size(), 2u) << entry.facts.name;
    EXPECT_NE(drawn[0].caption.find("generation 1: "), std::string::npos) << drawn[0].caption;
    const auto& boards = drawn[0].diagrams;
    EXPECT_LE(boards.size(), 8u);
    ASSERT_GE(boards.size(), 2u) << entry.facts.name;
    EXPECT_TRUE(boards.back().svg.starts_with("<svg ")) << boards.back().svg;
    EXPECT_NE(boards.front().svg, boards.back().svg) << entry.facts.name;
    EXPECT_TRUE(boards.back().caption.starts_with(fmt::format("{}. ", row.plies)))
        << boards.back().caption;
  }
}

TEST(RunPages, PassOverGamesThatCannotBeReplayed) {
  const auto game = games::builtin_games().make("fanorona").value();
  GameRow row = plain_game(*game);
  row.moves += " 1-1";
  EXPECT_TRUE(diagrams_of(run_page(self_play_run(), {}, std::vector{row}, game.get())).empty());
}

TEST(RunPages, OfATournamentBeginWithTheRatings) {
  const auto game = games::builtin_games().make("fanorona").value();
  damier::Run run;
  run.request.kind = "tournament";
  run.summary = {{"players", {{{"player", "random"}, {"elo", -80}, {"games", 20}}}}};
  GameRow row = plain_game(*game);
  row.first = "random", row.second = "perfect", row.outcome = "second";
  const report::Page page = run_page(run, {}, std::vector{row, row}, game.get());
  ASSERT_GE(page.sections.size(), 2u);
  const auto* table = std::get_if<report::PageTable>(&page.sections[0].blocks[0]);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->table.caption, "Ratings");
  EXPECT_EQ(chart_with(page, "elo"), nullptr) << "no network has an epoch here";
}

TEST(RunPages, ShowAMatchWithItsInterval) {
  damier::Run run;
  run.request.kind = "match";
  run.summary = {
      {"a", {{"player", "one"}, {"wins", 3}, {"draws", 0}, {"losses", 1}, {"score", 0.75}}},
      {"b", {{"player", "two"}, {"wins", 1}, {"draws", 0}, {"losses", 3}, {"score", 0.25}}},
      {"interval", {0.3, 0.95}},
      {"elo", {{"difference", 190.8}, {"interval", {nullptr, 511.5}}}}};
  const std::string tables = tables_of(run_page(run, {}, {}));
  EXPECT_NE(tables.find("75.00 %"), std::string::npos) << tables;
  EXPECT_NE(tables.find("[30.00, 95.00]"), std::string::npos) << tables;
  EXPECT_NE(tables.find("Elo difference of the first: +191 [–, +512]."), std::string::npos)
      << tables;
}

}  // namespace
}  // namespace damier::pages
