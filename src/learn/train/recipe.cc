#include "damier/learn/train/recipe.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "damier/base/files/checksum.h"
#include "damier/base/files/files.h"
#include "damier/base/text/text.h"
#include "damier/learn/train/builtin_recipes.h"
#include "damier/learn/train/reinforcement_recipe.h"
#include "damier/learn/train/self_play_recipe.h"
#include "damier/nn/local_rule.h"
#include "damier/nn/network_size.h"

namespace damier::learn {

namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{4} << 20;
constexpr std::int64_t kMaxSamples = std::int64_t{1} << 40;
constexpr std::uint64_t kMaxTrainingBytes = std::uint64_t{16} << 30;

const Json& object_or_empty(const Json* value) {
  static const Json empty = Json::object();
  return value == nullptr ? empty : *value;
}

// The object at "data" or "judge".
Result<RowsRecipe> read_rows(const Json& json, const std::string& path, const std::string& source,
                             const Task& task) {
  JsonFields fields(json, path, source);
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
  JsonFields fields(json, path, source);
  head.loss.kind = static_cast<nn::LossKind>(
      fields.word_or("loss",
                     {"mean_squared_error", "cross_entropy", "binary_cross_entropy", "huber",
                      "chosen_squared_error"},
                     "mean_squared_error"));
  head.target = fields.optional_text("target").value_or(head.name);
  head.mask = fields.optional_text("mask").value_or("");
  head.loss.weight = fields.number_or("weight", 0, 1e6, 1);
  head.scale = fields.number_or("scale", -1e6, 1e6, 1);
  head.squash = fields.number_or("squash", 0, 1e6, 0);
  if (const Json* mix = fields.optional_value("mix")) {
    JsonFields mixed(*mix, path + ".mix", source);
    head.mixed = mixed.text("column");
    head.mixed_share = mixed.number_or("share", 0, 1, 0.3);
    TRY(mixed.finish());
  }
  if (const Json* groups = fields.optional_value("groups")) {
    int sum = 0;
    bool good = groups->is_array() && head.loss.kind == nn::LossKind::cross_entropy;
    for (std::size_t i = 0; good && i < groups->size(); ++i) {
      good = (*groups)[i].is_whole_in(1, width);
      if (good) head.loss.groups.push_back((*groups)[i].get<int>());
      if (good) sum += head.loss.groups.back();
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

Status read_optimiser(const Json* json, const std::string& source, Recipe& recipe) {
  JsonFields fields(object_or_empty(json), "optimiser", source);
  nn::OptimiserOptions& to = recipe.optimiser;
  static const std::vector<std::string> kKinds = {"sgd", "rmsprop", "adam", "adamw"};
  static const std::vector<nn::OptimiserKind> kValues = {
      nn::OptimiserKind::sgd, nn::OptimiserKind::rmsprop, nn::OptimiserKind::adam,
      nn::OptimiserKind::adamw};
  to.kind = kValues[fields.word_or("kind", kKinds, "adam")];
  to.rate = fields.number_or("rate", 0, 1e3, to.rate);
  to.momentum = fields.number_or("momentum", 0, 1, to.momentum);
  to.alpha = fields.number_or("alpha", 0, 1, to.alpha);
  to.beta1 = fields.number_or("beta1", 0, 1, to.beta1);
  to.beta2 = fields.number_or("beta2", 0, 1, to.beta2);
  to.epsilon = fields.number_or("epsilon", 0, 1, to.epsilon);
  to.weight_decay = fields.number_or("weight_decay", 0, 1e3, to.weight_decay);
  to.clip_norm = fields.number_or("clip_norm", 0, 1e9, to.clip_norm);
  to.clip_weights = fields.number_or("clip_weights", 0, 1e9, to.clip_weights);
  return fields.finish();
}

Status read_schedule(const Json* json, const std::string& source, Recipe& recipe) {
  JsonFields fields(object_or_empty(json), "schedule", source);
  ScheduleRecipe& to = recipe.schedule;
  to.kind = static_cast<nn::ScheduleKind>(
      fields.word_or("kind", {"constant", "step", "cosine"}, "constant"));
  to.warm_up = fields.number_or("warm_up", 0, 1e6, 0);
  to.every = fields.number_or("every", 1e-6, 1e6, 1);
  to.factor = fields.number_or("factor", 0, 1e3, 0.1);
  to.lowest = fields.number_or("lowest", 0, 1, 0);
  return fields.finish();
}

// Whether one of the sets that are evaluated is a split of the data.
bool judged_by_data(const Recipe& recipe) {
  return std::any_of(recipe.evaluated.begin(), recipe.evaluated.end(),
                     [](const std::string& set) { return split_named(set).has_value(); });
}

Status read_evaluation(const Json* json, const std::string& source, Recipe& recipe) {
  JsonFields fields(object_or_empty(json), "evaluation", source);
  if (recipe.task == nullptr) {
    recipe.keep = fields.word_or("keep", {"loss", "last"}, "loss") == 0 ? Keep::loss : Keep::last;
    return fields.finish();
  }
  std::vector<std::string> known;
  PlayRecipe* play = recipe.self_play       ? &*recipe.self_play
                     : recipe.reinforcement ? static_cast<PlayRecipe*>(&*recipe.reinforcement)
                                            : nullptr;
  if (play == nullptr) known = {"training"};
  if (recipe.data || recipe.judge) known.insert(known.end(), {"validation", "test"});
  for (auto& set : recipe.task->evaluated_sets()) known.push_back(std::move(set));
  recipe.evaluated = fields.optional_texts("sets", 16);
  for (std::size_t i = 0; i < recipe.evaluated.size(); ++i) {
    if (std::find(known.begin(), known.end(), recipe.evaluated[i]) != known.end()) continue;
    fields.fail(fmt::format("sets[{}]", i),
                unknown_name("set", recipe.evaluated[i], known).message);
  }
  if (play != nullptr && recipe.judge && !judged_by_data(recipe)) {
    recipe.evaluated.emplace(recipe.evaluated.begin(), name_of(Split::validation));
  }
  recipe.evaluate_every = static_cast<int>(fields.integer_or("every", 1, 1'000'000, 1));
  if (play != nullptr) {
    read_opponents(fields, *play);
    recipe.keep = Keep::last;
    return fields.finish();
  }
  recipe.keep = static_cast<Keep>(fields.word_or("keep", {"loss", "accuracy", "last"}, "loss"));
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
Status read_initialisation(const Json* json, const std::string& source, Recipe& recipe) {
  if (json == nullptr) return Done{};
  Json named;
  if (json->is_string()) named["kind"] = *json;
  JsonFields fields(json->is_string() ? named : *json, "initialisation", source);
  const std::vector<std::string> kinds(nn::kInitialisationNames.begin(),
                                       nn::kInitialisationNames.end());
  nn::Initialisation& to = recipe.initialisation;
  to.kind = static_cast<nn::Initialisation::Kind>(fields.word_or("kind", kinds, "he_uniform"));
  if (to.kind == nn::Initialisation::uniform) {
    to.limit = fields.number_or("limit", 0, nn::Initialisation::kMaxLimit, to.limit);
  }
  return fields.finish();
}

// The layer-local rule knows nothing but squared errors and a rate.
Status check_rule(const std::string& source, const Recipe& recipe) {
  if (recipe.rule == LearningRule::backpropagation) return Done{};
  const auto wrong = [&](std::string_view expected) {
    return Error{fmt::format("rule: is local; expected {}", expected), {source}};
  };
  if (!nn::fits_local_rule(recipe.network)) {
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
  JsonFields fields(json, path, source);
  GenerateOptions to = task.defaults();
  to.split = fields.optional_text("split").value_or(to.split);
  to.count = static_cast<std::uint64_t>(
      fields.integer_or("count", 0, kMaxSamples, static_cast<std::int64_t>(to.count)));
  to.validation = fields.number_or("validation", 0, 1, to.validation);
  to.test = fields.number_or("test", 0, 1, to.test);
  if (const auto seed = fields.optional_unsigned("seed")) to.seed = Seed{*seed};
  for (const TaskOption& option : task.options()) {
    const Json* value = fields.optional_value(option.name);
    if (value == nullptr && !option.kept_as.empty()) {
      value = fields.optional_value(option.kept_as);
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
  JsonFields fields(json, "", source);
  const std::string task = tasks != nullptr ? fields.text("task") : "";
  const auto has = [&](std::string_view key) {
    return tasks != nullptr && json.is_object() && json.find(key) != nullptr;
  };
  const bool plays = has("generations"), rewarded = has("reinforcement");
  if (plays && rewarded) {
    return Error{"generations: cannot be given with reinforcement; expected one of them", {source}};
  }
  const Json* data = tasks != nullptr ? fields.optional_value("data") : nullptr;
  const Json* judge = tasks != nullptr ? fields.optional_value("judge") : nullptr;
  if (tasks != nullptr) recipe.start = fields.optional_text("start").value_or("");
  PlayFields own_games;
  if (plays) own_games = ask_self_play(fields, recipe);
  if (rewarded) own_games = ask_reinforcement(fields, recipe.reinforcement.emplace());
  const Json* network = fields.optional_value("network");
  const Json* initialisation = fields.optional_value("initialisation");
  const Json* heads = rewarded ? nullptr : fields.optional_value("heads");
  if (!rewarded) {
    recipe.rule = static_cast<LearningRule>(
        fields.word_or("rule", {"backpropagation", "local"}, "backpropagation"));
  }
  const Json* optimiser = fields.optional_value("optimiser");
  const Json* schedule = fields.optional_value("schedule");
  recipe.batch = static_cast<int>(fields.integer_or("batch", 1, 65536, recipe.batch));
  if (!plays) {
    recipe.epochs = static_cast<int>(fields.integer_or("epochs", 1, 1'000'000, recipe.epochs));
  }
  if (!plays && !rewarded) {
    recipe.patience = static_cast<int>(fields.integer_or("patience", 0, 1'000'000, 0));
    recipe.stored_order = fields.word_or("order", {"shuffled", "stored"}, "shuffled") == 1;
  }
  recipe.doubles = fields.word_or("precision", {"float", "double"}, "float") == 1;
  if (tasks != nullptr) {
    recipe.augment = fields.word_or("augmentation", {"none", "symmetry"}, "none") == 1;
  }
  const Json* evaluation = fields.optional_value("evaluation");
  recipe.seed = fields.optional_unsigned("seed");
  recipe.memory_mb = static_cast<std::uint64_t>(fields.integer_or("memory", 1, 1 << 20, 2048));
  TRY(fields.finish());

  Status status = Done{};
  if (tasks != nullptr) {
    const auto found = tasks->find(task);
    if (!found) return Error{"task: " + found.error().message, {source}};
    recipe.task = *found;
    status = plays      ? read_self_play(own_games, source, recipe)
             : rewarded ? read_reinforcement(own_games, source, recipe)
                        : Status(Done{});
    if (status) status = read_data(data, judge, source, recipe);
  }
  if (status) status = read_initialisation(initialisation, source, recipe);
  if (status) status = read_network(network, source, recipe);
  if (status && !rewarded) status = read_heads(heads, source, recipe);
  if (status) status = read_optimiser(optimiser, source, recipe);
  if (status) status = read_schedule(schedule, source, recipe);
  if (status) status = read_evaluation(evaluation, source, recipe);
  if (status) status = check_rule(source, recipe);
  if (status && plays) status = check_self_play(source, recipe);
  if (status && rewarded) status = check_reinforcement(source, recipe);
  if (!status) return std::move(status).error();
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
  return std::any_of(settings.begin(), settings.end(), [](std::string_view setting) {
    return setting.starts_with("data=") || setting.starts_with("data.");
  });
}

bool learns_by_play(const Json& recipe) {
  return recipe.find("generations") != nullptr || recipe.find("reinforcement") != nullptr;
}

// The plain recipes of a task: from rows, and by play.
struct PlainKind {
  std::string_view name;
  std::string_view method;  // of learning by reward

  bool has_rows() const { return name == "rows"; }
};
constexpr PlainKind kPlainKinds[] = {
    {"rows", ""}, {"self-play", ""}, {"q", "q"}, {"a2c", "a2c"}, {"ppo", "ppo"}};

std::string plain_name(const Task& task, const PlainKind& kind) {
  return fmt::format("{}-{}", task.name(), kind.name);
}

Json plain_json(const Task& task, std::string_view encoder, const PlainKind& kind) {
  if (!kind.method.empty()) return task.reinforcement_recipe(encoder, kind.method);
  return kind.has_rows() ? task.recipe(encoder) : task.self_play_recipe(encoder);
}

// The encoder of the positions that a recipe asks for; empty where that cannot be said.
std::string encoder_asked_for(const Task& task, const Json& recipe, const PlainKind& kind) {
  if (!kind.has_rows()) {
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
    if (std::find(shipped.begin(), shipped.end(), task->name()) != shipped.end()) continue;
    if (found != nullptr) return nullptr;
    found = task;
  }
  return found;
}

// A task's plain recipe: its network fits the data, whatever rules they are of.
Result<Recipe> plain_recipe(const Task& task, const Settings& settings, const Tasks& tasks,
                            const PlainKind& kind) {
  Json json = plain_json(task, "", kind);
  TRY(apply_settings(json, settings));
  const std::string encoder = encoder_asked_for(task, json, kind);
  if (Json fitting = plain_json(task, encoder, kind); fitting.is_object()) {
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
  for (const auto& [known, text] : builtin_recipes()) names.emplace_back(known);
  for (const auto& task : tasks.all()) {
    for (const PlainKind& kind : kPlainKinds) {
      if (!plain_json(*task, "", kind).is_object()) continue;
      const std::string alone(task->name());
      if (kind.has_rows() && std::find(names.begin(), names.end(), alone) == names.end()) {
        names.push_back(alone);
      }
      std::string own = plain_name(*task, kind);
      if (std::find(names.begin(), names.end(), own) == names.end()) {
        names.push_back(std::move(own));
      }
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
  for (const PlainKind& kind : kPlainKinds) {
    for (const auto& task : tasks.all()) {
      const bool meant = name == plain_name(*task, kind) ||
                         (kind.has_rows() && name == task->name()) ||
                         (task == own && name == kind.name);
      if (!meant || !plain_json(*task, "", kind).is_object()) continue;
      return plain_recipe(*task, settings, tasks, kind);
    }
  }
  if (name.find('/') != std::string::npos || name.ends_with(".json")) {
    return Error{"cannot be read: there is no such file", {name}};
  }
  return unknown_name("recipe", name, recipe_names(tasks));
}

}  // namespace damier::learn
