// The part of a recipe that only learning by reward has.
#pragma once

#include <string>

#include "damier/learn/train/play_recipe.h"

namespace damier::learn {

// The keys at the top of a recipe.
PlayFields ask_reinforcement(JsonFields& fields, ReinforcementRecipe& recipe);
// The object "reinforcement", the rules and the encoder.
Status read_reinforcement(const PlayFields& fields, const std::string& source, Recipe& recipe);
// An error when the network does not say what the method needs, or its games take too much memory.
Status check_reinforcement(const std::string& source, const Recipe& recipe);

}  // namespace damier::learn
