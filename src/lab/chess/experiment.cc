#include "damier/lab/chess/experiment.h"

#include <functional>

#include <fmt/format.h>

#include "damier/games/chess/encoders.h"
#include "damier/learn/chess/positions.h"
#include "damier/learn/chess/value_errors.h"
#include "damier/model/model.h"

namespace damier::lab {

namespace {

constexpr int kRevision = 1;
constexpr const char* kReportRecipe = "chess-report";
constexpr const char* kBetterRecipe = "chess-value";
constexpr int kAskedAtOnce = 256;

using learn::chess::kCentipawnsMetric;

int inputs_of(const std::string& encoder) {
  if (encoder == "mover") return static_cast<int>(games::chess::kBitInputs) - 1;
  return static_cast<int>(encoder == "bits" ? games::chess::kBitInputs : games::chess::kByteInputs);
}

// The errors on the test positions where `said` gives White's expected result.
Result<Json> baseline_errors(Study& study, const learn::Recipe& recipe,
                             const std::function<double(const games::chess::State& state)>& said) {
  const auto data = TRY(study.data(recipe));
  const learn::RowRange rows = data->rows(learn::Split::test);
  const auto inputs =
      TRY(learn::column_of<std::int32_t>(*data, "input", games::chess::kByteInputs, rows));
  const auto scores = TRY(learn::column_of<float>(*data, "score", 1, rows));
  const games::chess::Generator generator;
  learn::chess::ValueErrors errors;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    games::chess::PositionBytes bytes;
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      bytes[k] = static_cast<std::uint8_t>(inputs[i * bytes.size() + k]);
    }
    const auto state = TRY(games::chess::decode_bytes(bytes, generator));
    errors.add(said(state), scores[i]);
  }
  return metrics_json(errors.metrics());
}

// A network asked about the test positions of another recipe's data.
Result<Json> network_errors(Study& study, const learn::Recipe& recipe, const std::string& path) {
  const auto data = TRY(study.data(recipe));
  const auto model = TRY(model::open_model(path));
  const auto predictor = model::predict_with(model, kAskedAtOnce);
  const auto metrics =
      TRY(recipe.task->evaluate(*predictor, model.origin("encoder"), *data, learn::Split::test));
  return metrics_json(metrics);
}

// One of the report's networks in another form.
struct ChessNetwork {
  std::string encoder, rule;
  learn::Recipe recipe;
  TrainedNetwork trained;

  std::string key() const { return encoder + "." + rule; }
  std::string name() const {  // "bytes / 255, local rule"
    const std::string seen = encoder == "raw-bytes" ? "raw bytes"
                             : encoder == "bytes"   ? "bytes / 255"
                                                    : "769 bits";
    return fmt::format("{}, {}", seen, rule == "local" ? "local rule" : rule);
  }
};

// By encoder, then by rule.
Result<std::vector<ChessNetwork>> report_networks(const ChessPlan& plan) {
  std::vector<ChessNetwork> networks;
  for (const std::string& encoder : plan.encoders) {
    for (const std::string& rule : plan.rules) {
      auto recipe = TRY(chess_report_recipe(plan, encoder, rule));
      networks.push_back({encoder, rule, std::move(recipe), {}});
    }
  }
  return networks;
}

// By rate, then by rule.
Result<std::vector<ChessNetwork>> swept_networks(const ChessPlan& plan) {
  std::vector<ChessNetwork> networks;
  for (const double rate : plan.rates) {
    ChessPlan rated = plan;
    rated.encoders = {plan.swept};
    rated.settings.push_back(fmt::format("optimiser.rate={:g}", rate));
    auto some = TRY(report_networks(rated));
    for (ChessNetwork& network : some) networks.push_back(std::move(network));
  }
  return networks;
}

// With the errors on the test games beside the name.
Json valued_by(const std::string& name, Json errors, std::uint64_t parameters = 0) {
  errors["name"] = name;
  if (parameters > 0) errors["parameters"] = parameters;
  return errors;
}

Json valued_by(const std::string& name, const TrainedNetwork& network) {
  return valued_by(name, findings_of(network)["test"], network.parameters);
}

// The rate and what it becomes in each layer of the local rule.
Json rate_findings(const ChessPlan& plan, double rate, std::span<const ChessNetwork> by_rule) {
  Json json = {{"layers", fmt::format("{:.3g}, {:.3g}, {:.3g}", rate, rate * 2 * rate,
                                      rate * 4 * rate * rate)}};
  for (std::size_t i = 0; i < plan.rules.size(); ++i) {
    json[plan.rules[i]] = findings_of(by_rule[i].trained)["test"];
  }
  return json;
}

}  // namespace

Result<learn::Recipe> chess_report_recipe(const ChessPlan& plan, const std::string& encoder,
                                          const std::string& rule) {
  learn::Settings settings = {"data.generate.encoder=" + encoder,
                              fmt::format("network.input=[{}]", inputs_of(encoder)),
                              "rule=" + rule};
  settings.insert(settings.end(), plan.settings.begin(), plan.settings.end());
  return learn::find_recipe(kReportRecipe, settings);
}

Result<learn::Recipe> chess_table_recipe(const ChessPlan& plan) {
  ChessPlan table = plan;
  table.settings = plan.table_settings;
  table.settings.insert(table.settings.end(), plan.settings.begin(), plan.settings.end());
  return chess_report_recipe(table, "bits", "backpropagation");
}

Result<Json> study_chess(const Published&, const ChessPlan& plan, const ExperimentOptions& options,
                         const ExperimentContext& context) {
  // Whatever is wrong is told before the work.
  auto networks = TRY(report_networks(plan));
  auto sweep = TRY(swept_networks(plan));
  const auto table_recipe = TRY(chess_table_recipe(plan));
  const auto better_recipe = TRY(learn::find_recipe(kBetterRecipe, plan.better_settings));
  // The report's positions as the better network reads them.
  const auto read = TRY(chess_report_recipe(plan, "mover", "backpropagation"));

  auto study = TRY(open_study("chess", kRevision, options, context));
  TrainedNetwork table, better;
  study.train("train chess-value", better_recipe, study.seed(), better);
  // The rows of one recipe are kept while the next ones need them: encoder by encoder.
  for (std::size_t i = 0; i < networks.size(); ++i) {
    ChessNetwork& network = networks[i];
    study.train("train " + network.name(), network.recipe, study.seed(), network.trained);
    const bool last = i + 1 == networks.size() ||
                      networks[i + 1].recipe.json["data"] != network.recipe.json["data"];
    if (network.encoder != plan.swept || !last) continue;
    for (std::size_t k = 0; k < sweep.size(); ++k) {
      ChessNetwork& one = sweep[k];
      study.train(fmt::format("train {}, rate {:g}", one.name(), plan.rates[k / plan.rules.size()]),
                  one.recipe, study.seed(), one.trained);
    }
  }
  study.train("train the piece-square table", table_recipe, study.seed(), table);
  Json zero, material, better_errors;
  const auto measure = [&](const std::string& name, std::function<Result<Json>()> work,
                           Json& into) {
    study.measure<Json>({"errors of " + name, 0.5},
                        Json{{"measure", "errors of " + name},
                             {"recipe", table_recipe.json},
                             {"better", better_recipe.json}},
                        std::move(work), into);
  };
  const auto even = [](const games::chess::State&) { return 0.5; };
  measure(
      "zero", [&] { return baseline_errors(study, table_recipe, even); }, zero);
  const auto by_material = [game = games::chess::Chess()](const games::chess::State& state) {
    const double mover = game.heuristic(state);
    return learn::chess::expected_of(state.side == games::Side::first ? mover : -mover);
  };
  measure(
      "material", [&] { return baseline_errors(study, table_recipe, by_material); }, material);
  measure(
      kBetterRecipe, [&] { return network_errors(study, read, better.model); }, better_errors);
  TRY(study.run());

  const auto whole = [](auto value) {
    return estimate_json(bare_estimate(EstimateKind::count, static_cast<double>(value), 1));
  };
  const TrainedNetwork& first = networks.front().trained;
  Json findings = {{"weights", whole(first.parameters)},
                   {"positions", whole(first.metric("training", kCentipawnsMetric).n)},
                   {"epochs", whole(first.epochs)},
                   {"epoch_numbers", Json::array()},
                   {"networks", Json::object()},
                   {"rates", Json::object()}};
  for (int epoch = 1; epoch <= first.epochs; ++epoch) findings["epoch_numbers"].push_back(epoch);
  Json& valued = findings["valued"];
  valued = {{"zero", valued_by("always even", zero)},
            {"material", valued_by("material", material)},
            {"table", valued_by("piece-square table", table)}};
  const ChessNetwork* best = &networks.front();
  for (const ChessNetwork& network : networks) {
    valued[network.key()] = valued_by(network.name(), network.trained);
    Json& json = findings["networks"][network.key()] = findings_of(network.trained);
    json["name"] = network.name();
    for (const auto& [epoch, value] : network.trained.curve(kCentipawnsMetric)) {
      json["centipawns_in"][std::to_string(epoch)] = value;
    }
    const auto error = [](const ChessNetwork& one) {
      return one.trained.metric("test", kCentipawnsMetric).value;
    };
    if (error(network) < error(*best)) best = &network;
  }
  findings["best"] = valued[best->key()];
  valued["better"] = valued_by(kBetterRecipe, better_errors, better.parameters);
  valued["better"]["is_ours"] = true;
  for (std::size_t i = 0; i < plan.rates.size(); ++i) {
    const auto by_rule = std::span(sweep).subspan(i * plan.rules.size(), plan.rules.size());
    findings["rates"][fmt::format("{:g}", plan.rates[i])] =
        rate_findings(plan, plan.rates[i], by_rule);
  }
  return findings;
}

}  // namespace damier::lab
