#include "damier/lab/trained_network.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "damier/nn/network_size.h"

namespace damier::lab {

Estimate TrainedNetwork::metric(std::string_view set, std::string_view name) const {
  for (const learn::SetMetrics& measured : sets) {
    if (measured.set != set) continue;
    if (const Metric* found = find_metric(measured.metrics, name)) return *found;
  }
  return {};
}

const TrainedFigure* TrainedNetwork::figure(std::string_view name) const {
  const auto at = std::find_if(more.begin(), more.end(),
                               [&](const TrainedFigure& one) { return one.name == name; });
  return at == more.end() ? nullptr : &*at;
}

Result<TrainedNetwork> trained_network(Store& store, const learn::StoredRun& run) {
  const auto kept = store.find_run(run.name());
  if (!kept) return kept.error();
  const auto rows = store.metrics(kept->id);
  if (!rows) return rows.error();
  TrainedNetwork network;
  network.recipe = run.recipe().name;
  network.run = kept->name;
  network.model = run.model_path().string();
  const Json& summary = kept->summary;
  constexpr std::int64_t kMaxParameters = std::int64_t{1} << 40, kMaxEpochs = 1'000'000;
  const auto whole = [&](const char* key, std::int64_t most) {
    return summary[key].is_whole_in(0, most) ? summary[key].get<std::int64_t>() : 0;
  };
  network.parameters = static_cast<std::uint64_t>(whole("parameters", kMaxParameters));
  network.kept_epoch = static_cast<int>(whole("kept_epoch", kMaxEpochs));
  network.seconds = number_in(summary, "seconds").value_or(0);
  for (const auto& [set, metrics] : summary["metrics"].items()) {
    network.sets.push_back({set, metrics_in(metrics)});
  }
  const std::string_view main = run.recipe().task->main_metric();
  std::map<std::int64_t, TrainedEpoch> epochs;
  for (const MetricRow& row : *rows) {
    TrainedEpoch& epoch = epochs[row.step];
    epoch.epoch = static_cast<int>(row.step);
    if (row.name == "training_loss") epoch.training_loss = row.value;
    if (row.name == "validation_loss") epoch.validation_loss = row.value;
    if (row.name == main) epoch.accuracy = row.value;
    auto at = std::find_if(network.more.begin(), network.more.end(),
                           [&](const TrainedFigure& one) { return one.name == row.name; });
    if (at == network.more.end()) at = network.more.insert(at, {row.name, {}});
    at->by_epoch.emplace_back(epoch.epoch, row.value);
  }
  for (const auto& [number, epoch] : epochs) network.curve.push_back(epoch);
  return network;
}

double training_seconds(const learn::Recipe& recipe) {
  constexpr double kBegin = 0.2;
  constexpr double kRowsMade = 1e6;                            // in a second
  constexpr double kSmallBatches = 1.0e10, kBatches = 2.5e10;  // multiplications in a second
  constexpr double kAllRows = 76'000;                          // where a recipe takes all there are
  const double work = nn::products_of_sample(recipe.network);
  const double rate = recipe.batch < 100 ? kSmallBatches : kBatches;
  if (recipe.reinforcement) {
    // A move is thought of once, and learnt from as often as the recipe says, forwards and back.
    const auto& how = recipe.reinforcement->how;
    const double passes = how.method == learn::ReinforcementMethod::q     ? 4 * how.reuse
                          : how.method == learn::ReinforcementMethod::ppo ? 3.0 * how.passes
                                                                          : 3;
    return kBegin + static_cast<double>(recipe.reinforcement->steps) * recipe.epochs *
                        (1 + passes) * work / rate;
  }
  const std::uint64_t count = recipe.data ? recipe.data->generate.count : 0;
  const double rows = count == 0 ? kAllRows : static_cast<double>(count);
  return kBegin + rows / kRowsMade + rows * recipe.epochs * work / rate;
}

report::Curve loss_curve(const TrainedNetwork& network, std::string name, bool validation) {
  report::Curve curve{std::move(name)};
  for (const TrainedEpoch& epoch : network.curve) {
    const double loss =
        validation ? epoch.validation_loss.value_or(report::kMissing) : epoch.training_loss;
    curve.points.push_back({static_cast<double>(epoch.epoch), loss});
  }
  return curve;
}

report::Curve accuracy_curve(const TrainedNetwork& network, std::string name) {
  report::Curve curve{std::move(name)};
  for (const TrainedEpoch& epoch : network.curve) {
    if (!epoch.accuracy) continue;
    curve.points.push_back({static_cast<double>(epoch.epoch), 100 * *epoch.accuracy});
  }
  return curve;
}

}  // namespace damier::lab
