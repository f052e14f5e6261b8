// The parts of a recipe that learns from games of its network, by self-play or by reward: rules, an
// encoder, opponents that measure it, and how it plays and learns.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "damier/learn/sources/rewards/experience.h"
#include "damier/learn/train/recipe.h"

namespace damier::learn {

// Reads an object of a recipe: what it does not name stays as it is.
class RecipeFields : public JsonFields {
 public:
  RecipeFields(const Json& object, const std::string& path, const std::string& source)
      : JsonFields(object, path, source), source_(source) {}

  template <class T>
  void read(std::string_view key, double low, double high, T& to) {
    if constexpr (std::integral<T>) {
      to = static_cast<T>(integer_or(key, static_cast<std::int64_t>(low),
                                     static_cast<std::int64_t>(high),
                                     static_cast<std::int64_t>(to)));
    } else {
      to = number_or(key, low, high, to);
    }
  }
  void read(std::string_view key, bool& to) { to = flag_or(key, to); }
  // One of the texts, each of which stands for the value of its place.
  template <class E>
  void read(std::string_view key, const std::vector<std::string>& texts, E& to) {
    to = static_cast<E>(word_or(key, texts, texts[static_cast<std::size_t>(to)]));
  }
  // A number that may change over the run: also {"from": 1, "to": 0.05, "over": 0.5}.
  void read(std::string_view key, double low, double high, Fading& to);
  Status finish();

 private:
  const std::string& source_;
  Status within_ = Done{};
};

// The keys at the top that such recipes alone have. What they and the object "self_play" or
// "reinforcement" say, once the task is known; an error where it has no games to learn from.
void ask_play(RecipeFields& fields, Recipe& recipe);
Status read_play(const std::string& source, Recipe& recipe);
// The opponents in "evaluation".
void read_opponents(RecipeFields& fields, PlayRecipe& recipe);
// An error when the network does not say what the method needs, its games take too much memory, or
// the game has no such opponents.
Status check_play(const std::string& source, const Recipe& recipe);

// How the network of such a recipe reads the board, with the rules that it asks for.
Result<std::string> played_encoder(const Task& task, const Json& recipe);

// What learning by reward keeps of its games.
ExperienceSize experience_size(const Recipe& recipe);

}  // namespace damier::learn
