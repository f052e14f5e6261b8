// How a whole game with hidden information ended, whoever played it.
#pragma once

namespace damier::games {

struct HiddenResult {
  bool won = false;
  int score = 0;  // as the game counts it: safe cells opened, in minesweeper
};

}  // namespace damier::games
