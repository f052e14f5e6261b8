// The exact chances of a minesweeper board: as colours for people, as numbers for programs.
#pragma once

#include <string>
#include <vector>

#include "damier/app/terminal.h"
#include "damier/base/json.h"
#include "damier/base/result.h"
#include "damier/games/minesweeper/minesweeper.h"
#include "damier/solve/minesweeper_probabilities.h"

namespace damier::app {

// The board with the chance of a bomb, in percent, in every masked cell; green is safe, red is not.
std::vector<std::string> risk_board(const games::minesweeper::Observation& board,
                                    const solve::minesweeper::Probabilities& chances,
                                    const Look& look);

// What to do next, in a line or a few.
std::vector<std::string> minesweeper_advice(const games::minesweeper::Observation& board,
                                            const solve::minesweeper::Probabilities& chances);

// `damier analyze minesweeper --board FILE`; returns the exit code.
int analyze_minesweeper(const std::string& file, bool json);

}  // namespace damier::app
