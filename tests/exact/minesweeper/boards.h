// Boards for the tests of the minesweeper solver.
#pragma once

#include <sstream>
#include <string>
#include <string_view>

#include "damier/games/minesweeper/minesweeper.h"

namespace damier::exact::minesweeper {

// A board as a user would write it, even one that cannot be.
inline games::minesweeper::Observation board(std::string_view text) {
  using games::minesweeper::Code;
  games::minesweeper::Observation view;
  std::istringstream in{std::string(text)};
  in >> view.rows >> view.cols >> view.bombs;
  for (std::string line; in >> line;) {
    for (const char c : line) {
      view.cells.push_back(c == '#'   ? Code::masked
                           : c == 'F' ? Code::flag
                           : c == '*' ? Code::bomb
                                      : static_cast<Code>(c - '0'));
    }
  }
  return view;
}

}  // namespace damier::exact::minesweeper
