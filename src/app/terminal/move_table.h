// What a player thinks of the moves, for people and for programs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "damier/app/game_commands.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/json/json.h"
#include "damier/play/players/player_kind.h"

namespace damier::app {

// What a move is worth, in words: "wins in 5 plies", "draw"; else in what people count in, "+0.35"
// pawns; else as the probability of a win, "62.5 %", in which a draw counts half. Empty where the
// player has no opinion.
std::string value_text(const play::MoveAnswer& move, const games::Facts& facts);
// What the figures among them are: "in pawns"; empty where all is certain.
std::string_view value_legend(const play::Answer& answer, const games::Facts& facts);
std::string percent_text(double value);  // of an expected result from -1 to 1

// One line a move, the best first; at most `most` of them. Ends with the best line, if there is
// one. In the language that is set.
std::vector<std::string> move_table(const games::Session& session, const play::Answer& answer,
                                    const games::Facts& facts, std::size_t most, const Look& look,
                                    const GameCommands& own);

// The best moves, each with its line, and wins, draws and losses where the player tells them apart.
std::vector<std::string> line_table(const games::Session& session, const play::Answer& answer,
                                    const games::Facts& facts, std::size_t most, const Look& look,
                                    const GameCommands& own);

Json moves_json(const games::Session& session, const play::Answer& answer);
Json line_json(const games::Session& session, const play::Answer& answer);

}  // namespace damier::app
