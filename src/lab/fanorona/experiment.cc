#include "damier/lab/fanorona/experiment.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/model/model.h"

namespace damier::lab {

namespace {

constexpr int kRevision = 3;
constexpr int kEvaluatedBatch = 256;

// "fanorona-batch-norm" -> "batch norm", "fanorona-report" -> "the report's"
std::string short_name(const std::string& recipe) {
  if (recipe == "fanorona-report") return "the report's";
  const std::string prefix = "fanorona-";
  std::string name = recipe.starts_with(prefix) ? recipe.substr(prefix.size()) : recipe;
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

Result<FanoronaEvaluation> evaluate(Study& study, const learn::Recipe& recipe,
                                    const std::string& path) {
  const auto data = study.data(recipe);
  if (!data) return data.error();
  const auto model = model::open_model(path);
  if (!model) return model.error();
  return model->visit([&](const auto& weights) {
    const auto network = model::network_copy(weights, weights.spec(), kEvaluatedBatch);
    return evaluate_fanorona(*model::predict_with(*network), **data, learn::Split::test);
  });
}

// A training, and a look at where its network goes wrong.
void add_network(Study& study, const learn::Recipe& recipe, FanoronaNetwork& into) {
  into.name = short_name(recipe.name);
  study.train("train " + recipe.name, recipe, study.seed(), into.trained);
  study.measure<FanoronaEvaluation>(
      {"evaluate " + recipe.name, 1.5},
      [recipe] {
        return Json{{"measure", "evaluation"}, {"recipe", recipe.json}};
      },
      [&study, recipe, &into] { return evaluate(study, recipe, into.trained.model); },
      into.evaluation);
}

// The report's recipes, then ours.
Result<std::vector<learn::Recipe>> recipes_of(const FanoronaPlan& plan) {
  std::vector<learn::Recipe> recipes;
  const auto add = [&](const std::string& name, const learn::Settings& settings) -> Status {
    auto recipe = learn::find_recipe(name, settings);
    if (!recipe) return std::move(recipe).error();
    recipes.push_back(*std::move(recipe));
    return Done{};
  };
  for (const std::string& name : plan.recipes) {
    if (auto status = add(name, plan.settings); !status) return std::move(status).error();
  }
  if (auto status = add(plan.ours, plan.ours_settings); !status) return std::move(status).error();
  return recipes;
}

}  // namespace

FanoronaPlan fanorona_plan(bool quick) {
  FanoronaPlan plan;
  plan.settings = {R"(evaluation.sets=["training","test","reachable"])"};
  if (!quick) return plan;
  plan.settings.emplace_back("epochs=4");
  plan.ours_settings = {"epochs=4", "evaluation.every=1"};
  return plan;
}

Result<FanoronaFindings> study_fanorona(const FanoronaPlan& plan, const ExperimentOptions& options,
                                        const ExperimentContext& context) {
  // Whatever is wrong is told before the work.
  const auto recipes = recipes_of(plan);
  if (!recipes) return recipes.error();
  const auto entry = context.registry.find("fanorona");
  if (!entry) return entry.error();
  auto game = (*entry)->make({});
  if (!game) return std::move(game).error();
  play::ContestPlan contest;
  contest.toolkit = context.registry.toolkit(*std::move(game));
  contest.games = plan.games;
  contest.opening_plies = plan.opening_plies;
  contest.seed = options.seed;
  // Once and for all: the study's own trainings may change what the player's text means.
  const auto player = play::open_player(*contest.toolkit, plan.player);
  if (!player) return player.error();
  if (player->is_human()) return Error{"a human has no place in an experiment"};
  const std::string fingerprint = player_fingerprint(*contest.toolkit, *player);
  std::vector<play::Contest> matches;
  for (const std::string& opponent : plan.opponents) {
    contest.players = {plan.player, opponent};
    auto opened = play::open_contest(contest);
    if (!opened) return std::move(opened).error();
    opened->opened.front() = *player;
    matches.push_back(*std::move(opened));
  }

  auto study = open_study("fanorona", kRevision, options, context);
  if (!study) return std::move(study).error();
  FanoronaFindings findings;
  findings.plan = plan;
  findings.networks.resize(plan.recipes.size());
  findings.matches.resize(plan.opponents.size());
  for (std::size_t i = 0; i < plan.recipes.size(); ++i) {
    add_network(*study, (*recipes)[i], findings.networks[i]);
  }
  add_network(*study, recipes->back(), findings.ours);
  study->measure<FanoronaEvaluation>(
      {fmt::format("{} on the reachable positions", plan.player), 5},
      [&] {
        return Json{{"measure", "reachable"},
                    {"player", plan.player},
                    {"fingerprint", fingerprint},
                    {"states", plan.most_states}};
      },
      [&]() -> Result<FanoronaEvaluation> {
        auto cells = evaluate_fanorona_player(
            *contest.toolkit, *player, options.seed, plan.most_states, context.pool,
            [&](double share) { study->tell(share, ""); }, [&] { return study->stopped(); });
        if (!cells) return std::move(cells).error();
        if (study->stopped()) return interruption();
        return FanoronaEvaluation{*std::move(cells), {}};
      },
      findings.reachable);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    add_match(*study, matches[i], fingerprint, findings.matches[i]);
  }
  if (auto status = study->run(); !status) return std::move(status).error();
  return findings;
}

std::size_t best_extension(const FanoronaFindings& findings) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < findings.networks.size(); ++i) {
    const auto kept = [&](std::size_t at) {
      return findings.networks[at].on_test("value_kept").value;
    };
    if (best == 0 || kept(i) > kept(best)) best = i;
  }
  return best;
}

Measured measured_fanorona(const FanoronaFindings& findings) {
  Measured measured;
  auto& figures = measured.figures;
  const std::size_t best = best_extension(findings);
  figures["report.label_accuracy"] = findings.networks.front().on_test("label_accuracy");
  figures["report.value_kept"] = findings.networks.front().on_test("value_kept");
  figures["best.value_kept"] = findings.networks[best].on_test("value_kept");
  figures["ours.value_kept"] = findings.ours.on_test("value_kept");
  figures["ours.shortest"] = findings.ours.on_test("shortest");
  std::int64_t kept = 0, n = 0;
  for (const FanoronaCell& cell : findings.reachable.cells) kept += cell.kept, n += cell.n;
  Estimate reachable = share_estimate(kept, n);
  // Where every position was asked, there is nothing left to be uncertain about.
  if (findings.plan.most_states == 0) {
    reachable = bare_estimate(EstimateKind::share, reachable.value, n);
  }
  figures["reachable.value_kept"] = reachable;
  for (std::size_t i = 0; i < findings.matches.size(); ++i) {
    figures["lost." + findings.plan.opponents[i]] = lost_games(findings.matches[i]);
  }
  measured.words = {{"best", findings.networks[best].name},
                    {"player", findings.plan.player},
                    {"games", std::to_string(findings.plan.games)}};
  return measured;
}

Result<ExperimentResult> run_fanorona(const Published& published, const ExperimentOptions& options,
                                      const ExperimentContext& context) {
  const auto findings = study_fanorona(fanorona_plan(options.quick), options, context);
  if (!findings) return findings.error();
  return present_fanorona(published, *findings, options);
}

}  // namespace damier::lab
