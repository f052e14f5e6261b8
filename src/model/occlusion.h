// What a network makes of one position, and which cells matter to it: it is asked once about the
// position as it is, and once for each cell as if nothing were known of that cell.
#pragma once

#include <vector>

#include "damier/games/game.h"

namespace damier::model {

struct Occlusion {
  std::vector<float> inputs;           // the position as the network reads it
  // What the answers are about; none where the network says the value alone.
  std::vector<games::Action> actions;
  // (1 + cells, actions): the probabilities of moves, or of bombs, with everything known first.
  std::vector<float> answers;
  std::vector<float> values;  // (1 + cells): the expected result; empty where there is no such head
};

}  // namespace damier::model
