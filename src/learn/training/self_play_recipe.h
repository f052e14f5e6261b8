// The part of a recipe that only self-play has.
#pragma once

#include <string>

#include "damier/learn/training/recipe.h"

namespace damier::learn {

// Parts of the recipe that are read once the task is known.
struct SelfPlayFields {
  const Json* own = nullptr;    // "self_play"
  const Json* rules = nullptr;  // of the game
  std::string encoder;          // empty: the task's usual one
};

// The keys at the top of a recipe.
SelfPlayFields ask_self_play(JsonFields& fields, SelfPlayRecipe& recipe);
// The object "self_play", the rules and the encoder.
Status read_self_play(const SelfPlayFields& fields, const std::string& source, Recipe& recipe);
// The opponents in "evaluation".
void read_opponents(JsonFields& fields, SelfPlayRecipe& recipe);
// A fault when the network says nothing of moves and value, or asks for a column that self-play
// does not have.
Status check_self_play(const std::string& source, const Recipe& recipe);

// How the network of such a recipe reads the board, with the rules that it asks for.
Result<std::string> self_play_encoder(const Task& task, const Json& recipe);

}  // namespace damier::learn
