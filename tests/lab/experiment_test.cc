// Published figures as data, comparisons with them, and the list of experiments.
#include "damier/lab/experiment.h"

#include <set>

#include <gtest/gtest.h>

#include "damier/lab/words.h"

namespace damier::lab {
namespace {

constexpr const char* kExample = R"({
  "title": "An example", // comments are allowed
  "source": {"authors": "Somebody", "title": "Something", "place": "Somewhere", "year": "2020"},
  "seconds": {"full": 100, "quick": 10},
  "listed": [{"what": "wins", "figure": "players.best.wins"}, {"what": "speed"}],
  "figures": [{"name": "error", "kind": "loss", "value": 0.25},
              {"name": "again", "kind": "share", "value": 82.35, "reach": 0.4}],
  "tables": [{"name": "players",
              "columns": [{"name": "wins", "kind": "share"}, {"name": "note", "kind": "text"}],
              "rows": [{"name": "best", "cells": [86.6, "with luck"]},
                       {"name": "other", "cells": [null, null]}]}],
  "plan": {"full": {"games": 100, "seeds": 3}, "quick": {"games": 10}},
  "cited": [{"what": "a solver", "value": "92.5 %", "source": "Others"}],
  "comparisons": [
    {"ours": "players.best.wins", "what": "wins of {player}", "published": "players.best.wins", "better": "higher"},
    {"ours": "error", "what": "error", "published": "error", "better": "lower"},
    {"ours": "kept", "what": "value kept", "goal": 70, "better": "higher"},
    {"ours": "speed", "what": "speed"}
  ]
})";

Json example_json() { return parse_json(kExample, "example", JsonComments::allowed).value(); }

std::string error_of(const std::function<void(Json&)>& damage) {
  Json json = example_json();
  damage(json);
  const auto read = read_published(dump_line(json), "x");
  return read ? "none" : read.error().text();
}

TEST(PublishedFiles, HoldFiguresByName) {
  const auto read = read_published(kExample, "x");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->name, "x");
  EXPECT_EQ(read->source.text(), "Somebody: Something (Somewhere, 2020)");
  EXPECT_EQ(read->value("error"), 0.25);
  EXPECT_EQ(read->text("players.best.wins"), "86.6 %");
  EXPECT_EQ(read->text("again"), "82.35 % ± 0.4");
  EXPECT_EQ(read->cell("players.best.note"), "with luck");
  EXPECT_EQ(read->cell("players.other.note"), "");
  EXPECT_FALSE(read->figure("players.other.wins"));
  EXPECT_FALSE(read->figure("players.best.note"));
  EXPECT_FALSE(read->figure("nothing"));
}

TEST(PublishedFiles, SayWhatIsWrong) {
  EXPECT_EQ(error_of([](Json&) {}), "none");
  EXPECT_EQ(error_of([](Json& json) { json.erase("title"); }),
            "experiments/x.json: title: missing");
  EXPECT_EQ(error_of([](Json& json) { json["figures"][0].erase("value"); }),
            "experiments/x.json: figures[0].value: missing");
  EXPECT_EQ(error_of([](Json& json) { json["figures"][0]["valu"] = 1; }),
            "experiments/x.json: figures[0]: unknown key 'valu'; did you mean 'value'? (known: "
            "value, name, kind, reach)");
  EXPECT_EQ(error_of([](Json& json) { json["figures"][0]["value"] = "much"; }),
            "experiments/x.json: figures[0].value: is \"much\"; expected a number");
  EXPECT_EQ(error_of([](Json& json) { json["figures"][0]["name"] = "erro"; }),
            "experiments/x.json: comparisons[1].published: no figure is called 'error'");
  EXPECT_EQ(error_of([](Json& json) { json["listed"][0]["figure"] = "players.worst.wins"; }),
            "experiments/x.json: listed[0].figure: no figure is called 'players.worst.wins'");
  // A figure that a row needs, but that was not printed.
  EXPECT_EQ(error_of([](Json& json) { json["tables"][0]["rows"][0]["cells"][0] = nullptr; }),
            "experiments/x.json: listed[0].figure: no figure is called 'players.best.wins'");
  EXPECT_EQ(error_of([](Json& json) { json["tables"][0]["rows"][1]["cells"].push_back(1); }),
            "experiments/x.json: table players, row other: has 3 cells; expected 2");
  EXPECT_EQ(error_of([](Json& json) { json["tables"][0]["rows"][1]["cells"][0] = "x"; }),
            "experiments/x.json: table players, row other: wins is \"x\"; expected a number or "
            "null");
  EXPECT_EQ(error_of([](Json& json) { json["tables"][0]["rows"][1]["name"] = "best"; }),
            "experiments/x.json: table players: 'best' stands there twice");
  EXPECT_EQ(error_of([](Json& json) { json["figures"][0]["kind"] = "shore"; }).substr(0, 68),
            "experiments/x.json: figures[0].kind: unknown kind 'shore'; did you m");
  EXPECT_EQ(error_of([](Json& json) { json["comparisons"][0]["better"] = "more"; }),
            "experiments/x.json: comparisons[0].better: is 'more'; expected \"higher\" or "
            "\"lower\"");
  EXPECT_EQ(error_of([](Json& json) { json["comparisons"][0]["goal"] = 1; }),
            "experiments/x.json: comparisons[0]: has a published figure and a goal; expected one");
  EXPECT_FALSE(read_published("{", "x"));
}

// A plan as a study reads it.
struct ExamplePlan {
  int games = 0, seeds = 0;
};
void describe(auto& fields, Is<ExamplePlan> auto& plan) {
  fields("games", plan.games);
  fields("seeds", plan.seeds);
}

TEST(PublishedFiles, AQuickPlanIsTheFullOneButForWhatItSays) {
  Published published = read_published(kExample, "x").value();
  EXPECT_EQ(read_plan<ExamplePlan>(published, false)->games, 100);
  EXPECT_EQ(read_plan<ExamplePlan>(published, true)->games, 10);
  EXPECT_EQ(read_plan<ExamplePlan>(published, true)->seeds, 3);
  published.plan.quick["game"] = 1;
  EXPECT_EQ(read_plan<ExamplePlan>(published, true).error().text(),
            "experiments/x.json: plan: unknown key 'game'; did you mean 'games'? (known: games, "
            "seeds)");
}

Json example_findings() {
  return {{"players", {{"best", {{"wins", estimate_json(share_estimate(80, 100))}}}}},
          {"error", estimate_json({0.2, {0.19, 0.21}, 50, EstimateKind::loss})},
          {"kept", estimate_json(share_estimate(75, 100))},
          {"speed", estimate_json(bare_estimate(EstimateKind::number, 12, 1))},
          {"player", "net"}};
}

TEST(Comparisons, StandBesideWhatWasPublished) {
  const Published published = read_published(kExample, "x").value();
  const auto rows = compare(published, example_findings());
  ASSERT_TRUE(rows) << rows.error().text();
  const report::Table table = comparison_table(*rows);
  EXPECT_EQ(plain_text(table),
            "Our figures beside the published ones\n"
            "\n"
            "What           Published     Ours        Interval  Verdict\n"
            "───────────  ───────────  ───────  ──────────────  ───────────────────\n"
            "wins of net       86.6 %  80.00 %  [71.12, 86.66]  within the interval\n"
            "error               0.25      0.2    [0.19, 0.21]  reached\n"
            "value kept   goal ≥ 70 %  75.00 %  [65.70, 82.45]  reached\n"
            "speed          not given       12                  not given\n"
            "\n" +
                table.note + "\n");
  EXPECT_EQ(count_verdicts(*rows).given, 3u);
  EXPECT_EQ(count_verdicts(*rows).reached, 2u);
  EXPECT_EQ(count_verdicts(*rows).met, 3u);
  const Json json = comparison_json((*rows)[0]);
  EXPECT_EQ(json["published"], "86.6 %");
  EXPECT_EQ(json["verdict"], "within");
  EXPECT_EQ(json["is_goal"], false);
  EXPECT_EQ(comparison_json((*rows)[2])["published"], "≥ 70 %");
  EXPECT_EQ(comparison_json((*rows)[2])["is_goal"], true);
  EXPECT_EQ(comparison_json((*rows)[3])["published"], nullptr);
  EXPECT_EQ(comparison_json((*rows)[3])["interval"], nullptr);
  EXPECT_EQ(comparison_json((*rows)[3])["verdict"], nullptr);
}

TEST(Comparisons, MissNothing) {
  const Published published = read_published(kExample, "x").value();
  Json findings = example_findings();
  findings.erase("error");
  EXPECT_EQ(compare(published, findings).error().text(),
            "experiments/x.json: comparisons[1]: nothing was measured that is called 'error'");
  findings = example_findings();
  findings.erase("player");
  EXPECT_EQ(compare(published, findings).error().text(),
            "experiments/x.json: comparisons[0]: nothing was found that is called 'player'");
}

TEST(Verdicts, LookAtTheFigureFirstAndThenAtItsInterval) {
  const Estimate figure{0.9, {0.85, 0.95}, 100, EstimateKind::share};
  EXPECT_EQ(verdict_at_least(figure, 0.9), report::Verdict::reached);
  EXPECT_EQ(verdict_at_least(figure, 0.95), report::Verdict::within);
  EXPECT_EQ(verdict_at_least(figure, 0.96), report::Verdict::missed);
  EXPECT_EQ(verdict_at_most(figure, 0.9), report::Verdict::reached);
  EXPECT_EQ(verdict_at_most(figure, 0.85), report::Verdict::within);
  EXPECT_EQ(verdict_at_most(figure, 0.84), report::Verdict::missed);
  const Estimate certain = bare_estimate(EstimateKind::share, 0.9, 100);
  EXPECT_EQ(verdict_at_least(certain, 0.91), report::Verdict::missed);
}

TEST(Experiments, AreKnownByNameAndByTheirFiles) {
  std::set<std::string_view> names;
  for (const Experiment& experiment : experiments()) {
    EXPECT_TRUE(names.insert(experiment.name).second) << experiment.name;
    EXPECT_EQ(find_experiment(experiment.name).value().study, experiment.study);
    const auto published = find_published(experiment.name);
    ASSERT_TRUE(published) << published.error().text();
    EXPECT_FALSE(published->listed.empty());
    EXPECT_GT(published->seconds.full, published->seconds.quick);
    EXPECT_LE(published->seconds.quick, 300);
    const auto words = find_words(experiment.name);
    EXPECT_TRUE(words.ok()) << words.error().text();
  }
  // No file without an experiment.
  for (const auto& [name, text] : builtin_experiments()) EXPECT_TRUE(names.contains(name)) << name;
  for (const auto& [name, text] : builtin_words()) EXPECT_TRUE(names.contains(name)) << name;
  const auto unknown = find_experiment("fanorna");
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(unknown.error().message.starts_with(
      "unknown experiment 'fanorna'; did you mean 'fanorona'? (known: fanorona"))
      << unknown.error().message;
}

TEST(Experiments, HaveAFolderForEachSizeAndSeed) {
  ExperimentOptions options;
  options.seed = Seed{7};
  EXPECT_EQ(experiment_folder("x", options)->filename(), "x-7");
  options.quick = true;
  EXPECT_EQ(experiment_folder("x", options)->filename(), "x-quick-7");
  EXPECT_EQ(experiment_folder("x", options)->parent_path().filename(), "experiments");
  options.folder = "here";
  EXPECT_EQ(*experiment_folder("x", options), "here");
}

TEST(AboutTexts, AreNoMoreExactThanAnEstimate) {
  EXPECT_EQ(about_text(3), "5 seconds");
  EXPECT_EQ(about_text(60), "60 seconds");
  EXPECT_EQ(about_text(130), "3 minutes");
  EXPECT_EQ(about_text(5400), "1.5 hours");
  EXPECT_EQ(about_text(7300), "2.5 hours");
}

}  // namespace
}  // namespace damier::lab
