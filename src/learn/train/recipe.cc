#include "damier/learn/train/recipe.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "damier/base/files/checksum.h"
#include "damier/base/files/files.h"
#include "damier/base/text/text.h"
#include "damier/learn/sources/local_rule.h"
#include "damier/learn/train/builtin_recipes.h"
#include "damier/learn/train/play_recipe.h"
#include "damier/model/dense_text.h"
#include "damier/nn/network.h"

namespace damier::learn {

namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{4} << 20;
constexpr double kMaxSamples = static_cast<double>(std::int64_t{1} << 40);
constexpr std::uint64_t kMaxTrainingBytes = std::uint64_t{16} << 30;

const Json& object_or_empty(const Json* value) {
  static const Json empty = Json::object();
  return value == nullptr ? empty : *value;
}

// The object at "data" or "judge".
Result<RowsRecipe> read_rows(const Json& json, const std::string& path, const std::string& source,
                             const Task& task) {
  RecipeFields fields(json, path, source);
  RowsRecipe rows;
  rows.file = fields.optional_text("file").value_or("");
  const Json* generate = fields.optional_value("generate");
  TRY(fields.finish());
  if (rows.file.empty() == (generate == nullptr)) {
    return Error{path + ": expected one of file and generate", {source}};
  }
  if (generate == nullptr) return rows;
  rows.generate = TRY(read_generate_options(task, *generate, source, path + ".generate"));
  return rows;
}

// A recipe that learns by play has no rows to learn from: its "data" is an older name of "judge".
Status read_data(const Json* data, const Json* judge, const std::string& source, Recipe& recipe) {
  const bool plays = recipe.play() != nullptr;
  if (data == nullptr && !plays) {
    return Error{"data: missing; expected a file or generate", {source}};
  }
  if (data != nullptr && judge != nullptr && plays) {
    return Error{"data: stands beside judge; expected judge alone, as it learns by play", {source}};
  }
  if (data != nullptr) {
    (plays ? recipe.judge : recipe.data) = TRY(read_rows(*data, "data", source, *recipe.task));
  }
  if (judge != nullptr) recipe.judge = TRY(read_rows(*judge, "judge", source, *recipe.task));
  return Done{};
}

Status read_head(const Json& json, const std::string& path, const std::string& source, int width,
                 HeadRecipe& head) {
  RecipeFields fields(json, path, source);
  head.loss.kind = nn::LossKind::mean_squared_error;
  fields.read("loss",
              {"mean_squared_error", "cross_entropy", "binary_cross_entropy", "huber",
               "chosen_squared_error"},
              head.loss.kind);
  head.target = fields.optional_text("target").value_or(head.name);
  head.mask = fields.optional_text("mask").value_or("");
  fields.read("weight", 0, 1e6, head.loss.weight);
  fields.read("scale", -1e6, 1e6, head.scale);
  fields.read("squash", 0, 1e6, head.squash);
  if (const Json* mix = fields.optional_value("mix")) {
    RecipeFields mixed(*mix, path + ".mix", source);
    head.mixed = mixed.text("column");
    head.mixed_share = mixed.number_or("share", 0, 1, 0.3);
    TRY(mixed.finish());
  }
  if (const Json* groups = fields.optional_value("groups")) {
    int sum = 0;
    bool good = groups->is_array() && head.loss.kind == nn::LossKind::cross_entropy;
    for (std::size_t i = 0; good && i < groups->size(); ++i) {
      good = (*groups)[i].is_whole_in(1, width);
      if (good) sum += head.loss.groups.emplace_back((*groups)[i].get<int>());
    }
    if (!good || sum != width) {
      fields.fail("groups", fmt::format("expected sizes with the sum {} for a cross_entropy, the "
                                        "outputs of the head",
                                        width));
    }
  }
  return fields.finish();
}

Status read_heads(const Json* json, const std::string& source, Recipe& recipe) {
  if (json == nullptr) return Error{"heads: missing; expected a loss for each head", {source}};
  JsonFields fields(*json, "heads", source);
  std::vector<const Json*> found;
  for (std::size_t i = 0; i < recipe.network.heads.size(); ++i) {
    const std::string& name = recipe.network.heads[i].name;
    found.push_back(fields.optional_value(name));
    if (found.back() == nullptr) fields.fail(name, "missing; expected a loss for this head");
  }
  TRY(fields.finish());
  for (std::size_t i = 0; i < found.size(); ++i) {
    HeadRecipe head;
    head.name = recipe.network.heads[i].name;
    const nn::Shape shape = recipe.network.head_shape(i);
    const std::string path = "heads." + head.name;
    if (shape.board) {
      return Error{fmt::format("network.{}: ends as a board of {}; expected a flat list of outputs",
                               path, shape.text()),
                   {source}};
    }
    TRY(read_head(*found[i], path, source, shape.size(), head));
    recipe.heads.push_back(std::move(head));
  }
  return Done{};
}

Status read_optimiser(const Json* json, const std::string& source, nn::OptimiserOptions& to) {
  RecipeFields fields(object_or_empty(json), "optimiser", source);
  constexpr nn::OptimiserKind kKinds[] = {nn::OptimiserKind::sgd, nn::OptimiserKind::rmsprop,
                                          nn::OptimiserKind::adam, nn::OptimiserKind::adamw};
  to.kind = kKinds[fields.word_or("kind", {"sgd", "rmsprop", "adam", "adamw"}, "adam")];
  fields.read("rate", 0, 1e3, to.rate);
  fields.read("momentum", 0, 1, to.momentum);
  fields.read("alpha", 0, 1, to.alpha);
  fields.read("beta1", 0, 1, to.beta1);
  fields.read("beta2", 0, 1, to.beta2);
  fields.read("epsilon", 0, 1, to.epsilon);
  fields.read("weight_decay", 0, 1e3, to.weight_decay);
  fields.read("clip_norm", 0, 1e9, to.clip_norm);
  fields.read("clip_weights", 0, 1e9, to.clip_weights);
  return fields.finish();
}

Status read_schedule(const Json* json, const std::string& source, ScheduleRecipe& to) {
  RecipeFields fields(object_or_empty(json), "schedule", source);
  fields.read("kind", {"constant", "step", "cosine"}, to.kind);
  fields.read("warm_up", 0, 1e6, to.warm_up);
  fields.read("every", 1e-6, 1e6, to.every);
  fields.read("factor", 0, 1e3, to.factor);
  fields.read("lowest", 0, 1, to.lowest);
  return fields.finish();
}

// Whether one of the sets that are evaluated is a split of the data.
bool judged_by_data(const Recipe& recipe) {
  return std::ranges::any_of(recipe.evaluated,
                             [](const std::string& set) { return split_named(set).has_value(); });
}

Status read_evaluation(const Json* json, const std::string& source, Recipe& recipe) {
  RecipeFields fields(object_or_empty(json), "evaluation", source);
  if (recipe.task == nullptr) {
    recipe.keep = fields.word_or("keep", {"loss", "last"}, "loss") == 0 ? Keep::loss : Keep::last;
    return fields.finish();
  }
  std::vector<std::string> known;
  PlayRecipe* const play = recipe.play();
  if (play == nullptr) known = {"training"};
  if (recipe.data || recipe.judge) known.insert(known.end(), {"validation", "test"});
  for (auto& set : recipe.task->evaluated_sets()) known.push_back(std::move(set));
  recipe.evaluated = fields.optional_texts("sets", 16);
  for (std::size_t i = 0; i < recipe.evaluated.size(); ++i) {
    if (std::ranges::find(known, recipe.evaluated[i]) != known.end()) continue;
    fields.fail(fmt::format("sets[{}]", i),
                unknown_name("set", recipe.evaluated[i], known).message);
  }
  if (play != nullptr && recipe.judge && !judged_by_data(recipe)) {
    recipe.evaluated.emplace(recipe.evaluated.begin(), name_of(Split::validation));
  }
  fields.read("every", 1, 1'000'000, recipe.evaluate_every);
  if (play == nullptr) {
    fields.read("keep", {"loss", "accuracy", "last"}, recipe.keep);
  } else {
    read_opponents(fields, *play);
    recipe.keep = Keep::last;
  }
  return fields.finish();
}

Status read_network(const Json* json, const std::string& source, Recipe& recipe) {
  if (json == nullptr) return Error{"network: missing; expected a specification", {source}};
  recipe.network = TRY(nn::parse_network(*json, source + ", network"));
  const std::uint64_t bytes = nn::network_bytes(recipe.network, recipe.batch, nn::Use::training,
                                                recipe.doubles ? sizeof(double) : sizeof(float));
  if (bytes <= kMaxTrainingBytes) return Done{};
  return Error{fmt::format("batch: {} samples of this network take {} bytes of memory; expected {} "
                           "at most",
                           recipe.batch, bytes, kMaxTrainingBytes),
               {source}};
}

// A kind's name, or an object where the kind has a limit: {"kind": "uniform", "limit": 0.05}.
Status read_initialisation(const Json* json, const std::string& source, nn::Initialisation& to) {
  if (json == nullptr) return Done{};
  Json named;
  if (json->is_string()) named["kind"] = *json;
  RecipeFields fields(json->is_string() ? named : *json, "initialisation", source);
  const std::vector<std::string> kinds(nn::kInitialisationNames.begin(),
                                       nn::kInitialisationNames.end());
  to.kind = static_cast<nn::Initialisation::Kind>(fields.word_or("kind", kinds, "he_uniform"));
  if (to.kind == nn::Initialisation::uniform) {
    fields.read("limit", 0, nn::Initialisation::kMaxLimit, to.limit);
  }
  return fields.finish();
}

// The layer-local rule knows nothing but squared errors and a rate.
Status check_rule(const std::string& source, const Recipe& recipe) {
  if (recipe.rule == LearningRule::backpropagation) return Done{};
  const auto wrong = [&](std::string_view expected) {
    return Error{fmt::format("rule: is local; expected {}", expected), {source}};
  };
  if (!model::is_dense_report_network(recipe.network)) {
    return wrong(
        "dense layers with biases, each followed by a sigmoid, and one head without layers");
  }
  const HeadRecipe& head = recipe.heads.front();
  if (head.loss.kind != nn::LossKind::mean_squared_error || head.loss.weight != 1 ||
      !head.mask.empty()) {
    return wrong("a mean_squared_error of weight 1 without a mask");
  }
  const nn::OptimiserOptions& optimiser = recipe.optimiser;
  if (optimiser.kind != nn::OptimiserKind::sgd || optimiser.momentum != 0 ||
      optimiser.weight_decay != 0 || optimiser.clip_norm != 0 || optimiser.clip_weights != 0) {
    return wrong("an optimiser of kind sgd with nothing but its rate");
  }
  return Done{};
}

// The value at "a.b.0", made on the way where objects lack it.
Status apply_setting(Json& json, const std::string& setting) {
  const auto wrong = [&](std::string_view message) {
    return Error{fmt::format("--set {}: {}", in_quotes(setting), message)};
  };
  const auto equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) return wrong("expected key.key=value");
  const std::string value_text = setting.substr(equals + 1);
  auto parsed = parse_json(value_text, "--set");
  Json* at = &json;
  for (const auto part : split(std::string_view(setting).substr(0, equals), '.')) {
    if (part.empty()) return wrong("a key is empty; expected key.key=value");
    if (at->is_array()) {
      const auto place = parse_integer(part, 0, static_cast<std::int64_t>(at->size()) - 1, part);
      if (!place) {
        return wrong(fmt::format("{} is no place in a list of {}", in_quotes(part), at->size()));
      }
      at = &(*at)[static_cast<std::size_t>(*place)];
    } else if (at->is_object() || at->is_null()) {
      at = &(*at)[std::string(part)];
    } else {
      return wrong(fmt::format("{} stands under a value that has no keys", in_quotes(part)));
    }
  }
  *at = parsed ? *std::move(parsed) : Json(value_text);
  return Done{};
}

}  // namespace

Result<GenerateOptions> read_generate_options(const Task& task, const Json& json,
                                              const std::string& source, const std::string& path) {
  RecipeFields fields(json, path, source);
  GenerateOptions to = task.defaults();
  to.split = fields.optional_text("split").value_or(to.split);
  fields.read("count", 0, kMaxSamples, to.count);
  fields.read("validation", 0, 1, to.validation);
  fields.read("test", 0, 1, to.test);
  if (const auto seed = fields.optional_unsigned("seed")) to.seed = Seed{*seed};
  for (const TaskOption& option : task.options()) {
    const Json* value = fields.optional_value(option.name);
    // A file's own name of it is known where it is used.
    if (value == nullptr && json.is_object() && json.find(option.name_in_files()) != nullptr) {
      value = fields.optional_value(option.name_in_files());
    }
    if (value != nullptr) to.more[option.name] = *value;
  }
  TRY(fields.finish());
  auto status = task.check(to);
  if (status) return to;
  Error error = std::move(status).error();
  error.message = path + ": " + error.message;
  return std::move(error).in(source);
}

std::string Recipe::hash() const { return checksum_of(dump_line(json)); }

namespace {

// Without tasks: of a program's own rows.
Result<Recipe> read(const Json& json, std::string_view source_name, const Tasks* tasks) {
  const std::string source(source_name);
  Recipe recipe;
  recipe.name = source;
  recipe.json = json;
  RecipeFields fields(json, "", source);
  const std::string task = tasks != nullptr ? fields.text("task") : "";
  // Objects that are read later, once the others are known.
  const auto object = [&](std::string_view key) { return fields.optional_value(key); };
  const auto has = [&](std::string_view key) {
    return tasks != nullptr && json.is_object() && json.find(key) != nullptr;
  };
  if (has("generations")) recipe.self_play.emplace();
  if (has("reinforcement")) recipe.reinforcement.emplace();
  const bool rewarded = recipe.reinforcement.has_value();
  if (recipe.self_play && rewarded) {
    return Error{"generations: cannot be given with reinforcement; expected one of them", {source}};
  }
  const Json *data = nullptr, *judge = nullptr, *heads = nullptr;
  if (tasks != nullptr) {
    data = object("data");
    judge = object("judge");
    recipe.start = fields.optional_text("start").value_or("");
  }
  if (recipe.play() != nullptr) ask_play(fields, recipe);
  const Json *network = object("network"), *initialisation = object("initialisation");
  if (!rewarded) {
    heads = object("heads");
    fields.read("rule", {"backpropagation", "local"}, recipe.rule);
  }
  const Json *optimiser = object("optimiser"), *schedule = object("schedule");
  fields.read("batch", 1, 65536, recipe.batch);
  if (!recipe.self_play) fields.read("epochs", 1, 1'000'000, recipe.epochs);
  if (recipe.play() == nullptr) {
    fields.read("patience", 0, 1'000'000, recipe.patience);
    fields.read("order", {"shuffled", "stored"}, recipe.stored_order);
  }
  fields.read("precision", {"float", "double"}, recipe.doubles);
  if (tasks != nullptr) fields.read("augmentation", {"none", "symmetry"}, recipe.augment);
  const Json* evaluation = object("evaluation");
  recipe.seed = fields.optional_unsigned("seed");
  fields.read("memory", 1, 1 << 20, recipe.memory_mb);
  TRY(fields.finish());

  if (tasks != nullptr) {
    const auto found = tasks->find(task);
    if (!found) return Error{"task: " + found.error().message, {source}};
    recipe.task = *found;
    if (recipe.play() != nullptr) TRY(read_play(source, recipe));
    TRY(read_data(data, judge, source, recipe));
  }
  TRY(read_initialisation(initialisation, source, recipe.initialisation));
  TRY(read_network(network, source, recipe));
  if (!rewarded) TRY(read_heads(heads, source, recipe));
  TRY(read_optimiser(optimiser, source, recipe.optimiser));
  TRY(read_schedule(schedule, source, recipe.schedule));
  TRY(read_evaluation(evaluation, source, recipe));
  TRY(check_rule(source, recipe));
  if (recipe.play() != nullptr) TRY(check_play(source, recipe));
  return recipe;
}

}  // namespace

Result<Recipe> read_recipe(const Json& json, std::string_view source, const Tasks& tasks) {
  return read(json, source, &tasks);
}

Result<Recipe> parse_rows_recipe(std::string_view text, std::string_view source) {
  const auto json = TRY(parse_json(text, source, JsonComments::allowed));
  return read(json, source, nullptr);
}

namespace {

Status apply_settings(Json& json, const Settings& settings) {
  for (const std::string& setting : settings) {
    TRY(apply_setting(json, setting));
  }
  return Done{};
}

// Whether the settings bring rows to learn from.
bool give_data(const Settings& settings) {
  return std::ranges::any_of(settings, [](std::string_view setting) {
    return setting.starts_with("data=") || setting.starts_with("data.");
  });
}

bool learns_by_play(const Json& recipe) {
  return recipe.find("generations") != nullptr || recipe.find("reinforcement") != nullptr;
}

std::string plain_name(const Task& task, std::string_view kind) {
  return fmt::format("{}-{}", task.name(), kind);
}

// The encoder of the positions that a recipe asks for; empty where that cannot be said.
std::string encoder_asked_for(const Task& task, const Json& recipe, std::string_view kind) {
  if (kind != "rows") {
    const auto encoder = played_encoder(task, recipe);
    return encoder ? *encoder : "";
  }
  const Json& data = recipe["data"];
  if (const std::string file = text_in(data, "file"); !file.empty()) {
    const auto opened = DataSet::open(file);
    return opened ? text_in(opened->info(), "encoder") : "";
  }
  const auto options = read_generate_options(task, data["generate"], "");
  return options ? task.encoder_of(*options) : "";
}

// The one task that a program adds to those that ship; null where there are none or several.
std::shared_ptr<const Task> own_task(const Tasks& tasks) {
  const std::vector<std::string> shipped = builtin_tasks().names();
  std::shared_ptr<const Task> found;
  for (const auto& task : tasks.all()) {
    if (std::ranges::find(shipped, task->name()) != shipped.end()) continue;
    if (found != nullptr) return nullptr;
    found = task;
  }
  return found;
}

// A task's plain recipe: its network fits the data, whatever rules they are of.
Result<Recipe> plain_recipe(const Task& task, const Settings& settings, const Tasks& tasks,
                            std::string_view kind) {
  Json json = task.recipe("", kind);
  TRY(apply_settings(json, settings));
  const std::string encoder = encoder_asked_for(task, json, kind);
  if (Json fitting = task.recipe(encoder, kind); fitting.is_object()) {
    // The settings were good a moment ago.
    if (apply_settings(fitting, settings)) json = std::move(fitting);
  }
  return read_recipe(json, plain_name(task, kind), tasks);
}

Result<Recipe> changed_recipe(Json json, std::string_view source, const Settings& settings,
                              const Tasks& tasks) {
  if (json.is_object()) TRY(apply_settings(json, settings));
  return read_recipe(json, source, tasks);
}

}  // namespace

Result<Recipe> parse_recipe(std::string_view text, std::string_view source,
                            const Settings& settings, const Tasks& tasks) {
  auto json = TRY(parse_json(text, source, JsonComments::allowed));
  return changed_recipe(std::move(json), source, settings, tasks);
}

std::vector<std::string> recipe_names(const Tasks& tasks) {
  std::vector<std::string> names;
  const auto add = [&](std::string name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  };
  for (const auto& [known, text] : builtin_recipes()) add(std::string(known));
  for (const auto& task : tasks.all()) {
    for (const std::string_view kind : kPlainKinds) {
      if (!task->recipe("", kind).is_object()) continue;
      if (kind == "rows") add(std::string(task->name()));
      add(plain_name(*task, kind));
    }
  }
  return names;
}

Result<Recipe> find_recipe(const std::string& name, const Settings& settings, const Tasks& tasks) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(name, ignored)) {
    const auto text = TRY(read_file(name, kMaxFileBytes));
    return parse_recipe(text, name, settings, tasks);
  }
  for (const auto& [known, text] : builtin_recipes()) {
    if (known != name) continue;
    const auto json = TRY(parse_json(text, name, JsonComments::allowed));
    const bool is_task = text_in(json, "task") == name;
    if (is_task && give_data(settings) && learns_by_play(json)) break;
    return changed_recipe(json, name, settings, tasks);
  }
  const auto own = own_task(tasks);
  for (const std::string_view kind : kPlainKinds) {
    for (const auto& task : tasks.all()) {
      const bool meant = name == plain_name(*task, kind) ||
                         (kind == "rows" && name == task->name()) || (task == own && name == kind);
      if (!meant || !task->recipe("", kind).is_object()) continue;
      return plain_recipe(*task, settings, tasks, kind);
    }
  }
  if (name.find('/') != std::string::npos || name.ends_with(".json")) {
    return Error{"cannot be read: there is no such file", {name}};
  }
  return unknown_name("recipe", name, recipe_names(tasks));
}

}  // namespace damier::learn
