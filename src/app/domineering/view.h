// What a player thinks of the moves of a domineering position, drawn on the board: how much it
// likes to begin a domino at a cell, beside what is certain of that.
#pragma once

#include <string>
#include <vector>

#include "damier/app/terminal/terminal.h"
#include "damier/play/players/player.h"

namespace damier::app {

// Two boards, side by side where there is room; one where nothing is certain. Empty where the
// player has no opinion of the moves.
std::vector<std::string> domineering_overlay(const games::Session& session,
                                             const play::Answer& answer, const std::string& player,
                                             const Look& look);

}  // namespace damier::app
