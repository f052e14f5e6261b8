#include "damier/app/serve/game_json.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/text/language.h"
#include "damier/games/picture.h"
#include "damier/games/pointing.h"

namespace damier::app::serve {

namespace {

using games::Outcome;
using games::Placement;
using games::Side;
using games::Token;

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

// One of the pieces of the game, by what it is called.
Result<Token> read_piece(const Json& json, std::string path, std::span<const Token> pieces) {
  JsonFields fields(json, path, "request");
  Token token{.role = fields.text("role"), .side = std::nullopt};
  const std::int64_t side = fields.integer_or("side", 0, 1, -1);
  token.state = fields.optional_text("state").value_or("");
  TRY(fields.finish());
  if (side >= 0) token.side = side == 0 ? Side::first : Side::second;
  if (std::ranges::find(pieces, token) != pieces.end()) return token;
  return Error{fmt::format("request: {}: the game has no such piece", path)};
}

Result<Placement> read_board(const Json& json, std::size_t cells, std::span<const Token> pieces) {
  JsonFields fields(json, "board", "request");
  const Json* list = fields.optional_value("cells");
  Placement placement{
      .cells = {},
      .to_move = fields.integer_or("to_move", 0, 1, 0) == 0 ? Side::first : Side::second};
  TRY(fields.finish());
  const Error error{
      fmt::format("request: board.cells: expected {} lists of pieces, one a cell", cells)};
  if (list == nullptr || !list->is_array() || list->size() != cells) return error;
  for (const Json& tokens : *list) {
    if (!tokens.is_array() || tokens.size() > pieces.size()) return error;
    const std::string path = fmt::format("board.cells[{}]", placement.cells.size());
    auto& cell = placement.cells.emplace_back();
    for (const Json& piece : tokens) {
      const auto token = TRY(read_piece(piece, path, pieces));
      cell.push_back(token);
    }
  }
  return placement;
}

// A list of what `json_of_one` makes of each.
template <class List, class JsonOfOne>
Json list_json(const List& list, const JsonOfOne& json_of_one) {
  Json json = Json::array();
  for (const auto& one : list) json.push_back(json_of_one(one));
  return json;
}

Json token_json(const Token& token) {
  Json json = {{"role", token.role}};
  if (token.side) json["side"] = games::index(*token.side);
  if (!token.state.empty()) json["state"] = token.state;
  return json;
}

Json tokens_json(const std::vector<Token>& tokens) { return list_json(tokens, token_json); }

// What is usual is left out: boards are large, and most cells are alike.
Json cell_json(const games::Cell& cell) {
  constexpr std::string_view kShades[] = {"none", "covered", "highlight"};
  Json json = {{"tokens", tokens_json(cell.tokens)}};
  if (cell.shade != games::Shade::none) json["shade"] = kShades[static_cast<int>(cell.shade)];
  if (cell.dark) json["dark"] = true;
  if (!cell.label.empty()) json["label"] = cell.label;
  return json;
}

// A text in the languages besides English, by their codes.
Json translations(const Text& text) {
  return {{std::string(language_code(Language::french)), text.in(Language::french)}};
}

Json picture_json(const games::Picture& picture) {
  constexpr std::string_view kColours[] = {"white",  "black",  "blue", "green",
                                           "orange", "purple", "red",  "yellow"};
  return {{"rows", picture.rows},
          {"cols", picture.cols},
          {"layout", picture.layout == games::Picture::Layout::points ? "points" : "cells"},
          {"ruled", picture.ruled},
          {"chequered", picture.chequered},
          {"facing", picture.facing},
          {"colours",
           list_json(picture.colours,
                     [&](games::Colour colour) { return kColours[static_cast<int>(colour)]; })},
          {"row_labels", picture.row_labels},
          {"col_labels", picture.col_labels},
          {"links", picture.links},
          {"caption", picture.caption.english()},
          {"caption_in", translations(picture.caption)},
          {"caption_pieces", list_json(picture.caption_pieces, tokens_json)},
          {"cells", list_json(picture.cells, cell_json)}};
}

}  // namespace

Result<GameRequest> parse_game_request(const games::Registry& registry, std::string_view body) {
  const auto json = TRY(parse_json(body, "request"));
  JsonFields fields(json, "", "request");
  const auto text = [&](std::string_view key) { return fields.optional_text(key).value_or(""); };
  const Json* state = fields.optional_value("state");
  GameRequest request{.saved = {},
                      .player = text("player"),
                      .move = text("move"),
                      .page = text("page"),
                      .task = text("task"),
                      .model = text("model"),
                      .layer = text("layer")};
  request.from = static_cast<std::size_t>(
      fields.integer_or("from", 0, static_cast<std::int64_t>(games::kMaxSavedMoves), 0));
  TRY(fields.finish());
  request.saved = TRY(read_state(registry, state));
  return request;
}

Status play_written(games::SavedGame& saved, std::string_view move) {
  games::Session& session = *saved.session;
  if (saved.resigned || session.outcome() != Outcome::ongoing) return Error{"the game is over"};
  const auto action = TRY(session.parse_move(move));
  session.play(action);
  return Done{};
}

Json position_json(const games::SavedGame& saved) {
  const games::Session& session = *saved.session;
  const games::Facts& facts = saved.game->facts();
  const games::Picture picture = session.picture();
  const games::CellNames names = games::cell_names(picture);
  const auto legal = [&](games::Action action) {
    std::string move = session.move_text(action);
    games::Gesture gesture = session.gesture(action);
    if (gesture.cells.empty()) gesture = games::gesture_of_text(names, move);
    Json json = {{"move", std::move(move)}, {"kind", gesture.kind}, {"cells", gesture.cells}};
    if (!gesture.piece.empty()) json["piece"] = gesture.piece;
    return json;
  };
  const Outcome outcome =
      saved.resigned ? games::win_of(games::opponent(*saved.resigned)) : session.outcome();
  const int side = games::index(session.side_to_move());
  return {{"game", facts.name},
          {"state", to_json(saved)},
          {"position", session.position_text()},
          {"side", facts.sides[static_cast<std::size_t>(side)]},
          {"to_move", side},
          {"outcome", outcome_word(outcome)},
          {"ending", saved.resigned ? "resigned" : session.ending().english()},
          {"ending_in", translations(saved.resigned ? Text("resignation") : session.ending())},
          {"plies", session.plies()},
          {"legal", saved.resigned ? Json::array() : list_json(session.legal_actions(), legal)},
          {"figures", list_json(session.figures(),
                                [](const auto& figure) -> Json {
                                  return {{"name", figure.name}, {"value", figure.value}};
                                })},
          {"picture", picture_json(picture)}};
}

Result<Json> edited_board(const games::Registry& registry, std::string_view body) {
  const auto json = TRY(parse_json(body, "request"));
  JsonFields fields(json, "", "request");
  const Json* state = fields.optional_value("state");
  const Json* board = fields.optional_value("board");
  const Json* piece = fields.optional_value("piece");
  const std::int64_t cell = fields.integer_or("cell", 0, 1'000'000, -1);
  TRY(fields.finish());
  const auto saved = TRY(read_state(registry, state));
  const games::AnyGame& game = *saved.game;
  const std::vector<Token> pieces = game.pieces();
  if (pieces.empty()) {
    return Error{fmt::format("positions of {} are not put together by hand", game.facts().name)};
  }
  const games::Picture picture = saved.session->picture();
  auto placement =
      TRY(board != nullptr ? read_board(*board, picture.cells.size(), pieces)
                           : placement_of(picture, saved.session->side_to_move(), pieces));
  if (cell >= 0) {
    if (cell >= std::ssize(picture.cells)) return Error{"request: cell: is not on the board"};
    if (piece == nullptr) return Error{"request: piece: is missing; expected what to put there"};
    const auto token = TRY(read_piece(*piece, "piece", pieces));
    game.put(placement, static_cast<int>(cell), token);
  }
  const std::string text = game.text_of(placement);
  const auto position = game.start_from(text);
  return Json{{"game", game.facts().name},
              {"pieces", tokens_json(pieces)},
              {"board",
               {{"cells", list_json(placement.cells, tokens_json)},
                {"to_move", games::index(placement.to_move)}}},
              {"picture", picture_json(picture_of(picture, placement))},
              {"position", text},
              {"error", position ? Json(nullptr) : Json(position.error().text())}};
}

}  // namespace damier::app::serve
