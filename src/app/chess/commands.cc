// What chess offers to the commands: a board with figures or letters that turns to the person, and
// PGN and the engine for other chess programs.

#include "damier/app/commands/commands.h"

#include <fmt/format.h>

#include "damier/app/chess/pgn_record.h"
#include "damier/app/chess/uci_session.h"
#include "damier/app/commands/builtin_commands.h"
#include "damier/app/terminal/board_printer.h"
#include "damier/app/terminal/prompt.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/language.h"
#include "damier/base/text/standard_streams.h"
#include "damier/games/any_game_impl.h"
#include "damier/games/chess/chess.h"
#include "damier/games/chess/san.h"

namespace damier::app {

namespace {

using games::chess::Chess;

constexpr std::string_view kExamples[] = {
    "{program} play chess --as black --level 3 --pgn game.pgn",
    "{program} match chess minimax:3 minimax:2 --games 20 --pgn games.pgn",
    "{program} strength chess --measure strength/chess.json",
    "{program} perft chess 5",
    "{program} play chess --load game.pgn",
    "{program} analyze chess game.pgn --player minimax:4",
    "{program} analyze chess games.pgn --number 3",
    "{program} generate chess --count 20000 --encoder bytes -o chess.data",
    "{program} generate chess --from games.pgn --encoder bits -o chess.data",
    "{program} train chess-value",
    "{program} reproduce chess --quick",
    "{program} data chess.pgn",
    "{program} data - --format pgn < chess.pgn",
    "{program} bench chess-rules --peer stockfish",
};

class ChessCommands final : public GameCommands {
 public:
  ChessCommands() : GameCommands("chess", {kExamples}) {}

  std::string moves_in_language(std::string text) const override {
    return games::chess::san_in_language(text, language());
  }
  std::string move_from_language(std::string move) const override {
    return games::chess::san_in_english(move, language());
  }

  std::string letters(Language language) const override {
    std::string pairs;
    if (language == Language::english) return pairs;
    for (const char letter : games::chess::kEnglishLetters) {
      pairs += letter;
      pairs += games::chess::san_in_language(std::string{letter} + "a1", language).front();
    }
    return pairs;
  }

  void add_board_options(CommandLine line) override {
    line.add_flag("--letters", letters_, "chess: letters instead of figures");
  }

  std::optional<std::string> board(const games::Session& session, const Seat& seat) const override {
    games::Picture picture = session.picture();
    if (seat.bottom == games::Side::second) picture = turned(std::move(picture));
    Look look = seat.look;
    look.letters = letters_;
    return board_text(picture, look, seat.columns);
  }

  std::optional<GameFormat> format() const override {
    return GameFormat{"--pgn",         "write what was played to this file, as PGN",
                      pgn_of,          ".pgn",
                      read_pgn_record, annotated_pgn};
  }

  std::optional<Result<std::vector<play::Opening>>> openings(std::istream& in,
                                                             const std::string& source,
                                                             int plies) const override {
    return read_chess_book(in, source, plies);
  }

  std::string_view data_format() const override { return "pgn"; }
  std::optional<Result<int>> data(const DataRequest& request) const override {
    return pgn_data(request);
  }

 private:
  bool letters_ = false;
};

// `damier uci`: the engine for any chess program.
Result<int> run_uci() {
  UciSession session([](std::string_view line) {
    write_output(fmt::format("{}\n", line));
    flush_output();
  });
  LineReader input;
  while (const auto line = input.next()) {
    if (!session.take(*line)) return kDone;
  }
  if (interrupted()) return kInterrupted;
  session.finish();
  return kDone;
}

}  // namespace

Action setup_uci(CommandLine, Context&) { return run_uci; }

std::unique_ptr<GameCommands> chess_commands() { return std::make_unique<ChessCommands>(); }

}  // namespace damier::app
