#include "damier/learn/train/play_recipe.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/learn/train/fit.h"

namespace damier::learn {

namespace {

constexpr double kMaxGames = 1e6;
constexpr double kMaxMoves = static_cast<double>(std::int64_t{1} << 40);
constexpr double kMaxReward = 1e6;
constexpr std::uint64_t kMaxMovesOfRound = 65536;
// A checkpoint holds the experience beside the weights.
constexpr std::uint64_t kMaxExperienceBytes = std::uint64_t{3} << 29;

Status read_self_play(const Json* json, const std::string& source, SelfPlayRecipe& to) {
  if (json == nullptr) return Done{};
  RecipeFields fields(*json, "self_play", source);
  RootOptions& root = to.play.root;
  fields.read("root", {"gumbel", "visits"}, root.kind);
  fields.read("considered", 1, 65536, root.considered);
  fields.read("noise", 0, 1, root.noise);
  fields.read("concentration", 1e-3, 1e6, root.concentration);
  fields.read("temperature", 0, 100, root.temperature);
  fields.read("temperature_plies", 0, 100'000, root.temperature_plies);
  fields.read("c", 0, 1000, to.play.c);
  fields.read("random_plies", 0, 100'000, to.play.random_plies);
  fields.read("search_value", 0, 1, to.play.search_value);
  fields.read("resign", 0, 1, to.play.resign);
  fields.read("resign_checked", 0, 1, to.play.resign_checked);
  fields.read("games_at_once", 1, 4096, to.play.games_at_once);
  fields.read("cache", to.play.cache);
  fields.read("window", 1, 10'000, to.window);
  fields.read("reuse", 1e-3, 1000, to.reuse);
  fields.read("gate", 0, 1, to.gate);
  fields.read("gate_games", 2, kMaxGames, to.gate_games);
  return fields.finish();
}

Status read_rewards(const Json* json, const std::string& source, Rewards& rewards) {
  if (json == nullptr) return Done{};
  RecipeFields fields(*json, "reinforcement.rewards", source);
  fields.read("win", -kMaxReward, kMaxReward, rewards.win);
  fields.read("draw", -kMaxReward, kMaxReward, rewards.draw);
  fields.read("loss", -kMaxReward, kMaxReward, rewards.loss);
  fields.read("move", -kMaxReward, kMaxReward, rewards.move);
  fields.read("illegal", -kMaxReward, kMaxReward, rewards.illegal);
  return fields.finish();
}

// {"heuristic": 2}: what a task has, with its weight.
Status read_shaping(const Json* json, const std::string& source, const Task& task,
                    std::vector<Shaping>& shaping) {
  if (json == nullptr) return Done{};
  RecipeFields fields(*json, "reinforcement.shaping", source);
  for (const std::string& name : task.potentials()) {
    Shaping one = {name};
    fields.read(name, -kMaxReward, kMaxReward, one.weight);
    if (one.weight != 0) shaping.push_back(one);
  }
  return fields.finish();
}

void read_faults(RecipeFields& fields, Faults& faults) {
  const std::vector<std::string> known(kFaults.begin(), kFaults.end());
  bool* const to[] = {&faults.no_end, &faults.illegal_maxima, &faults.same_sign};
  for (const std::string& name : fields.optional_texts("faults", known.size())) {
    const auto at = std::ranges::find(known, name) - known.begin();
    if (at == std::ssize(known)) {
      return fields.fail("faults", unknown_name("fault", name, known).message);
    }
    *to[at] = true;
  }
}

void read_q(RecipeFields& fields, ReinforcementOptions& how) {
  fields.read("replay", 1, kMaxMoves, how.replay);
  fields.read("begin", 0, kMaxMoves, how.begin);
  fields.read("reuse", 1e-3, 1000, how.reuse);
  fields.read("epsilon", 0, 1, how.epsilon);
  fields.read("temperature", 0, 1e6, how.temperature);
  fields.read("look_ahead", 1, 1000, how.look_ahead);
  fields.read("double", how.double_q);
  fields.read("target_every", 1, 1e9, how.target_every);
  fields.read("priority", 0, 1, how.priority);
  fields.read("correction", 0, 1, how.correction);
  fields.read("loss", {"squared", "huber"}, how.huber);
  fields.read("draft_by_result", how.draft_by_result);
  fields.read("draft_mask", how.draft_mask);
  fields.read("limit_draws", how.limit_draws);
  read_faults(fields, how.faults);
}

void read_policy(RecipeFields& fields, ReinforcementOptions& how) {
  how.epsilon = {0, 0, 1};
  fields.read("epsilon", 0, 0.9, how.epsilon);
  fields.read("lambda", 0, 1, how.lambda);
  fields.read("entropy", 0, 1000, how.entropy);
  fields.read("value_weight", 0, 1000, how.value_weight);
  fields.read("normalise", how.normalise);
  if (how.method != ReinforcementMethod::ppo) return;
  fields.read("clip", 1e-3, 1, how.clip);
  fields.read("passes", 1, 1000, how.passes);
}

Status read_reinforcement(const Json& json, const std::string& source, Recipe& recipe) {
  ReinforcementOptions& how = recipe.reinforcement->how;
  RecipeFields fields(json, "reinforcement", source);
  fields.read("method", {kReinforcementMethods.begin(), kReinforcementMethods.end()}, how.method);
  const bool values = how.method == ReinforcementMethod::q;
  if (!values) how.moves = 16;
  fields.read("games", 1, 65536, how.games);
  fields.read("moves", 1, 100'000, how.moves);
  fields.read("random_plies", 0, 100'000, how.random_plies);
  fields.read("discount", 0, 1, how.discount);
  const Json* rewards = fields.optional_value("rewards");
  const Json* shaping = fields.optional_value("shaping");
  if (auto names = fields.optional_texts("against", 64); !names.empty()) how.against = names;
  values ? read_q(fields, how) : read_policy(fields, how);
  TRY(fields.finish());
  TRY(read_rewards(rewards, source, how.rewards));
  TRY(read_shaping(shaping, source, *recipe.task, how.shaping));
  if (how.method != ReinforcementMethod::a2c) return Done{};
  if (recipe.json.find("batch") != nullptr) {
    return Error{
        "batch: is given; expected none for a2c, which learns from all moves of a round "
        "at once (games times moves)",
        {source}};
  }
  if (how.moves_of_round() > kMaxMovesOfRound) {
    return Error{fmt::format("reinforcement.moves: {} games make {} moves in a round; expected {} "
                             "at most",
                             how.games, how.moves_of_round(), kMaxMovesOfRound),
                 {source}};
  }
  recipe.batch = static_cast<int>(how.moves_of_round());
  return Done{};
}

Status check_self_play(const std::string& source, const Recipe& recipe,
                       std::span<const Column> columns) {
  const std::string& encoder = recipe.self_play->encoder;
  TRY(recipe.task->encoder(encoder).value()->check_network(recipe.network).in(source));
  const auto& heads = recipe.network.heads;
  const auto value = std::ranges::find(heads, "value", &nn::HeadSpec::name) - heads.begin();
  if (value == std::ssize(heads) ||
      recipe.network.head_shape(static_cast<std::size_t>(value)).size() != 1) {
    return Error{"network.heads: has no head 'value' of 1 output; expected one, for the search",
                 {source}};
  }
  return check_columns(recipe, encoder, columns, "self-play").in(source);
}

Status check_opponent(const Recipe& recipe, std::string_view list, std::size_t place,
                      const std::string& opponent, const std::string& source) {
  const auto status = recipe.task->check_opponent(recipe.play()->encoder, opponent);
  if (status) return Done{};
  return Error{fmt::format("{}[{}]: {}", list, place, status.error().text()), {source}};
}

Status check_reinforcement(const std::string& source, const Recipe& recipe, int actions) {
  const ReinforcementRecipe& own = *recipe.reinforcement;
  const ReinforcementOptions& how = own.how;
  const auto wrong = [&](std::string message) { return Error{std::move(message), {source}}; };
  TRY(recipe.task->encoder(own.encoder).value()->check_input(recipe.network).in(source));
  for (std::size_t i = 0; i < how.against.size(); ++i) {
    if (how.against[i] == "self") continue;
    TRY(check_opponent(recipe, "reinforcement.against", i, how.against[i], source));
  }
  const bool values = how.method == ReinforcementMethod::q;
  std::vector<std::pair<std::string, int>> wanted = {{"moves", actions}};
  if (!values) wanted.emplace_back("value", 1);
  const auto& heads = recipe.network.heads;
  const double greatest = std::max({std::abs(how.rewards.win), std::abs(how.rewards.draw),
                                    std::abs(how.rewards.loss)}) +
                          std::abs(how.rewards.move);
  for (const auto& [name, outputs] : wanted) {
    const auto head = std::ranges::find(heads, name, &nn::HeadSpec::name);
    const auto at = static_cast<std::size_t>(head - heads.begin());
    if (head == heads.end() || recipe.network.head_shape(at).board ||
        recipe.network.head_shape(at).size() != outputs || heads.size() != wanted.size()) {
      return wrong(fmt::format("network.heads: expected {} for {}",
                               values ? fmt::format("one head, 'moves' of {} outputs,", actions)
                                      : fmt::format("two heads, 'moves' of {} outputs and 'value' "
                                                    "of 1,",
                                                    actions),
                               kReinforcementMethods[static_cast<std::size_t>(how.method)]));
    }
    if (name == "moves" && !model::gives_logits(recipe.network, at)) {
      return wrong("network.heads.moves: ends in a softmax; expected plain numbers");
    }
    const nn::LayerSpec* last = recipe.network.last_layer(at);
    const bool is_value = values || name == "value";
    if (is_value && last != nullptr && last->is("tanh") && greatest > 1) {
      return wrong(
          fmt::format("network.heads.{}: ends in a tanh, and rewards go up to {}; expected "
                      "no tanh, or rewards from -1 to 1",
                      name, greatest));
    }
  }
  const std::uint64_t bytes = experience_size(recipe).bytes();
  const std::uint64_t most = std::min(recipe.memory_mb << 20, kMaxExperienceBytes);
  if (bytes <= most) return Done{};
  return wrong(
      fmt::format("reinforcement.{}: the moves take {} bytes of memory; expected {} at most",
                  values ? "replay" : "moves", bytes, most));
}

}  // namespace

void RecipeFields::read(std::string_view key, double low, double high, Fading& to) {
  const Json* value = optional_value(key);
  if (value == nullptr) return;
  if (!value->is_object()) {
    to.first = to.last = number_or(key, low, high, to.last);
    to.share = 1;
    return;
  }
  RecipeFields own(*value, path_of(key), source_);
  to.share = 1;
  own.read("from", low, high, to.first);
  own.read("to", low, high, to.last);
  own.read("over", 0, 1, to.share);
  if (auto found = own.finish(); within_ && !found) within_ = std::move(found);
}

Status RecipeFields::finish() {
  TRY(within_);
  return JsonFields::finish();
}

void ask_play(RecipeFields& fields, Recipe& recipe) {
  if (recipe.self_play) {
    recipe.epochs = 20;
    fields.read("generations", 1, 1e6, recipe.epochs);
    fields.read("games", 1, kMaxGames, recipe.self_play->games);
    fields.read("simulations", 1, 1e6, recipe.self_play->play.root.simulations);
    fields.optional_value("self_play");
  } else {
    fields.read("steps", 1, kMaxMoves, recipe.reinforcement->steps);
    fields.optional_value("reinforcement");
  }
  fields.optional_value("rules");
  fields.optional_text("encoder");
}

Status read_play(const std::string& source, Recipe& recipe) {
  const Task& task = *recipe.task;
  if (!task.recipe("").is_object()) {
    return Error{
        fmt::format("task: {} has no self-play; expected a game of two players", task.name()),
        {source}};
  }
  recipe.play()->encoder = TRY(played_encoder(task, recipe.json).in(source));
  return recipe.self_play ? read_self_play(recipe.json.find("self_play"), source, *recipe.self_play)
                          : read_reinforcement(*recipe.json.find("reinforcement"), source, recipe);
}

void read_opponents(RecipeFields& fields, PlayRecipe& recipe) {
  recipe.opponents = fields.optional_texts("opponents", 16);
  fields.read("games", 2, kMaxGames, recipe.match_games);
  fields.read("models", recipe.keep_models);
}

Status check_play(const std::string& source, const Recipe& recipe) {
  const PlayRecipe& play = *recipe.play();
  const auto columns = TRY(recipe.task->self_play_columns(play.encoder).in(source));
  if (recipe.self_play) TRY(check_self_play(source, recipe, columns));
  for (std::size_t i = 0; i < play.opponents.size(); ++i) {
    TRY(check_opponent(recipe, "evaluation.opponents", i, play.opponents[i], source));
  }
  if (!recipe.reinforcement) return Done{};
  const auto legal = std::ranges::find(columns, "legal", &Column::name);
  return check_reinforcement(source, recipe, static_cast<int>(legal->width));
}

Result<std::string> played_encoder(const Task& task, const Json& recipe) {
  GenerateOptions options = task.defaults();
  if (const Json* rules = recipe.find("rules")) {
    if (!rules->is_object()) return Error{"rules: expected an object"};
    options.more = *rules;
  }
  if (auto encoder = text_in(recipe, "encoder"); !encoder.empty())
    options.more["encoder"] = encoder;
  if (auto status = task.check(options); !status) {
    Error error = std::move(status).error();
    error.message = "rules: " + error.message;
    return error;
  }
  return task.encoder_of(options);
}

ExperienceSize experience_size(const Recipe& recipe) {
  const auto& heads = recipe.network.heads;
  const auto head = std::ranges::find(heads, "moves", &nn::HeadSpec::name) - heads.begin();
  const ReinforcementOptions& how = recipe.reinforcement->how;
  const int actions = recipe.network.head_shape(static_cast<std::size_t>(head)).size();
  return {static_cast<std::size_t>(how.games),
          static_cast<std::size_t>(recipe.network.input.size()), static_cast<std::size_t>(actions),
          how.times_to_keep()};
}

}  // namespace damier::learn
