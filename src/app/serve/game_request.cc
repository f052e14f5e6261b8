#include "damier/app/serve/game_request.h"

namespace damier::app::serve {

Result<GameRequest> parse_game_request(const games::Registry& registry, std::string_view body) {
  constexpr std::string_view kSource = "request";
  const auto json = parse_json(body, kSource);
  if (!json) return json.error();
  JsonFields fields(*json, "", std::string(kSource));
  GameRequest request;
  const Json* state = fields.optional_value("state");
  request.player = fields.optional_text("player").value_or("");
  request.move = fields.optional_text("move").value_or("");
  request.page = fields.optional_text("page").value_or("");
  request.task = fields.optional_text("task").value_or("");
  request.model = fields.optional_text("model").value_or("");
  request.layer = fields.optional_text("layer").value_or("");
  if (state == nullptr || !state->is_object()) {
    fields.fail("state", "is missing; expected a game: {\"game\": NAME, \"moves\": [MOVE, …]}");
  }
  if (auto status = fields.finish(); !status) return std::move(status).error();
  Json game = *state;
  if (!game.contains("schema")) game["schema"] = "damier/game/1";
  if (!game.contains("moves")) game["moves"] = Json::array();
  auto saved = games::parse_saved_game(registry, dump_line(game), "state");
  if (!saved) return std::move(saved).error();
  request.saved = *std::move(saved);
  return request;
}

}  // namespace damier::app::serve
