// The part of a recipe that only self-play has.
#pragma once

#include <string>

#include "damier/learn/train/play_recipe.h"

namespace damier::learn {

// The keys at the top of a recipe.
PlayFields ask_self_play(JsonFields& fields, Recipe& recipe);
// The object "self_play", the rules and the encoder.
Status read_self_play(const PlayFields& fields, const std::string& source, Recipe& recipe);
// An error when the network says nothing of moves and value, or asks for a column that self-play
// does not have.
Status check_self_play(const std::string& source, const Recipe& recipe);

}  // namespace damier::learn
