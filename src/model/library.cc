#include "damier/model/library.h"

#include <cstdlib>
#include <system_error>

#include "damier/base/files/files.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"

namespace damier::model {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kWeights = "model.safetensors";
constexpr std::string_view kCard = "card.md";

std::string title_of(const fs::path& card) {
  constexpr std::size_t kMaxBytes = 1 << 20;
  const auto content = read_file(card, kMaxBytes);
  if (!content) return {};
  const std::string line = content->substr(0, content->find('\n'));
  const auto text = line.find_first_not_of("# ");
  return text == std::string::npos ? std::string() : line.substr(text);
}

}  // namespace

fs::path models_folder() {
  if (const char* named = std::getenv("DAMIER_MODELS"); named != nullptr && *named != '\0') {
    return named;
  }
  const fs::path place = fs::path("share") / "damier" / "models";
  std::error_code error;
  fs::path above = fs::read_symlink("/proc/self/exe", error).parent_path();
  while (!error && above.has_relative_path()) {
    if (fs::is_directory(above / place, error)) return above / place;
    error.clear();
    above = above.parent_path();
  }
  return fs::path(DAMIER_DATA_FOLDER) / "models";
}

std::vector<ShippedModel> shipped_models() {
  std::vector<ShippedModel> models;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(models_folder(), error)) {
    const fs::path weights = entry.path() / kWeights;
    if (!fs::is_regular_file(weights, error)) continue;
    const fs::path card = entry.path() / kCard;
    models.push_back({entry.path().filename().string(), weights, card, title_of(card)});
  }
  std::ranges::sort(models, {}, &ShippedModel::name);
  return models;
}

Result<std::string> model_path(const std::string& name) {
  std::error_code error;
  if (fs::is_regular_file(name, error)) return name;
  const fs::path inside = fs::path(name) / kWeights;
  if (fs::is_regular_file(inside, error)) return inside.string();
  std::vector<std::string> names;
  for (const ShippedModel& model : shipped_models()) {
    if (model.name == name) return model.weights.string();
    names.push_back(model.name);
  }
  if (name.find_first_of("/.") != std::string::npos) {
    return Error{"is no model file, nor a folder that holds one", {name}};
  }
  return unknown_name("model", name, names);
}

Result<Model> open_named_model(const std::string& name) {
  const auto path = TRY(model_path(name));
  return open_model(path);
}

Result<std::string> best_model_path(std::string_view game) {
  for (const ShippedModel& model : shipped_models()) {
    if (model.name == game) return model.weights.string();
  }
  const auto trained = TRY(trained_models());
  for (const TrainedModel& model : trained) {
    if (model.game == game) return model.path;
  }
  return Error{
      fmt::format("no model of {0} ships, and none was trained here; `{1} train {0}` makes one",
                  game, program_name())};
}

Result<std::vector<TrainedModel>> trained_models(DamagedRows* damaged) {
  std::vector<TrainedModel> models;
  std::error_code ignored;
  const auto path = TRY(default_store_path());
  if (!fs::exists(path, ignored)) return models;
  auto store = TRY(Store::open(path));
  DamagedRows unreadable;
  const auto runs = TRY(store.runs("train", &unreadable));
  if (damaged != nullptr) *damaged = std::move(unreadable);
  for (const Run& run : runs) {
    const std::string file = text_in(run.summary, "model");
    if (!fs::is_regular_file(file, ignored)) continue;
    models.push_back({run.name, run.request.game, text_in(run.request.config, "recipe"), file});
  }
  return models;
}

}  // namespace damier::model
