#include "damier/lab/fanorona/experiment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/lab/fanorona/evaluation.h"
#include "damier/lab/matches.h"
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
  const auto data = TRY(study.data(recipe));
  const auto model = TRY(model::open_model(path));
  return model.visit([&](const auto& weights) {
    const auto network = model::network_copy(weights, weights.spec(), kEvaluatedBatch);
    return evaluate_fanorona(*model::predict_with(*network), *data, learn::Split::test);
  });
}

// A network, and where it goes wrong.
struct FanoronaNetwork {
  std::string name;  // "batch norm"
  learn::Recipe recipe;
  TrainedNetwork trained;
  FanoronaEvaluation evaluation;

  Estimate value_kept() const { return trained.metric("test", "value_kept"); }
};

// A training, and a look at where its network goes wrong.
void add_network(Study& study, FanoronaNetwork& network) {
  const learn::Recipe& recipe = network.recipe;
  study.train("train " + recipe.name, recipe, study.seed(), network.trained);
  study.measure<FanoronaEvaluation>(
      {"evaluate " + recipe.name, 1.5},
      [&recipe] {
        return Json{{"measure", "evaluation"}, {"recipe", recipe.json}};
      },
      [&study, &network] { return evaluate(study, network.recipe, network.trained.model); },
      network.evaluation);
}

// The report's networks, then ours.
Result<std::vector<FanoronaNetwork>> networks_of(const FanoronaPlan& plan) {
  std::vector<FanoronaNetwork> networks;
  const auto add = [&](const std::string& name, const learn::Settings& settings) -> Status {
    auto recipe = TRY(learn::find_recipe(name, settings));
    networks.push_back({short_name(name), std::move(recipe), {}, {}});
    return Done{};
  };
  for (const std::string& name : plan.recipes) {
    TRY(add(name, plan.settings));
  }
  TRY(add(plan.ours, plan.ours_settings));
  networks.back().name = "ours";
  return networks;
}

// --- findings -----------------------------------------------------------------------------------

// Of the report's network and its extensions, which keeps the value most often; 0 where there is
// no extension.
std::size_t best_extension(std::span<const FanoronaNetwork> networks) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < networks.size(); ++i) {
    const double kept = networks[i].value_kept().value;
    if (best == 0 || kept > networks[best].value_kept().value) best = i;
  }
  return best;
}

// Extensions whose figure lies within the interval of the best one, or above it.
std::string near_best(std::span<const FanoronaNetwork> networks, std::size_t best) {
  std::vector<std::string> near;
  const double low = networks[best].value_kept().interval.low;
  for (std::size_t i = 1; i < networks.size(); ++i) {
    if (i != best && networks[i].value_kept().value >= low) near.push_back(networks[i].name);
  }
  return join(near, ", ");
}

// A share that stays won by the distance of the win, as points; few positions say nothing.
Json kept_by_distance(const FanoronaEvaluation& evaluation) {
  constexpr std::int64_t kMinCount = 20;
  std::map<int, std::array<std::int64_t, 2>> counts;
  for (const FanoronaCell& cell : evaluation.cells) {
    if (cell.value != 1) continue;
    counts[cell.distance][0] += cell.n;
    counts[cell.distance][1] += cell.kept;
  }
  Json points = Json::array();
  for (const auto& [distance, count] : counts) {
    if (count[0] < kMinCount) continue;
    const Estimate kept = share_estimate(count[1], count[0]);
    points.push_back(Json::array({distance, kept.value, kept.interval.low, kept.interval.high}));
  }
  return points;
}

// The share of best moves by value and by phase (how many pieces have moved), as a map; `lowest`
// becomes the smallest share that it has seen.
Json best_moves_by_phase(const FanoronaEvaluation& evaluation, double& lowest) {
  constexpr int kPhases = 7;
  Json map = {
      {"rows", {"won", "drawn", "lost"}}, {"columns", Json::array()}, {"values", Json::array()}};
  for (int phase = 0; phase < kPhases; ++phase) map["columns"].push_back(phase);
  for (const int value : {1, 0, -1}) {
    Json row = Json::array();
    for (int phase = 0; phase < kPhases; ++phase) {
      std::int64_t n = 0, shortest = 0;
      for (const FanoronaCell& cell : evaluation.cells) {
        if (cell.value == value && cell.phase == phase) n += cell.n, shortest += cell.shortest;
      }
      const double share = share_estimate(shortest, n).value;
      row.push_back(n == 0 ? Json(nullptr) : Json(share));
      if (n > 0) lowest = std::min(lowest, share);
    }
    map["values"].push_back(std::move(row));
  }
  return map;
}

// How far the value head is off, by the true value.
Json value_errors(const FanoronaEvaluation& evaluation) {
  constexpr double kMinError = 1e-4;  // a logarithmic axis has no place for nothing at all
  Json json = Json::object();
  for (const auto& [name, value] : {std::pair("won", 2u), {"drawn", 1u}, {"lost", 0u}}) {
    Json& errors = json[name] = Json::array();
    for (const int error : evaluation.value_errors[value]) {
      errors.push_back(std::max(kMinError, std::abs(error) / 1e6));
    }
  }
  return json;
}

Json findings_of(const FanoronaNetwork& network) {
  Json json = findings_of(network.trained);
  json["name"] = network.name;
  json["distances"] = kept_by_distance(network.evaluation);
  return json;
}

Json findings_of_all(std::span<const FanoronaNetwork> networks) {
  const FanoronaNetwork &report = networks.front(), &ours = networks.back();
  const auto theirs = networks.first(networks.size() - 1);
  const std::size_t best = best_extension(theirs);
  Json findings = {
      {"report", findings_of(report)}, {"networks", Json::object()},
      {"ours", findings_of(ours)},     {"best", findings_of(theirs[best])},
      {"has_best", best > 0},          {"near", best > 0 ? near_best(theirs, best) : ""}};
  for (const FanoronaNetwork& network : theirs) {
    Json& json = findings["networks"][network.name] = findings_of(network);
    json["is_best"] = best > 0 && &network == &theirs[best];
  }
  const auto size = [](const FanoronaNetwork& network) { return network.trained.parameters; };
  const auto largest =
      std::max_element(theirs.begin(), theirs.end(),
                       [&](const auto& a, const auto& b) { return size(a) < size(b); });
  findings["largest"] = {
      {"name", largest->name},
      {"times", static_cast<double>(size(*largest)) /
                    static_cast<double>(std::max<std::uint64_t>(1, size(report)))}};
  findings["seeing"] = Json::array({findings["report"]});
  if (best > 0) findings["seeing"].push_back(findings["best"]);
  findings["seeing"].push_back(findings["ours"]);
  Json& sets = findings["sets"] = Json::object();
  for (const learn::SetMetrics& set : ours.trained.sets) {
    Json& json = sets[set.set] = metrics_json(set.metrics);
    json["name"] = set.set == "test"        ? "test (never seen)"
                   : set.set == "reachable" ? "all reachable"
                                            : set.set;
    json["is_test"] = set.set == "test";
  }
  double lowest = 1;
  findings["phases"] = {{"The report's network", best_moves_by_phase(report.evaluation, lowest)},
                        {"Our network", best_moves_by_phase(ours.evaluation, lowest)}};
  findings["lowest"] = 5 * std::floor(100 * lowest / 5);
  findings["value_errors"] = value_errors(ours.evaluation);
  findings["has_value"] = !ours.evaluation.value_errors[0].empty() ||
                          !ours.evaluation.value_errors[1].empty() ||
                          !ours.evaluation.value_errors[2].empty();
  return findings;
}

}  // namespace

Result<Json> study_fanorona(const Published&, const FanoronaPlan& plan,
                            const ExperimentOptions& options, const ExperimentContext& context) {
  // Whatever is wrong is told before the work.
  auto networks = TRY(networks_of(plan));
  const auto entry = TRY(context.registry.find("fanorona"));
  auto game = TRY(entry->make({}));
  const SharedToolkit toolkit = context.registry.toolkit(std::move(game));
  // Once and for all: the study's own trainings may change what a player's text means.
  std::vector<MatchPlayer> players;
  for (const std::string& text : plan.opponents) players.push_back(player_of(toolkit, text));
  players.push_back(player_of(toolkit, plan.player));
  for (MatchPlayer& player : players) {
    auto opened = player.open();
    if (!opened) return std::move(opened).error();
    if (opened->is_human()) return Error{"a human has no place in an experiment"};
    player.open = [opened = *std::move(opened)] { return opened; };
  }
  const play::OpenedPlayer player = *players.back().open();
  const std::string fingerprint = player_fingerprint(*toolkit, player);

  auto study = TRY(open_study("fanorona", kRevision, options, context));
  for (FanoronaNetwork& network : networks) add_network(study, network);
  FanoronaEvaluation reachable;
  study.measure<FanoronaEvaluation>(
      {fmt::format("{} on the reachable positions", plan.player), 5},
      [&] {
        return Json{{"measure", "reachable"},
                    {"player", plan.player},
                    {"fingerprint", fingerprint},
                    {"states", plan.max_states}};
      },
      [&]() -> Result<FanoronaEvaluation> {
        auto cells = evaluate_fanorona_player(
            *toolkit, player, options.seed, plan.max_states, context.pool,
            [&](double share) { study.tell(share, ""); }, [&] { return study.stopped(); });
        if (!cells) return std::move(cells).error();
        if (study.stopped()) return interruption();
        return FanoronaEvaluation{*std::move(cells), {}};
      },
      reachable);
  std::vector<MatchFindings> matches(plan.opponents.size());
  for (std::size_t i = 0; i < matches.size(); ++i) {
    add_match(study, toolkit,
              {.players = {players.back(), players[i]},
               .identity = {plan.player, fingerprint, plan.opponents[i]},
               .games = plan.games,
               .opening_plies = plan.opening_plies},
              matches[i]);
  }
  TRY(study.run());

  Json findings = findings_of_all(networks);
  findings.update({{"player", plan.player},
                   {"games", plan.games},
                   {"opening_plies", plan.opening_plies},
                   {"matches", Json::object()}});
  for (std::size_t i = 0; i < matches.size(); ++i) {
    findings["matches"][plan.opponents[i]] = findings_of(matches[i]);
  }
  std::int64_t kept = 0, n = 0;
  for (const FanoronaCell& cell : reachable.cells) kept += cell.kept, n += cell.n;
  Estimate share = share_estimate(kept, n);
  // Where every position was asked, there is nothing left to be uncertain about.
  if (plan.max_states == 0) share = bare_estimate(EstimateKind::share, share.value, n);
  findings["reachable"] = estimate_json(share);
  return findings;
}

}  // namespace damier::lab
