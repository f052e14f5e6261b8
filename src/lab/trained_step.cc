#include "damier/lab/trained_step.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/version.h"

namespace damier::lab {

namespace {

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json to_json(const TrainedEpoch& epoch) {
  return {{"epoch", epoch.epoch},
          {"training_loss", epoch.training_loss},
          {"validation_loss", or_null(epoch.validation_loss)},
          {"accuracy", or_null(epoch.accuracy)},
          {"seconds", epoch.seconds}};
}

// What this file wrote; the journal has checked that it is whole.
TrainedNetwork read_network(const Json& json, const std::string& name) {
  TrainedNetwork network;
  network.name = name;
  network.parameters = json.at("parameters").get<std::uint64_t>();
  network.kept_epoch = json.at("kept_epoch").get<int>();
  for (const Json& point : json.at("curve")) {
    network.curve.push_back({point.at("epoch").get<int>(), point.at("training_loss").get<double>(),
                             number_in(point, "validation_loss"), number_in(point, "accuracy"),
                             point.at("seconds").get<double>()});
    network.seconds += network.curve.back().seconds;
  }
  for (const auto& [set, metrics] : json.at("sets").items()) {
    network.sets.push_back({set, metrics_in(metrics)});
  }
  network.found = json.at("found");
  return network;
}

std::string curve_step(const std::string& step) { return "curve of " + step; }

// The epochs so far, kept in the journal after each of them.
class CurveKeeper {
 public:
  CurveKeeper(Study& study, const std::string& step, const Json& config)
      : study_(study), step_(curve_step(step)), config_(config) {
    const Json* known = study.journal().find(step_, config_);
    if (known != nullptr) points_ = *known;
  }

  Status add(const learn::EpochMetrics& metrics) {
    // A run that was killed does its last epoch again.
    Json kept = Json::array();
    for (const Json& point : points_) {
      if (point.at("epoch").get<int>() < metrics.epoch) kept.push_back(point);
    }
    points_ = std::move(kept);
    points_.push_back(
        to_json(TrainedEpoch{metrics.epoch, metrics.training_loss, metrics.validation_loss,
                             metrics.accuracy, metrics.seconds - seconds_}));
    seconds_ = metrics.seconds;
    return study_.journal().keep(step_, config_, points_);
  }

  const Json& points() const { return points_; }

 private:
  Study& study_;
  std::string step_;
  const Json& config_;
  Json points_ = Json::array();
  double seconds_ = 0;  // of this process at the last epoch's end
};

}  // namespace

Metric TrainedNetwork::metric(std::string_view set, std::string_view metric) const {
  for (const learn::SetMetrics& judged : sets) {
    if (judged.set != set) continue;
    if (const auto* found_metric = find_metric(judged.metrics, metric)) return *found_metric;
  }
  return {std::string(metric), {}};
}

Result<const learn::DataSet*> DataCache::open(const learn::Recipe& recipe, ThreadPool& pool) {
  const std::string key = recipe.data_file + dump_line(learn::to_json(recipe.generate));
  if (!data_ || key != key_) {
    data_.reset();
    auto data = learn::open_data(recipe, pool);
    if (!data) return std::move(data).error();
    data_.emplace(*std::move(data));
    key_ = key;
  }
  return &*data_;
}

Result<TrainedNetwork> train_step(Study& study, const TrainingStep& step, DataCache& cache,
                                  ThreadPool& pool) {
  const Json config = {{"damier", version()},
                       {"revision", step.revision},
                       {"recipe", step.recipe.json},
                       {"seed", value_of(step.seed)}};
  const auto work = [&]() -> Result<Json> {
    study.tell(0, "making the data");
    const auto data = cache.open(step.recipe, pool);
    if (!data) return data.error();
    CurveKeeper curve(study, step.name, config);
    learn::TrainingOptions options;
    options.folder = study.step_folder(step.name, config);
    std::error_code fault;
    std::filesystem::create_directories(options.folder, fault);
    if (fault) {
      return Error{
          "cannot be made: " + fault.message(), {options.folder.string()}, ErrorKind::failure};
    }
    options.stop = [&] { return study.stopped(); };
    options.on_epoch = [&](const learn::EpochMetrics& metrics) { return curve.add(metrics); };
    options.on_progress = [&](const learn::TrainingProgress& progress) {
      study.tell(progress.done, fmt::format("epoch {}/{}", progress.epoch, progress.epochs));
    };
    const auto provenance = learn::provenance_of(step.recipe, **data, step.seed, step.name);
    const auto result = learn::train(step.recipe, **data, step.seed, pool, provenance, options);
    if (!result) return result.error();
    if (!result->finished) return interruption();
    Json found = nullptr;
    if (step.examine) {
      study.tell(1, "looking at it");
      auto examined = step.examine(*result, **data);
      if (!examined) return examined;
      found = *std::move(examined);
    }
    Json sets = Json::object();
    for (const auto& set : result->sets) sets[set.set] = metrics_json(set.metrics);
    return Json{{"parameters", result->parameters},
                {"kept_epoch", result->kept_epoch},
                {"curve", curve.points()},
                {"sets", std::move(sets)},
                {"found", std::move(found)}};
  };
  const auto json = study.step(step.name, config, work);
  if (!json) return json.error();
  // The result has the curve; only now may the journal forget it.
  if (auto status = study.journal().forget(curve_step(step.name)); !status) {
    return std::move(status).error();
  }
  try {
    return read_network(*json, step.recipe.name);
  } catch (const Json::Mismatch&) {
    return study.broken(step.name);
  }
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

Result<std::unique_ptr<nn::Network<float>>> network_of(const learn::TrainingResult& result,
                                                       int batch) {
  auto spec = nn::model_spec(result.model, "the trained network");
  if (!spec) return std::move(spec).error();
  auto network = std::make_unique<nn::Network<float>>(*std::move(spec), batch, nn::Use::inference);
  if (auto status = nn::load_weights(*network, result.model, "the trained network"); !status) {
    return std::move(status).error();
  }
  return network;
}

}  // namespace damier::lab
