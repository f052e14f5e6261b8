#include "damier/lab/fanorona/experiment.h"

#include <fmt/format.h>

#include "damier/base/interrupt.h"
#include "damier/base/version.h"
#include "damier/learn/model/judged_network.h"

namespace damier::lab {

namespace {

// Of what the steps find: a change of their code that changes a result counts it up.
constexpr int kRevision = 1;
constexpr int kJudgedBatch = 256;

Result<Json> examine(const learn::TrainingResult& result, const learn::DataSet& data) {
  auto network = network_of(result, kJudgedBatch);
  if (!network) return std::move(network).error();
  const auto examination =
      examine_fanorona(learn::judged_network(**network), data, learn::Split::test);
  if (!examination) return examination.error();
  return to_json(*examination);
}

std::string training_name(const std::string& recipe) { return "train " + recipe; }
std::string match_name(const FanoronaPlan& plan, const std::string& opponent) {
  return fmt::format("{} against {}", plan.player, opponent);
}
std::string reachable_name(const FanoronaPlan& plan) {
  return fmt::format("{} on the reachable positions", plan.player);
}

// About how long the epochs of each network take, in seconds on two cores.
double epoch_seconds(const std::string& recipe) {
  if (recipe == "fanorona") return 4.6;
  if (recipe == "fanorona-attention") return 1.7;
  return recipe == "fanorona-convolution" ? 0.6 : 0.25;
}

std::vector<PlannedStep> planned(const FanoronaPlan& plan, const std::vector<learn::Recipe>& all) {
  constexpr double kLooking = 1.5;
  std::vector<PlannedStep> steps;
  for (const learn::Recipe& recipe : all) {
    steps.push_back(
        {training_name(recipe.name), recipe.epochs * epoch_seconds(recipe.name) + kLooking});
  }
  steps.push_back({reachable_name(plan), 5});
  for (const std::string& opponent : plan.opponents) {
    steps.push_back({match_name(plan, opponent), 1});
  }
  return steps;
}

// The report's recipes, then ours.
Result<std::vector<learn::Recipe>> recipes_of(const FanoronaPlan& plan) {
  std::vector<learn::Recipe> recipes;
  for (const std::string& name : plan.recipes) {
    auto recipe = learn::find_recipe(name, plan.settings);
    if (!recipe) return std::move(recipe).error();
    recipes.push_back(*std::move(recipe));
  }
  auto ours = learn::find_recipe(plan.ours, plan.ours_settings);
  if (!ours) return std::move(ours).error();
  recipes.push_back(*std::move(ours));
  return recipes;
}

// The rows of a match, or of the player alone.
Result<Json> play_match(Study& study, const arena::Contest& contest, ThreadPool& pool) {
  arena::GameRows rows;
  std::int64_t done = 0;
  arena::play_contest(contest, rows, pool, [&](const GameRow&) {
    ++done;
    study.tell(static_cast<double>(done) / static_cast<double>(contest.total_games()),
               fmt::format("game {}/{}", done, contest.total_games()));
    return !study.stopped();
  });
  if (study.stopped() || interrupted()) return interruption();
  return to_json(summarize_match(contest, rows));
}

// What decides a step in which the player plays; `fingerprint` stands for its weights.
Json player_config(const FanoronaPlan& plan, const std::string& fingerprint, Seed seed) {
  return {{"damier", version()},
          {"revision", kRevision},
          {"player", plan.player},
          {"fingerprint", fingerprint},
          {"seed", value_of(seed)}};
}

class FanoronaExperiment final : public Experiment {
 public:
  std::string_view name() const override { return "fanorona"; }
  std::string_view title() const override {
    return "Fanoron-telo: a report's network, its extensions, and the exact game";
  }
  std::string_view source() const override {
    return "Ramaroson, Randrianarisoa, Rakotoarijaona, Ranaivo: Réseau de neurones pour le "
           "Fanorona "
           "3×3 (MIT, L3; no year given)";
  }
  std::vector<PublishedFigure> published() const override {
    return {{"accuracy of moves on unseen positions", ""},
            {"loss and accuracy by epoch", ""},
            {"gain of Adam, batch norm, dropout, convolution, residual, attention", ""}};
  }
  ExperimentDuration duration() const override { return {240, 45}; }

  Result<ExperimentResult> run(const ExperimentOptions& options,
                               const ExperimentContext& context) const override {
    const auto findings = study_fanorona(fanorona_plan(options.quick), options, context);
    if (!findings) return findings.error();
    return present_fanorona(*findings);
  }
};

}  // namespace

const Experiment& fanorona_experiment() {
  static const FanoronaExperiment experiment;
  return experiment;
}

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
  arena::ContestPlan contest;
  contest.toolkit = context.registry.toolkit(*std::move(game));
  contest.games = plan.games;
  contest.opening_plies = plan.opening_plies;
  contest.seed = options.seed;
  std::vector<arena::Contest> contests;  // one an opponent
  for (const std::string& opponent : plan.opponents) {
    contest.players = {plan.player, opponent};
    auto opened = arena::open_contest(contest);
    if (!opened) return std::move(opened).error();
    contests.push_back(*std::move(opened));
  }
  const auto fingerprint = player_fingerprint(*contest.toolkit, plan.player);
  if (!fingerprint) return fingerprint.error();

  auto study = Study::open(experiment_folder("fanorona", options), options.fresh, context.hooks);
  if (!study) return std::move(study).error();
  study->plan(planned(plan, *recipes));

  FanoronaFindings findings;
  findings.plan = plan;
  findings.quick = options.quick;
  findings.seed = options.seed;
  findings.command = options.command;
  DataCache cache;
  std::string reading;
  try {
    for (std::size_t i = 0; i < recipes->size(); ++i) {
      const learn::Recipe& recipe = (*recipes)[i];
      reading = training_name(recipe.name);
      auto trained = train_step(*study, {reading, recipe, options.seed, kRevision, examine}, cache,
                                context.pool);
      if (!trained) return std::move(trained).error();
      auto examination = read_examination(trained->found);
      if (i < plan.recipes.size()) {
        findings.networks.push_back(*std::move(trained));
        findings.examinations.push_back(std::move(examination));
      } else {
        findings.ours = *std::move(trained);
        findings.ours_examination = std::move(examination);
      }
    }

    reading = reachable_name(plan);
    Json config = player_config(plan, *fingerprint, options.seed);
    config["states"] = plan.most_states;
    auto json = study->step(reading, config, [&]() -> Result<Json> {
      FanoronaExamination examination;
      auto cells = examine_fanorona_player(
          *contest.toolkit, plan.player, options.seed, plan.most_states, context.pool,
          [&](double share) { study->tell(share, ""); }, [&] { return study->stopped(); });
      if (!cells) return std::move(cells).error();
      if (study->stopped()) return interruption();
      examination.cells = *std::move(cells);
      return to_json(examination);
    });
    if (!json) return std::move(json).error();
    findings.reachable = read_examination(*json).cells;

    for (const arena::Contest& match : contests) {
      const std::string& opponent = match.players[1];
      reading = match_name(plan, opponent);
      config = player_config(plan, *fingerprint, options.seed);
      config["opponent"] = opponent;
      config["games"] = plan.games;
      config["opening"] = plan.opening_plies;
      json = study->step(reading, config, [&] { return play_match(*study, match, context.pool); });
      if (!json) return std::move(json).error();
      findings.matches.push_back(read_match(*json));
    }
  } catch (const Json::Mismatch&) {
    return study->broken(reading);
  }
  return findings;
}

}  // namespace damier::lab
