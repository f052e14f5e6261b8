// What chess offers to the commands: a board with figures or letters that turns to the person, and
// PGN for other chess programs.

#include <chrono>

#include <fmt/chrono.h>

#include "damier/app/board_printer.h"
#include "damier/app/builtin_commands.h"
#include "damier/app/chess/pgn_data.h"
#include "damier/games/any_game_impl.h"
#include "damier/games/chess/chess.h"
#include "damier/games/chess/chess_picture.h"
#include "damier/games/chess/pgn_writer.h"

namespace damier::app {

namespace {

using games::Outcome;
using games::chess::Chess;

constexpr std::string_view kExamples[] = {
    "{program} play chess --as black --vs minimax:4 --pgn game.pgn",
    "{program} match chess minimax:3 minimax:2 --games 20 --pgn games.pgn",
    "{program} perft chess 5",
    "{program} data chess.pgn",
    "{program} data - --format pgn < chess.pgn",
    "{program} bench chess-rules --peer stockfish",
};

std::string_view result_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::first_wins:
      return "1-0";
    case Outcome::second_wins:
      return "0-1";
    case Outcome::draw:
      return "1/2-1/2";
    case Outcome::ongoing:
      break;
  }
  return "*";
}

std::string pgn_of(const games::Session& session, const GameFormat::Names& names) {
  const auto& history = games::history_of<Chess>(session);
  const auto today = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  games::chess::PgnGame game;
  game.tags = {{"Event", std::string(names.event)},
               {"Site", "?"},
               {"Date", fmt::format("{:%Y.%m.%d}", fmt::localtime(today))},
               {"Round", std::string(names.round)},
               {"White", std::string(names.players[0])},
               {"Black", std::string(names.players[1])}};
  game.start = history.start();
  for (const auto move : history.moves()) {
    games::chess::PgnPly ply;
    ply.move = move;
    game.line.push_back(std::move(ply));
  }
  game.result = result_text(session.outcome());
  return games::chess::pgn_text(game) + "\n";
}

class ChessCommands final : public GameCommands {
 public:
  ChessCommands() : GameCommands("chess") {}

  std::span<const std::string_view> examples() const override { return kExamples; }

  void add_board_options(CommandLine line) override {
    line.add_flag("--letters", letters_, "chess: letters instead of figures");
    line.add_option("--lang", language_, "chess: letters in English (en) or French (fr)")
        .one_of({"en", "fr"});
  }

  std::optional<std::string> board(const games::Session& session, const Seat& seat) const override {
    using games::chess::Language;
    const auto& history = games::history_of<Chess>(session);
    const bool french = language_ == "fr";
    const auto picture =
        games::chess::chess_picture(history.game().generator(), history.state(), history.moves(),
                                    {.bottom = seat.bottom,
                                     .figures = !letters_ && !french,
                                     .language = french ? Language::french : Language::english});
    return board_text(picture, seat.look);
  }

  std::optional<GameFormat> format() const override {
    return GameFormat{"--pgn", "write what was played to this file, as PGN", pgn_of};
  }

  std::string_view data_format() const override { return "pgn"; }
  std::optional<int> data(const DataRequest& request) const override { return pgn_data(request); }

 private:
  bool letters_ = false;
  std::string language_ = "en";
};

}  // namespace

std::unique_ptr<GameCommands> chess_commands() { return std::make_unique<ChessCommands>(); }

}  // namespace damier::app
