#include "damier/lab/fanorona/experiment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/exact/fanorona/exact.h"
#include "damier/lab/found.h"
#include "damier/lab/matches.h"
#include "damier/learn/fanorona/task.h"
#include "damier/learn/train/fit.h"
#include "damier/model/model.h"
#include "damier/play/analysis/move_quality.h"

namespace damier::lab {

namespace {

constexpr int kRevision = 4;
constexpr int kEvaluatedBatch = 256;

// "fanorona-batch-norm" -> "batch norm", "fanorona-report" -> "the report's"
std::string short_name(const std::string& recipe) {
  if (recipe == "fanorona-report") return "the report's";
  const std::string prefix = "fanorona-";
  std::string name = recipe.starts_with(prefix) ? recipe.substr(prefix.size()) : recipe;
  std::ranges::replace(name, '-', ' ');
  return name;
}

Result<FanoronaEvaluation> evaluate(Study& study, const learn::Recipe& recipe,
                                    const std::string& path) {
  const auto data = TRY(study.data(recipe));
  const auto model = TRY(model::open_model(path));
  return evaluate_fanorona(*model::predict_with(model, kEvaluatedBatch), *data, learn::Split::test);
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
      {"evaluate " + recipe.name, 1.5}, Json{{"measure", "evaluation"}, {"recipe", recipe.json}},
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

// How often a player keeps the value in the states that can be reached from the start, or in `most`
// of them (0: all).
Result<Estimate> value_kept(Study& study, const play::Toolkit& toolkit,
                            const play::OpenedPlayer& player, std::size_t most) {
  const auto& table = exact::fanorona_table();
  auto states = TRY(learn::fanorona_task().listed(table.game(), "reachable"));
  const bool all_asked = most == 0;
  if (!all_asked && most < states.size()) {
    for (std::size_t i = 0; i < most; ++i) states[i] = states[i * states.size() / most];
    states.resize(most);
  }
  std::size_t done = 0;
  const play::KnownPositions positions =
      [&](std::uint64_t number) -> std::optional<play::KnownPosition> {
    if (study.stopped()) return std::nullopt;
    const auto state = states[static_cast<std::size_t>(number)];
    auto session = toolkit.game().start_from(table.game().position_text(state));
    return play::KnownPosition{
        std::move(session).value(), table.value(state), [&table, state](games::Action action) {
          return table.value_after(state, static_cast<games::fanorona::Move>(index(action)));
        }};
  };
  const auto all = TRY(play::move_qualities(
      {{player}, states.size(), study.seed(), "experiment.reachable"}, [&] { return positions; },
      study.pool(),
      [&] { study.tell(static_cast<double>(++done) / static_cast<double>(states.size()), ""); }));
  if (study.stopped()) return interruption();
  const Estimate kept = all.front().kept();
  // Where every position was asked, there is nothing left to be uncertain about.
  return all_asked ? bare_estimate(EstimateKind::share, kept.value, kept.n) : kept;
}

// --- findings -----------------------------------------------------------------------------------

// Of the report's network and its extensions, which keeps the value most often; 0 where there is
// no extension.
std::size_t best_extension(std::span<const FanoronaNetwork> networks) {
  if (networks.size() < 2) return 0;
  const auto kept = [](const FanoronaNetwork& network) { return network.value_kept().value; };
  const auto best = std::ranges::max_element(networks.subspan(1), {}, kept);
  return static_cast<std::size_t>(&*best - networks.data());
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
  constexpr std::array kValues = {1, 0, -1};
  return map_of({"won", "drawn", "lost"}, {0, 1, 2, 3, 4, 5, 6},
                [&](std::size_t row, std::size_t phase) {
                  std::int64_t n = 0, shortest = 0;
                  for (const FanoronaCell& cell : evaluation.cells) {
                    if (cell.value != kValues[row] || cell.phase != static_cast<int>(phase))
                      continue;
                    n += cell.n;
                    shortest += cell.shortest;
                  }
                  const double share = share_estimate(shortest, n).value;
                  if (n > 0) lowest = std::min(lowest, share);
                  return n == 0 ? Json(nullptr) : Json(share);
                });
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
  const auto largest = std::ranges::max_element(theirs, {}, size);
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
  const auto game = TRY(context.registry.make("fanorona"));
  const SharedToolkit toolkit = context.registry.toolkit(game);
  // Once and for all: the study's own trainings may change what a player's text means.
  std::vector<MatchPlayer> players;
  for (const std::string& text : plan.opponents) players.push_back(player_of(toolkit, text));
  players.push_back(player_of(toolkit, plan.player));
  for (MatchPlayer& player : players) {
    const auto opened = TRY(player.open());
    if (opened.is_human()) return Error{"a human has no place in an experiment"};
    player.open = [opened] { return opened; };
  }
  const play::OpenedPlayer player = *players.back().open();
  const std::string fingerprint = player_fingerprint(*toolkit, player);
  players.back().identity = {plan.player, fingerprint};

  auto study = TRY(open_study("fanorona", kRevision, options, context));
  for (FanoronaNetwork& network : networks) add_network(study, network);
  Estimate reachable;
  study.measure<Estimate>(
      {fmt::format("{} on the reachable positions", plan.player), 5},
      Json{{"measure", "reachable"},
           {"player", plan.player},
           {"fingerprint", fingerprint},
           {"states", plan.max_states}},
      [&] { return value_kept(study, *toolkit, player, plan.max_states); }, reachable);
  std::vector<MatchFindings> matches(plan.opponents.size());
  for (std::size_t i = 0; i < matches.size(); ++i) {
    add_match(study, toolkit,
              {.players = {players.back(), players[i]},
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
  findings["reachable"] = estimate_json(reachable);
  return findings;
}

Result<FanoronaEvaluation> evaluate_fanorona(model::Predictor& model, const learn::DataSet& data,
                                             learn::Split split) {
  const int column = data.column_index("phase");
  if (column < 0) return Error{"has no column 'phase'", {data.source()}};
  const auto phases = TRY(data.values<std::int32_t>(column, data.rows(split)));
  const auto known =
      TRY(learn::fanorona_task().evaluate_rows(model, learn::encoder_of(data), data, split));
  std::map<std::array<int, 3>, FanoronaCell> cells;
  FanoronaEvaluation evaluation;
  for (std::size_t i = 0; i < known.rows.size(); ++i) {
    const learn::EvaluatedRow& row = known.rows[i];
    const int value = static_cast<int>(row.value);
    FanoronaCell& cell = cells[{value, phases[i], row.distance}];
    cell = {value,
            phases[i],
            row.distance,
            cell.n + 1,
            cell.kept + row.kept,
            cell.shortest + row.shortest};
    if (!row.said) continue;
    evaluation.value_errors[static_cast<std::size_t>(value + 1)].push_back(
        static_cast<int>(std::lround(1e6 * (static_cast<double>(*row.said) - value))));
  }
  for (const auto& [key, cell] : cells) evaluation.cells.push_back(cell);
  return evaluation;
}

}  // namespace damier::lab
