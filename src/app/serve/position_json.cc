#include "damier/app/serve/position_json.h"

#include <array>

#include "damier/app/serve/picture_json.h"
#include "damier/games/pointing.h"

namespace damier::app::serve {

namespace {

using games::Outcome;
std::string_view outcome_name(Outcome outcome) {
  constexpr std::array<std::string_view, 4> kNames = {"ongoing", "first", "second", "draw"};
  return kNames[static_cast<std::size_t>(outcome)];
}

}  // namespace

Json position_json(const games::SavedGame& saved) {
  const games::Session& session = *saved.session;
  const games::Facts& facts = saved.game->facts();
  const games::Picture picture = session.picture();
  const games::CellNames names = games::cell_names(picture);
  Json legal = Json::array();
  if (!saved.resigned) {
    for (const games::Action action : session.legal_actions()) {
      std::string move = session.move_text(action);
      games::Gesture gesture = session.gesture(action);
      if (gesture.cells.empty()) gesture = games::gesture_of_text(names, move);
      legal.push_back(legal_move_json(std::move(move), gesture));
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
          {"ending_in", translations(saved.resigned ? Text("resignation") : session.ending())},
          {"plies", session.plies()},
          {"legal", std::move(legal)},
          {"figures", std::move(figures)},
          {"picture", picture_json(picture)}};
}

}  // namespace damier::app::serve
