#include "damier/app/serve/game_request.h"

namespace damier::app::serve {

Result<games::SavedGame> read_state(const games::Registry& registry, const Json* state) {
  if (state == nullptr || !state->is_object()) {
    return Error{
        "request: state: is missing; expected a game: {\"game\": NAME, \"moves\": [MOVE, …]}"};
  }
  Json game = *state;
  if (!game.contains("schema")) game["schema"] = "damier/game/1";
  if (!game.contains("moves")) game["moves"] = Json::array();
  return games::read_saved_game(registry, game, "state");
}

Result<GameRequest> parse_game_request(const games::Registry& registry, std::string_view body) {
  const auto json = TRY(parse_json(body, "request"));
  JsonFields fields(json, "", "request");
  GameRequest request;
  const Json* state = fields.optional_value("state");
  request.player = fields.optional_text("player").value_or("");
  request.move = fields.optional_text("move").value_or("");
  request.page = fields.optional_text("page").value_or("");
  request.task = fields.optional_text("task").value_or("");
  request.model = fields.optional_text("model").value_or("");
  request.layer = fields.optional_text("layer").value_or("");
  request.from = static_cast<std::size_t>(
      fields.integer_or("from", 0, static_cast<std::int64_t>(games::kMaxSavedMoves), 0));
  TRY(fields.finish());
  request.saved = TRY(read_state(registry, state));
  return request;
}

Status play_written(games::SavedGame& saved, std::string_view move) {
  games::Session& session = *saved.session;
  if (saved.resigned || session.outcome() != games::Outcome::ongoing) {
    return Error{"the game is over"};
  }
  const auto action = TRY(session.parse_move(move));
  session.play(action);
  return Done{};
}

}  // namespace damier::app::serve
