#include "damier/app/chess/pgn_output.h"

#include <chrono>

#include <fmt/chrono.h>

#include "damier/games/any_game_impl.h"
#include "damier/games/chess/chess.h"
#include "damier/games/chess/pgn_writer.h"

namespace damier::app {

std::string session_pgn(const games::Session& session, const PgnNames& names) {
  using games::Outcome;
  const auto& history = games::history_of<games::chess::Chess>(session);
  const auto today = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  games::chess::PgnGame game;
  game.tags = {{"Event", std::string(names.event)},
               {"Site", "?"},
               {"Date", fmt::format("{:%Y.%m.%d}", fmt::localtime(today))},
               {"Round", std::string(names.round)},
               {"White", std::string(names.white)},
               {"Black", std::string(names.black)}};
  game.start = history.start();
  for (const auto move : history.moves()) {
    games::chess::PgnPly ply;
    ply.move = move;
    game.line.push_back(std::move(ply));
  }
  switch (session.outcome()) {
    case Outcome::first_wins:
      game.result = "1-0";
      break;
    case Outcome::second_wins:
      game.result = "0-1";
      break;
    case Outcome::draw:
      game.result = "1/2-1/2";
      break;
    case Outcome::ongoing:
      break;
  }
  return games::chess::pgn_text(game) + "\n";
}

}  // namespace damier::app
