// The exact probabilities of a minesweeper board: as colours for people, as numbers for programs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/app/terminal/terminal.h"
#include "damier/base/json/json.h"
#include "damier/exact/minesweeper/probabilities.h"
#include "damier/games/minesweeper/minesweeper.h"

namespace damier::app {

// The board with the probability of a bomb, in percent, in every masked cell; green is safe, red is
// not.
std::vector<std::string> probability_board(const games::minesweeper::Observation& board,
                                           const exact::minesweeper::Probabilities& probabilities,
                                           const Look& look);

// The exact probabilities and those that a network gives, side by side where the terminal is wide
// enough, and how far apart they are. `estimates` are row-major.
std::vector<std::string> compared_probabilities(
    const games::minesweeper::Observation& board,
    const exact::minesweeper::Probabilities& probabilities, std::span<const float> estimates,
    std::string_view who, const Look& look);

// What to do next, in a line or a few.
std::vector<std::string> minesweeper_advice(const games::minesweeper::Observation& board,
                                            const exact::minesweeper::Probabilities& probabilities);

// How many arrangements of bombs fit.
std::string arrangements_line(const games::minesweeper::Observation& board,
                              const exact::minesweeper::Probabilities& probabilities);

// The exact probabilities and, unless they are empty, the estimates of `player`.
Json probabilities_json(const games::minesweeper::Observation& board,
                        const exact::minesweeper::Probabilities& probabilities,
                        std::string_view player, std::span<const float> estimates);

}  // namespace damier::app
