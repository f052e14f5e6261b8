#include "damier/learn/train/self_play_recipe.h"

#include "damier/learn/train/fit.h"

namespace damier::learn {

namespace {

constexpr int kMaxGames = 1'000'000;

}  // namespace

PlayFields ask_self_play(JsonFields& fields, Recipe& recipe) {
  constexpr int kGenerations = 20;
  SelfPlayRecipe& own = recipe.self_play.emplace();
  recipe.epochs = static_cast<int>(fields.integer_or("generations", 1, 1'000'000, kGenerations));
  own.games = static_cast<int>(fields.integer_or("games", 1, kMaxGames, own.games));
  own.play.root.simulations =
      static_cast<int>(fields.integer_or("simulations", 1, 1'000'000, own.play.root.simulations));
  return ask_play(fields, "self_play");
}

Status read_self_play(const PlayFields& asked, const std::string& source, Recipe& recipe) {
  auto rules = read_rules(asked, source, *recipe.task, *recipe.self_play);
  if (!rules) return rules;
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
  to.gate_games = static_cast<int>(fields.integer_or("gate_games", 2, kMaxGames, to.gate_games));
  return fields.finish();
}

Status check_self_play(const std::string& source, const Recipe& recipe) {
  const std::string& encoder = recipe.self_play->encoder;
  const auto columns = recipe.task->self_play_columns(encoder);
  if (!columns) return Error{columns.error()}.in(source);
  if (auto status = recipe.task->encoder(encoder).value()->check_network(recipe.network); !status) {
    return std::move(status).error().in(source);
  }
  bool has_value = false;
  for (std::size_t i = 0; i < recipe.network.heads.size(); ++i) {
    has_value |=
        recipe.network.heads[i].name == "value" && recipe.network.head_shape(i).size() == 1;
  }
  if (!has_value) {
    return Error{"network.heads: has no head 'value' of 1 output; expected one, for the search",
                 {source}};
  }
  if (auto status = check_columns(recipe, encoder, *columns, "self-play"); !status) {
    return std::move(status).error().in(source);
  }
  return check_opponents(*recipe.task, *recipe.self_play, source);
}

}  // namespace damier::learn
