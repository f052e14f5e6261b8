#include "damier/lab/trained_network.h"

#include <algorithm>

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

const TrainedCurve* TrainedNetwork::curve(std::string_view name) const {
  const auto at = std::find_if(curves.begin(), curves.end(),
                               [&](const TrainedCurve& one) { return one.name == name; });
  return at == curves.end() ? nullptr : &*at;
}

Result<TrainedNetwork> trained_network(Store& store, const learn::StoredRun& run) {
  const auto kept = TRY(store.find_run(run.name()));
  const auto rows = TRY(store.metrics(kept.id));
  TrainedNetwork network;
  network.recipe = run.recipe().name;
  network.run = kept.name;
  network.model = run.model_path().string();
  const Json& summary = kept.summary;
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
  for (const MetricRow& row : rows) {
    const auto epoch = static_cast<int>(row.step);
    auto at = std::find_if(network.curves.begin(), network.curves.end(),
                           [&](const TrainedCurve& one) { return one.name == row.name; });
    if (at == network.curves.end()) at = network.curves.insert(at, {row.name, {}});
    at->by_epoch.emplace_back(epoch, row.value);
    network.epochs = std::max(network.epochs, epoch);
  }
  return network;
}

Json findings_of(const TrainedNetwork& network) {
  Json json = {{"recipe", network.recipe},         {"run", network.run},
               {"parameters", network.parameters}, {"kept_epoch", network.kept_epoch},
               {"epochs", network.epochs},         {"seconds", network.seconds},
               {"curves", Json::object()}};
  for (const TrainedCurve& curve : network.curves) json["curves"][curve.name] = curve.by_epoch;
  for (const learn::SetMetrics& set : network.sets) json[set.set] = metrics_json(set.metrics);
  return json;
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

}  // namespace damier::lab
