#include "damier/app/serve/edit.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/app/serve/game_request.h"
#include "damier/app/serve/picture_json.h"

namespace damier::app::serve {

namespace {

using games::Placement;
using games::Side;
using games::Token;

// One of the pieces of the game, by what it is called.
Result<Token> read_piece(const Json& json, std::string path, std::span<const Token> pieces) {
  JsonFields fields(json, path, "request");
  Token token{.role = fields.text("role"), .side = std::nullopt};
  const std::int64_t side = fields.integer_or("side", 0, 1, -1);
  token.state = fields.optional_text("state").value_or("");
  TRY(fields.finish());
  if (side >= 0) token.side = side == 0 ? Side::first : Side::second;
  if (std::find(pieces.begin(), pieces.end(), token) == pieces.end()) {
    return Error{fmt::format("request: {}: the game has no such piece", path)};
  }
  return token;
}

Result<Placement> read_board(const Json& json, std::size_t cells, std::span<const Token> pieces) {
  JsonFields fields(json, "board", "request");
  const Json* list = fields.optional_value("cells");
  Placement placement{
      .cells = {},
      .to_move = fields.integer_or("to_move", 0, 1, 0) == 0 ? Side::first : Side::second};
  TRY(fields.finish());
  const auto error = [&] {
    return Error{
        fmt::format("request: board.cells: expected {} lists of pieces, one a cell", cells)};
  };
  if (list == nullptr || !list->is_array() || list->size() != cells) return error();
  for (const Json& tokens : *list) {
    if (!tokens.is_array() || tokens.size() > pieces.size()) return error();
    auto& cell = placement.cells.emplace_back();
    for (const Json& piece : tokens) {
      const auto token = TRY(
          read_piece(piece, fmt::format("board.cells[{}]", placement.cells.size() - 1), pieces));
      cell.push_back(token);
    }
  }
  return placement;
}

Json board_json(const Placement& placement) {
  Json cells = Json::array();
  for (const auto& tokens : placement.cells) {
    Json list = Json::array();
    for (const Token& token : tokens) list.push_back(token_json(token));
    cells.push_back(std::move(list));
  }
  return {{"cells", std::move(cells)}, {"to_move", games::index(placement.to_move)}};
}

}  // namespace

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
  Result<Placement> placement = placement_of(picture, saved.session->side_to_move(), pieces);
  if (board != nullptr) placement = read_board(*board, picture.cells.size(), pieces);
  if (!placement) return placement.error();
  if (cell >= 0) {
    if (cell >= std::ssize(picture.cells)) return Error{"request: cell: is not on the board"};
    if (piece == nullptr) return Error{"request: piece: is missing; expected what to put there"};
    const auto token = TRY(read_piece(*piece, "piece", pieces));
    game.put(*placement, static_cast<int>(cell), token);
  }
  const std::string text = game.text_of(*placement);
  const auto position = game.start_from(text);
  Json choices = Json::array();
  for (const Token& token : pieces) choices.push_back(token_json(token));
  return Json{{"game", game.facts().name},
              {"pieces", std::move(choices)},
              {"board", board_json(*placement)},
              {"picture", picture_json(picture_of(picture, *placement))},
              {"position", text},
              {"error", position ? Json(nullptr) : Json(position.error().text())}};
}

}  // namespace damier::app::serve
