// Recipes: all that decides a training run, as data. A recipe is a JSON text with // comments, as
// recipes/fanorona.json, which explains its keys; a key that nobody knows is an error.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/json/json.h"
#include "damier/base/result.h"
#include "damier/learn/sources/rewards/options.h"
#include "damier/learn/tasks.h"
#include "damier/nn/spec.h"
#include "damier/nn/training.h"

namespace damier::learn {

// What one head of the network learns.
struct HeadRecipe {
  std::string name;    // of the head
  std::string target;  // the column; by default the one of the head's name
  std::string mask;    // the column that says which outputs count; empty: all
  nn::Loss loss;
  double scale = 1;  // the target is multiplied by it
  // A score in the units of the column becomes an expected result: 1 / (1 + e^(-score / squash)).
  double squash = 0;       // 0: it stays as it is
  std::string mixed;       // another column, as the game's result; empty: none
  double mixed_share = 0;  // of it in the target, the rest being the target's own
};

// The schedule in epochs; steps follow from the size of the data.
struct ScheduleRecipe {
  nn::ScheduleKind kind = nn::ScheduleKind::constant;
  double warm_up = 0;  // epochs
  double every = 1;    // step: epochs between two drops
  double factor = 0.1;
  double lowest = 0;
};

// Which weights become the model: those of the lowest validation loss, of the highest main metric
// on the validation split, or the last ones. Without validation rows always the last ones.
enum class Keep : std::uint8_t { loss, accuracy, last };

// How weights move: by the gradient of the whole loss, or each layer towards a target of its own
// (learn/sources/local_rule.h).
enum class LearningRule : std::uint8_t { backpropagation, local };

// Rows of a data set.
struct RowsRecipe {
  std::string file;  // empty: generated
  GenerateOptions generate;
};

// A network that learns from its own games, instead of from data.
struct PlayRecipe {
  std::string encoder;                 // how the network reads the board, with the rules
  std::vector<std::string> opponents;  // that it is measured against
  int match_games = 40;
  bool keep_models = false;  // the networks that were measured stay in the run's folder
};

// From what a tree search thought of its games (learn/sources/self_play/).
struct SelfPlayRecipe : PlayRecipe {
  int games = 256;  // of a generation
  SelfPlayOptions play;
  int window = 5;    // generations whose positions are learnt from
  double reuse = 4;  // how often a position is learnt from, about
  // A new network plays on only when it wins this share of the points against the best one so far,
  // in `gate_games` games; 0: always.
  double gate = 0;
  int gate_games = 40;
};

// From rewards alone (learn/sources/rewards/).
struct ReinforcementRecipe : PlayRecipe {
  ReinforcementOptions how;
  std::uint64_t steps = 10'000;  // moves of an epoch, in all games together

  std::uint64_t rounds_of_epoch() const {
    return (steps + how.moves_of_round() - 1) / how.moves_of_round();
  }
};

struct Recipe {
  std::string name;                  // the built-in name or the file
  std::shared_ptr<const Task> task;  // null: of a program's own rows, which only the loss evaluates
  // Where both are missing it learns from data.
  std::optional<SelfPlayRecipe> self_play;
  std::optional<ReinforcementRecipe> reinforcement;
  std::optional<RowsRecipe> data;   // the rows to learn from; none of a recipe that learns by play
  std::optional<RowsRecipe> judge;  // those that measure the network, instead of the data's own
  std::string start;                // a model to begin with; empty: from nothing
  nn::NetworkSpec network;
  nn::Initialisation initialisation;
  std::vector<HeadRecipe> heads;  // in the order of the network's heads; rewards need none
  LearningRule rule = LearningRule::backpropagation;
  nn::OptimiserOptions optimiser;
  ScheduleRecipe schedule;
  int batch = 64;
  int epochs = 10;   // or generations of self-play
  int patience = 0;  // epochs without a better validation loss; 0: no early stop
  bool doubles = false;
  bool augment = false;
  bool stored_order = false;           // every epoch in the rows' own order, instead of shuffled
  std::vector<std::string> evaluated;  // sets for the end: "validation", "test", the task's own
  int evaluate_every = 1;              // epochs
  Keep keep = Keep::loss;
  std::optional<std::uint64_t> seed;
  std::uint64_t memory_mb = 2048;  // for rows of the training split; more are streamed
  Json json;                       // the whole recipe, with what --set changed

  // Names what is learnt: the same text gives the same hash.
  std::string hash() const;
  // Null of a recipe that learns from data.
  const PlayRecipe* play() const {
    if (self_play) return &*self_play;
    return reinforcement ? &*reinforcement : nullptr;
  }
  PlayRecipe* play() { return const_cast<PlayRecipe*>(std::as_const(*this).play()); }
};

// "key.key=value" in order: the value is JSON, or a text where it is none. A number in a path is
// a place in a list: "network.layers.0.units=128".
using Settings = std::vector<std::string>;

Result<Recipe> parse_recipe(std::string_view text, std::string_view source,
                            const Settings& settings = {}, const Tasks& tasks = builtin_tasks());
// A recipe for rows that a program makes itself (rows.h): without "task", "data" and all that only
// a task has.
Result<Recipe> parse_rows_recipe(std::string_view text, std::string_view source);
// A recipe that is JSON already, as it is kept in the store.
Result<Recipe> read_recipe(const Json& json, std::string_view source,
                           const Tasks& tasks = builtin_tasks());

// What "data.generate" (or the object at another path) asks of the task, checked; also kept in a
// model's origin.
Result<GenerateOptions> read_generate_options(const Task& task, const Json& json,
                                              const std::string& source,
                                              const std::string& path = "data.generate");

// A file, if there is one of that name; otherwise a built-in recipe; otherwise a plain one of a
// task: from rows ("bremen-rows", or the task's name alone), or by play ("bremen-self-play",
// "bremen-q"; "self-play" or "q" alone is that of the one task that a program adds to those that
// ship). A task's name alone means rows where the settings bring data, also if the built-in recipe
// of that name learns by play.
Result<Recipe> find_recipe(const std::string& name, const Settings& settings = {},
                           const Tasks& tasks = builtin_tasks());

// All names that it knows.
std::vector<std::string> recipe_names(const Tasks& tasks = builtin_tasks());

}  // namespace damier::learn
