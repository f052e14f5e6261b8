// Games that were played, from files: saved games, records of matches, and the formats that single
// games have of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "damier/app/command_line.h"
#include "damier/app/context.h"
#include "damier/games/saved_game.h"

namespace damier::app {

// --load FILE, and --number where the file holds several games.
struct RecordChoice {
  std::optional<std::string> file = {};
  std::int64_t number = 1;
};
// `help` says what is done with the game.
void add_record_options(CommandLine line, RecordChoice& record, const Context& context,
                        std::string_view help);

struct LoadedGame {
  games::SavedGame saved;
  std::string title;     // the players and the place; may be empty
  bool has_seed = true;  // a game in another program's format has none
};

// `game` is the one that is expected; any where it is empty.
Result<LoadedGame> load_game(const Context& context, const RecordChoice& record,
                             const std::string& game);

// The first game of such a file, from its text; `name` says by its ending what format that is.
Result<LoadedGame> read_game(const Context& context, const std::string& name,
                             const std::string& text);

// A file that holds `count` games has none of this number.
Error too_few_games(const std::string& source, std::int64_t count, std::int64_t number);

// Whether a word is the name of such a file and not a game or a position.
bool names_record(const Context& context, std::string_view word);

}  // namespace damier::app
