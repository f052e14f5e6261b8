// What all recipes have in common that learn from games of the network, whatever they make of them:
// rules, an encoder, opponents to be measured against.
#pragma once

#include <string>

#include "damier/learn/train/recipe.h"

namespace damier::learn {

// Parts of the recipe that are read once the task is known.
struct PlayFields {
  const Json* own = nullptr;    // "self_play" or "reinforcement"
  const Json* rules = nullptr;  // of the game
  std::string encoder;          // empty: the task's usual one
};

// The keys at the top of a recipe; `own` is the name of the object that only its kind has.
PlayFields ask_play(JsonFields& fields, std::string_view own);
// The rules and the encoder; an error where the task has no games to learn from.
Status read_rules(const PlayFields& fields, const std::string& source, const Task& task,
                  PlayRecipe& recipe);
// The opponents in "evaluation".
void read_opponents(JsonFields& fields, PlayRecipe& recipe);

// An error where the game has no such player.
Status check_opponents(const Task& task, const PlayRecipe& recipe, const std::string& source);

// How the network of such a recipe reads the board, with the rules that it asks for.
Result<std::string> played_encoder(const Task& task, const Json& recipe);

}  // namespace damier::learn
