#include "damier/lab/chess/experiment.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

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

int inputs_of(const std::string& encoder) {
  if (encoder == "mover") return static_cast<int>(games::chess::kBitInputs) - 1;
  return static_cast<int>(encoder == "bits" ? games::chess::kBitInputs : games::chess::kByteInputs);
}

ChessErrors errors_of(std::span<const Metric> metrics) {
  const auto metric = [&](std::string_view name) {
    const Metric* found = find_metric(metrics, name);
    return found == nullptr ? Estimate{} : Estimate(*found);
  };
  const auto reach = [](const Estimate& figure) { return figure.interval.high - figure.value; };
  const Estimate centipawns = metric(learn::chess::kCentipawnsMetric);
  const Estimate sign = metric(learn::chess::kSignMetric);
  const Estimate squared = metric(learn::chess::kSquaredMetric);
  return {centipawns.value,
          reach(centipawns),
          metric(learn::chess::kRSquaredMetric).value,
          sign.value,
          squared.value,
          reach(squared),
          centipawns.n,
          sign.n};
}

// What `said` makes of the test positions: White's expected result.
Result<ChessErrors> baseline_errors(
    Study& study, const learn::Recipe& recipe,
    const std::function<double(const games::chess::State& state)>& said) {
  const auto data = study.data(recipe);
  if (!data) return data.error();
  const learn::RowRange rows = (*data)->rows(learn::Split::test);
  const auto inputs =
      learn::column_of<std::int32_t>(**data, "input", games::chess::kByteInputs, rows);
  if (!inputs) return inputs.error();
  const auto scores = learn::column_of<float>(**data, "score", 1, rows);
  if (!scores) return scores.error();
  const games::chess::Generator generator;
  learn::chess::ValueErrors errors;
  for (std::size_t i = 0; i < scores->size(); ++i) {
    games::chess::PositionBytes bytes;
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      bytes[k] = static_cast<std::uint8_t>((*inputs)[i * bytes.size() + k]);
    }
    const auto state = games::chess::decode_bytes(bytes, generator);
    if (!state) return state.error();
    errors.add(said(*state), (*scores)[i]);
  }
  return errors_of(errors.metrics());
}

// A network asked about the test positions of another recipe's data.
Result<ChessErrors> network_errors(Study& study, const learn::Recipe& recipe,
                                   const std::string& path) {
  const auto data = study.data(recipe);
  if (!data) return data.error();
  const auto model = model::open_model(path);
  if (!model) return model.error();
  const auto predictor = model::predict_with(*model, kAskedAtOnce);
  const auto metrics =
      recipe.task->evaluate(*predictor, model->origin("encoder"), **data, learn::Split::test);
  if (!metrics) return metrics.error();
  return errors_of(*metrics);
}

Result<learn::Recipe> rated_recipe(const ChessPlan& plan, const std::string& rule, double rate) {
  ChessPlan rated = plan;
  rated.settings.push_back(fmt::format("optimiser.rate={:g}", rate));
  return chess_report_recipe(rated, plan.swept, rule);
}

}  // namespace

Estimate ChessErrors::estimate(std::string_view metric) const {
  const auto around = [&](double value, double reach) {
    return Estimate{value, {value - reach, value + reach}, n, EstimateKind::loss};
  };
  if (metric == learn::chess::kCentipawnsMetric) return around(centipawns, centipawns_reach);
  if (metric == learn::chess::kSquaredMetric) return around(squared_error, squared_reach);
  if (metric == learn::chess::kRSquaredMetric) {
    return bare_estimate(EstimateKind::number, r_squared, n);
  }
  return {sign_agreement, wilson_interval(sign_agreement, static_cast<double>(decided)), decided,
          EstimateKind::share};
}

std::string ChessNetwork::name() const {
  const std::string seen = encoder == "raw-bytes" ? "raw bytes"
                           : encoder == "bytes"   ? "bytes / 255"
                                                  : "769 bits";
  return fmt::format("{}, {}", seen, rule == "local" ? "local rule" : rule);
}

ChessPlan chess_plan(const Published& published, bool quick) {
  ChessPlan plan;
  plan.rates = published.sweep("rate").numbers();
  if (!quick) return plan;
  plan.rates = {0.03, 0.3, 1};
  plan.settings = {"data.generate.count=12500", "data.generate.oracle=engine:300",
                   "data.generate.player=engine:100"};
  plan.better_settings = {"data.generate.count=40000", "data.generate.oracle=engine:300",
                          "data.generate.player=engine:100", "epochs=6"};
  return plan;
}

Result<learn::Recipe> chess_report_recipe(const ChessPlan& plan, const std::string& encoder,
                                          const std::string& rule) {
  learn::Settings settings = {"data.generate.encoder=" + encoder,
                              fmt::format("network.input=[{}]", inputs_of(encoder)),
                              "rule=" + rule};
  settings.insert(settings.end(), plan.settings.begin(), plan.settings.end());
  return learn::find_recipe(kReportRecipe, settings);
}

Result<learn::Recipe> chess_table_recipe(const ChessPlan& plan) {
  learn::Settings settings = {"data.generate.encoder=bits",
                              fmt::format("network.input=[{}]", inputs_of("bits")),
                              "rule=backpropagation",
                              R"(network.layers=[{"type":"dense","units":1},{"type":"sigmoid"}])",
                              R"(optimiser={"kind":"adam","rate":0.01})",
                              R"(schedule={"kind":"cosine"})",
                              "batch=64",
                              "epochs=20"};
  settings.insert(settings.end(), plan.settings.begin(), plan.settings.end());
  return learn::find_recipe(kReportRecipe, settings);
}

Result<ChessFindings> study_chess(const Published&, const ChessPlan& plan,
                                  const ExperimentOptions& options,
                                  const ExperimentContext& context) {
  // Whatever is wrong is told before the work.
  ChessFindings findings;
  findings.plan = plan;
  std::vector<learn::Recipe> recipes, swept;
  for (const std::string& encoder : plan.encoders) {
    for (const std::string& rule : plan.rules) {
      auto recipe = chess_report_recipe(plan, encoder, rule);
      if (!recipe) return std::move(recipe).error();
      findings.networks.push_back({encoder, rule, recipe->optimiser.rate, {}});
      recipes.push_back(*std::move(recipe));
    }
  }
  for (const double rate : plan.rates) {
    for (const std::string& rule : plan.rules) {
      auto recipe = rated_recipe(plan, rule, rate);
      if (!recipe) return std::move(recipe).error();
      findings.sweep.push_back({plan.swept, rule, rate, {}});
      swept.push_back(*std::move(recipe));
    }
  }
  const auto table = chess_table_recipe(plan);
  if (!table) return table.error();
  const auto better = learn::find_recipe(kBetterRecipe, plan.better_settings);
  if (!better) return better.error();
  // The report's positions as the better network reads them.
  const auto read = chess_report_recipe(plan, "mover", "backpropagation");
  if (!read) return read.error();

  auto study = open_study("chess", kRevision, options, context);
  if (!study) return std::move(study).error();
  study->train("train chess-value", *better, study->seed(), findings.better);
  // The rows of one recipe are kept while the next ones need them: encoder by encoder.
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    ChessNetwork& network = findings.networks[i];
    study->train("train " + network.name(), recipes[i], study->seed(), network.trained);
    const bool last =
        i + 1 == recipes.size() || recipes[i + 1].json["data"] != recipes[i].json["data"];
    if (network.encoder != plan.swept || !last) continue;
    for (std::size_t k = 0; k < swept.size(); ++k) {
      ChessNetwork& one = findings.sweep[k];
      study->train(fmt::format("train {}, rate {:g}", one.name(), one.rate), swept[k],
                   study->seed(), one.trained);
    }
  }
  study->train("train the piece-square table", *table, study->seed(), findings.table);
  const auto measure = [&](const char* name, std::function<Result<ChessErrors>()> work,
                           ChessErrors& into) {
    study->measure<ChessErrors>(
        {fmt::format("errors of {}", name), 0.5},
        [&, name] {
          return Json{{"measure", name}, {"recipe", table->json}, {"better", better->json}};
        },
        std::move(work), into);
  };
  measure(
      "zero", [&] { return baseline_errors(*study, *table, [](const auto&) { return 0.5; }); },
      findings.zero);
  const games::chess::Chess game;
  measure(
      "material",
      [&] {
        return baseline_errors(*study, *table, [&](const games::chess::State& state) {
          const double mover = game.heuristic(state);
          return learn::chess::expected_of(state.side == games::Side::first ? mover : -mover);
        });
      },
      findings.material);
  measure(
      kBetterRecipe, [&] { return network_errors(*study, *read, findings.better.model); },
      findings.better_errors);
  if (auto status = study->run(); !status) return std::move(status).error();
  return findings;
}

Measured measured_chess(const ChessFindings& findings) {
  using learn::chess::kCentipawnsMetric, learn::chess::kRSquaredMetric, learn::chess::kSignMetric;
  Measured measured;
  auto& figures = measured.figures;
  const auto whole = [](double value) { return bare_estimate(EstimateKind::count, value, 1); };
  const ChessNetwork& report = findings.networks.front();
  figures["weights"] = whole(static_cast<double>(report.trained.parameters));
  figures["positions"] =
      whole(static_cast<double>(report.trained.metric("training", kCentipawnsMetric).n));
  figures["epochs"] = whole(static_cast<double>(report.trained.curve.size()));
  const auto add = [&](const std::string& name, const auto& estimate) {
    for (const std::string_view metric : {kCentipawnsMetric, kRSquaredMetric}) {
      figures[fmt::format("{}.{}", name, metric)] = estimate(metric);
    }
  };
  figures["zero.centipawns"] = findings.zero.estimate(kCentipawnsMetric);
  add("material", [&](std::string_view metric) { return findings.material.estimate(metric); });
  add("table", [&](std::string_view metric) { return findings.table.metric("test", metric); });
  for (const ChessNetwork& network : findings.networks) {
    add(network.key(),
        [&](std::string_view metric) { return network.trained.metric("test", metric); });
  }
  add("better", [&](std::string_view metric) { return findings.better_errors.estimate(metric); });
  figures["better.sign_agreement"] = findings.better_errors.estimate(kSignMetric);
  return measured;
}

Result<ExperimentResult> run_chess(const Published& published, const ExperimentOptions& options,
                                   const ExperimentContext& context) {
  const auto findings =
      study_chess(published, chess_plan(published, options.quick), options, context);
  if (!findings) return findings.error();
  return present_chess(published, *findings, options);
}

}  // namespace damier::lab
