#include "damier/learn/train/play_recipe.h"

#include <fmt/format.h>

#include "damier/model/library.h"

namespace damier::learn {

namespace {

constexpr int kMaxMatchGames = 1'000'000;

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

PlayFields ask_play(JsonFields& fields, std::string_view own) {
  PlayFields asked;
  asked.own = fields.optional_value(own);
  asked.rules = fields.optional_value("rules");
  asked.encoder = fields.optional_text("encoder").value_or("");
  return asked;
}

Status read_rules(const PlayFields& fields, const std::string& source, const Task& task,
                  PlayRecipe& recipe) {
  if (!task.self_play_recipe("").is_object()) {
    return Error{
        fmt::format("task: {} has no self-play; expected a game of two players", task.name()),
        {source}};
  }
  recipe.encoder = TRY(encoder_with_rules(task, fields.rules, fields.encoder).in(source));
  return Done{};
}

void read_opponents(JsonFields& fields, PlayRecipe& recipe) {
  recipe.opponents = fields.optional_texts("opponents", 16);
  recipe.match_games =
      static_cast<int>(fields.integer_or("games", 2, kMaxMatchGames, recipe.match_games));
  recipe.keep_models = fields.flag_or("models", recipe.keep_models);
}

Status check_opponents(const Task& task, const PlayRecipe& recipe, const std::string& source) {
  for (std::size_t i = 0; i < recipe.opponents.size(); ++i) {
    if (auto status = task.check_opponent(recipe.encoder, recipe.opponents[i]); !status) {
      return Error{fmt::format("evaluation.opponents[{}]: {}", i, status.error().text()), {source}};
    }
  }
  return Done{};
}

Result<std::string> played_encoder(const Task& task, const Json& recipe) {
  return encoder_with_rules(task, recipe.find("rules"), text_in(recipe, "encoder"));
}

}  // namespace damier::learn
