#include "damier/app/serve/picture_json.h"

#include <array>

namespace damier::app::serve {

namespace {

using games::Shade;

constexpr std::array<std::string_view, 3> kShades = {"none", "covered", "highlight"};
constexpr std::array<std::string_view, 8> kColours = {"white",  "black",  "blue", "green",
                                                      "orange", "purple", "red",  "yellow"};

Json tokens_json(const std::vector<games::Token>& tokens) {
  Json list = Json::array();
  for (const games::Token& token : tokens) list.push_back(token_json(token));
  return list;
}

// What is usual is left out: boards are large, and most cells are alike.
Json cell_json(const games::Cell& cell) {
  Json json = {{"tokens", tokens_json(cell.tokens)}};
  if (cell.shade != Shade::none) json["shade"] = kShades[static_cast<std::size_t>(cell.shade)];
  if (cell.dark) json["dark"] = true;
  if (!cell.label.empty()) json["label"] = cell.label;
  return json;
}

std::string_view colour_name(games::Colour colour) {
  return kColours[static_cast<std::size_t>(colour)];
}

}  // namespace

Json token_json(const games::Token& token) {
  Json json = {{"role", token.role}};
  if (token.side) json["side"] = games::index(*token.side);
  if (!token.state.empty()) json["state"] = token.state;
  return json;
}

Json translations(const Text& text) {
  return {{std::string(language_code(Language::french)), text.in(Language::french)}};
}

Json picture_json(const games::Picture& picture) {
  Json cells = Json::array(), caption_pieces = Json::array();
  for (const games::Cell& cell : picture.cells) cells.push_back(cell_json(cell));
  for (const auto& pieces : picture.caption_pieces) caption_pieces.push_back(tokens_json(pieces));
  return {{"rows", picture.rows},
          {"cols", picture.cols},
          {"layout", picture.layout == games::Picture::Layout::points ? "points" : "cells"},
          {"ruled", picture.ruled},
          {"chequered", picture.chequered},
          {"facing", picture.facing},
          {"colours", {colour_name(picture.colours[0]), colour_name(picture.colours[1])}},
          {"row_labels", picture.row_labels},
          {"col_labels", picture.col_labels},
          {"links", picture.links},
          {"caption", picture.caption.english()},
          {"caption_in", translations(picture.caption)},
          {"caption_pieces", std::move(caption_pieces)},
          {"cells", std::move(cells)}};
}

Json legal_move_json(std::string move, const games::Gesture& gesture) {
  Json json = {{"move", std::move(move)}, {"kind", gesture.kind}, {"cells", gesture.cells}};
  if (!gesture.piece.empty()) json["piece"] = gesture.piece;
  return json;
}

}  // namespace damier::app::serve
