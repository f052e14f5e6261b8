#include "damier/app/serve/position_json.h"

#include <array>

namespace damier::app::serve {

namespace {

using games::Ink;
using games::Outcome;
using games::Shade;

constexpr std::array<std::string_view, 20> kInkNames = {
    "plain", "faint", "first", "second", "blue",  "green", "orange", "purple", "red",   "yellow",
    "alert", "mark",  "one",   "two",    "three", "four",  "five",   "six",    "seven", "eight"};
static_assert(kInkNames.size() == static_cast<std::size_t>(Ink::eight) + 1);

constexpr std::array<std::string_view, 3> kShadeNames = {"none", "covered", "highlight"};

// What is usual is left out: boards are large, and most cells are alike.
Json cell_json(const games::Cell& cell) {
  Json tokens = Json::array();
  for (const games::Token& token : cell.tokens) {
    Json json = {{"glyph", token.glyph},
                 {"letter", token.ascii},
                 {"ink", kInkNames[static_cast<std::size_t>(token.ink)]}};
    if (token.strong) json["strong"] = true;
    if (token.tile) json["tile"] = true;
    tokens.push_back(std::move(json));
  }
  Json json = {{"tokens", std::move(tokens)}};
  if (cell.shade != Shade::none) {
    json["shade"] = kShadeNames[static_cast<std::size_t>(cell.shade)];
  }
  if (cell.joins_right) json["joins_right"] = true;
  if (cell.dark) json["dark"] = true;
  return json;
}

std::string_view outcome_name(Outcome outcome) {
  constexpr std::array<std::string_view, 4> kNames = {"ongoing", "first", "second", "draw"};
  return kNames[static_cast<std::size_t>(outcome)];
}

}  // namespace

Json picture_json(const games::Picture& picture) {
  Json cells = Json::array();
  for (const games::Cell& cell : picture.cells) cells.push_back(cell_json(cell));
  return {{"rows", picture.rows},
          {"cols", picture.cols},
          {"layout", picture.layout == games::Picture::Layout::points ? "points" : "cells"},
          {"ruled", picture.ruled},
          {"chequered", picture.chequered},
          {"row_labels", picture.row_labels},
          {"col_labels", picture.col_labels},
          {"links", picture.links},
          {"caption", picture.caption.english()},
          {"cells", std::move(cells)}};
}

Json position_json(const games::SavedGame& saved, const GameCommands& own) {
  const games::Session& session = *saved.session;
  const games::Facts& facts = saved.game->facts();
  Json legal = Json::array();
  if (!saved.resigned) {
    for (const games::Action action : session.legal_actions()) {
      legal.push_back(
          {{"move", session.move_text(action)}, {"cells", own.cells_of(session, action)}});
    }
  }
  Json figures = Json::array();
  for (const auto& figure : session.figures()) {
    figures.push_back({{"name", figure.name}, {"value", figure.value}});
  }
  const Outcome outcome =
      saved.resigned ? games::win_of(games::opponent(*saved.resigned)) : session.outcome();
  return {{"game", facts.name},
          {"state", to_json(saved)},
          {"position", session.position_text()},
          {"side", facts.sides[static_cast<std::size_t>(games::index(session.side_to_move()))]},
          {"to_move", games::index(session.side_to_move())},
          {"outcome", outcome_name(outcome)},
          {"ending", saved.resigned ? "resigned" : session.ending().english()},
          {"plies", session.plies()},
          {"legal", std::move(legal)},
          {"figures", std::move(figures)},
          {"picture", picture_json(session.picture())}};
}

}  // namespace damier::app::serve
