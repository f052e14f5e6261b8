// What a game offers to the commands beyond what every game has: boards of its own look, hints, an
// analysis, a format for finished games, examples for the help. A command asks for it by the game's
// name; a game that offers nothing needs nothing here.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/app/command_line.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/json/json.h"
#include "damier/base/numbers/random.h"
#include "damier/base/result.h"
#include "damier/base/text/language.h"
#include "damier/games/any_game.h"
#include "damier/play/players/player_kind.h"

namespace damier::play {
struct Judgement;
struct Opening;
}  // namespace damier::play

namespace damier::app {

// How a game that was played is written for other programs, and read from them.
struct GameFormat {
  struct Names {
    std::string_view event;
    std::array<std::string_view, 2> players;
    std::string_view round = "-";
    // Of a game of a contest: how it ended and what was noted of its moves, as in GameRow, and its
    // clocks; empty where there is nothing to say.
    std::string_view outcome = {};
    std::string_view ending = {};
    std::string_view notes = {};
    std::string_view time_control = {};
  };
  std::string option;  // that names the file: "--pgn"
  std::string help;    // "write as PGN"
  // The text of a game that is over or was left.
  std::string (*text)(const games::Session& session, const Names& names) = nullptr;

  // A game as such a file holds it; the rules must allow all of its moves.
  struct Record {
    games::OptionValues rules;
    std::string position;  // where it starts
    std::vector<std::string> moves;
    std::string title;  // the players and the place
  };
  // What an analysis says of a move, for the side that played it.
  struct Remark {
    int grade = 0;                    // 0: nothing; 1: an inaccuracy; 2: a mistake; 3: a blunder
    std::optional<int> score;         // after the move, hundredths of the heuristic's unit
    std::optional<int> mate;          // moves to the win; negative: to the loss
    std::vector<std::string> better;  // the line that should have been played
  };
  struct Annotations {
    std::vector<Remark> moves;
    std::string comment;  // on the whole game
  };

  std::string ending = {};  // of the files' names: ".pgn"
  // Game `number` of a file, counted from 1; none: such files are only written.
  Result<Record> (*read)(std::istream& in, const std::string& source,
                         std::int64_t number) = nullptr;
  // A game with the remarks of an analysis; none: such files have no room for them. It keeps what
  // the file says of it, where it came from one in this format.
  Result<std::string> (*annotated)(const games::Session& session, const Names& names,
                                   const std::optional<std::string>& file, std::int64_t number,
                                   const Annotations& annotations) = nullptr;
};

// How a person looks at a board.
struct Seat {
  games::Side bottom = games::Side::first;  // whose side is at the lower edge
  bool is_over = false;
  Look look;
  int columns = 0;  // that fit into a line
};

struct AnalyzeRequest {
  std::optional<std::string> position;
  std::optional<std::string> board;
  std::optional<std::string> player;
  bool json = false;
};

struct DataRequest {
  std::string file;
  std::optional<std::string> format;  // where the name of the file does not tell
  bool json = false;
};

// What the help says of a game.
struct GameHelp {
  std::span<const std::string_view> examples = {};  // of the commands: "{program} play chess"
  // For the first screen: a command, and what it does; none where it is empty.
  std::pair<std::string_view, std::string_view> invitation = {};
  std::string_view quick_recipe = {};  // takes seconds; none where it is empty
};

inline constexpr std::size_t kMaxOpenings = 1'000'000;

class GameCommands {
 public:
  using Lines = std::vector<std::string>;

  explicit GameCommands(std::string_view game, const GameHelp& help = {})
      : game_(game), help_(help) {}
  virtual ~GameCommands() = default;

  const std::string& game() const { return game_; }
  const GameHelp& help() const { return help_; }

  // The moves in a text as people write them in the language that is set (base/text/language.h),
  // and one move back.
  virtual std::string moves_in_language(std::string text) const { return text; }
  virtual std::string move_from_language(std::string move) const { return move; }
  // The letters that moves have in a language, each with the English one before it: "KRQD".
  virtual std::string letters(Language) const { return {}; }

  // `play`: options that decide how a board looks.
  virtual void add_board_options(CommandLine) {}
  // The board as text; nothing: the session's own picture does.
  virtual std::optional<std::string> board(const games::Session&, const Seat&) const { return {}; }
  // An answer to `hint` or `hint PLAYER`; nothing: what the player thinks of the moves does.
  virtual std::optional<Lines> hint(const games::Session&,
                                    const std::optional<std::string>& /*player*/,
                                    const Look&) const {
    return {};
  }

  // What a player thinks of the moves, drawn on the board beside what is certain; nothing: the
  // board as it is.
  virtual Lines overlay(const games::Session&, const play::Answer&, const std::string& /*player*/,
                        const Look&) const {
    return {};
  }

  virtual std::optional<GameFormat> format() const { return {}; }
  // The openings of a book in a format of the game's own, with at most `plies` moves each; nothing:
  // a line is a position.
  virtual std::optional<Result<std::vector<play::Opening>>> openings(std::istream&,
                                                                     const std::string& /*source*/,
                                                                     int /*plies*/) const;

  // Of a game with hidden information, whose players have no values: what could be known of a move
  // before it was played; nothing where there is nothing to say.
  virtual std::optional<play::Judgement> judge(const games::Session&, games::Action) const;

  // The whole of `analyze`, and the exit code; nothing: the moves of a position are analyzed.
  virtual std::optional<Result<int>> analyze(const AnalyzeRequest&) const { return {}; }

  // What can be known of a position of a game whose players have no values, as `analyze --json`
  // has it; nothing: the moves of the position are analyzed.
  virtual std::optional<Result<Json>> analysis(const games::Session&,
                                               const std::optional<std::string>& /*player*/) const {
    return {};
  }

  // Of a game with hidden information: a seed from `from` on whose deal can be won without guessing
  // after that first move; nothing: the game has no such thing.
  virtual std::optional<Result<Seed>> fair_seed(const games::Session& /*start*/, Seed /*from*/,
                                                games::Action /*first*/) const {
    return {};
  }

  // What `data` calls files of games in the game's own format, as "pgn"; none where it is empty.
  virtual std::string_view data_format() const { return {}; }
  // The whole of `data` for such a file, and the exit code; nothing: it is none.
  virtual std::optional<Result<int>> data(const DataRequest&) const { return {}; }

 private:
  std::string game_;
  GameHelp help_;
};

// What the games of a program offer, by name.
class GameCommandsList {
 public:
  GameCommandsList& add(std::unique_ptr<GameCommands> commands);
  // Those of games that a program does not have are left out.
  void keep_only(std::span<const std::string> games);
  // Of a game that offers nothing: an object that offers nothing.
  const GameCommands& of(std::string_view game) const;
  const std::vector<std::unique_ptr<GameCommands>>& all() const { return all_; }

 private:
  std::vector<std::unique_ptr<GameCommands>> all_;
  GameCommands nothing_{""};
};

// The options of one command that go with some games only.
class GameOptions {
 public:
  void add_board_options(CommandLine line, const GameCommandsList& games);
  void add_formats(CommandLine line, const GameCommandsList& games);

  // After the command line was read: an error if an option was given that does not go with the
  // game.
  Status check(std::string_view game) const;
  // The file that was asked for in a game's format.
  std::optional<std::string> file_of(const GameCommands& game) const;

 private:
  std::optional<CommandLine> line_;
  std::map<std::string, std::vector<std::string>> games_;    // by option
  std::map<std::string, std::optional<std::string>> files_;  // by a format's option
};

}  // namespace damier::app
