#include "damier/learn/training/self_play_recipe.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/learn/teacher.h"
#include "damier/learn/training/learner.h"

namespace damier::learn {

namespace {

constexpr int kMostGames = 1'000'000;

Result<std::string> encoder_with_rules(const Task& task, const Json* rules,
                                       const std::string& encoder) {
  GenerateOptions options = task.defaults();
  if (rules != nullptr && !rules->is_object()) return Error{"rules: expected an object"};
  if (rules != nullptr) options.more = *rules;
  if (!encoder.empty()) options.more["encoder"] = encoder;
  if (auto status = task.check(options); !status) {
    Error error = std::move(status).error();
    error.message = "rules: " + error.message;
    return error;
  }
  return task.encoder_of(options);
}

}  // namespace

SelfPlayFields ask_self_play(JsonFields& fields, SelfPlayRecipe& recipe) {
  recipe.generations =
      static_cast<int>(fields.integer_or("generations", 1, 1'000'000, recipe.generations));
  recipe.games = static_cast<int>(fields.integer_or("games", 1, kMostGames, recipe.games));
  recipe.play.root.simulations = static_cast<int>(
      fields.integer_or("simulations", 1, 1'000'000, recipe.play.root.simulations));
  SelfPlayFields own;
  own.own = fields.optional_value("self_play");
  own.rules = fields.optional_value("rules");
  own.encoder = fields.optional_text("encoder").value_or("");
  recipe.start = fields.optional_text("start").value_or("");
  return own;
}

Status read_self_play(const SelfPlayFields& asked, const std::string& source, Recipe& recipe) {
  if (!recipe.task->self_play_recipe("").is_object()) {
    return Error{fmt::format("task: {} has no self-play; expected a game of two players",
                             recipe.task->name()),
                 {source}};
  }
  SelfPlayRecipe& to = *recipe.self_play;
  static const Json kEmpty = Json::object();
  JsonFields fields(asked.own == nullptr ? kEmpty : *asked.own, "self_play", source);
  RootOptions& root = to.play.root;
  root.kind = static_cast<RootKind>(fields.word_or("root", {"gumbel", "visits"}, "gumbel"));
  root.considered = static_cast<int>(fields.integer_or("considered", 1, 65536, root.considered));
  root.noise = fields.number_or("noise", 0, 1, root.noise);
  root.concentration = fields.number_or("concentration", 1e-3, 1e6, root.concentration);
  root.temperature = fields.number_or("temperature", 0, 100, root.temperature);
  root.temperature_plies =
      static_cast<int>(fields.integer_or("temperature_plies", 0, 100'000, root.temperature_plies));
  to.play.c = fields.number_or("c", 0, 1000, to.play.c);
  to.play.random_plies =
      static_cast<int>(fields.integer_or("random_plies", 0, 100'000, to.play.random_plies));
  to.play.search_value = fields.number_or("search_value", 0, 1, to.play.search_value);
  to.play.resign = fields.number_or("resign", 0, 1, to.play.resign);
  to.play.resign_checked = fields.number_or("resign_checked", 0, 1, to.play.resign_checked);
  to.play.games_at_once =
      static_cast<int>(fields.integer_or("games_at_once", 1, 4096, to.play.games_at_once));
  to.play.cache = fields.flag_or("cache", to.play.cache);
  to.window = static_cast<int>(fields.integer_or("window", 1, 10'000, to.window));
  to.reuse = fields.number_or("reuse", 1e-3, 1000, to.reuse);
  to.gate = fields.number_or("gate", 0, 1, to.gate);
  to.gate_games = static_cast<int>(fields.integer_or("gate_games", 2, kMostGames, to.gate_games));
  if (auto status = fields.finish(); !status) return status;
  auto encoder = encoder_with_rules(*recipe.task, asked.rules, asked.encoder);
  if (!encoder) return std::move(encoder).error().in(source);
  to.encoder = *std::move(encoder);
  return Done{};
}

void read_opponents(JsonFields& fields, SelfPlayRecipe& recipe) {
  recipe.opponents = fields.optional_texts("opponents", 16);
  for (std::size_t i = 0; i < recipe.opponents.size(); ++i) {
    if (recipe.opponents[i] == "random") continue;
    if (const auto name = TeacherName::parse(recipe.opponents[i]); !name) {
      fields.fail(fmt::format("opponents[{}]", i), name.error().message + ", or random");
    }
  }
  recipe.match_games =
      static_cast<int>(fields.integer_or("games", 2, kMostGames, recipe.match_games));
}

Status check_self_play(const std::string& source, const Recipe& recipe) {
  const std::string& encoder = recipe.self_play->encoder;
  const auto columns = recipe.task->self_play_columns(encoder);
  if (!columns) return Error{columns.error()}.in(source);
  if (auto status = recipe.task->check_network(recipe.network, encoder); !status) {
    return std::move(status).error().in(source);
  }
  if (auto status = check_columns(recipe, encoder, *columns, "self-play"); !status) {
    return std::move(status).error().in(source);
  }
  for (std::size_t i = 0; i < recipe.network.heads.size(); ++i) {
    if (recipe.network.heads[i].name != "value") continue;
    if (recipe.network.head_shape(i).size() == 1) return Done{};
  }
  return Error{"network.heads: has no head 'value' of 1 output; expected one, for the search",
               {source}};
}

Result<std::string> self_play_encoder(const Task& task, const Json& recipe) {
  return encoder_with_rules(task, recipe.find("rules"), text_in(recipe, "encoder"));
}

}  // namespace damier::learn
