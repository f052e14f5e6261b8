// Recipes for those who have none: a small network of dense layers that learns from labels, from
// games of its own or by reward.

#include "damier/learn/task.h"

namespace damier::learn {

namespace {

// What a plain recipe depends on.
struct PlainTask {
  std::string_view task;
  nn::Shape input;
  int actions = 0;
  std::string_view teacher;       // of a game that is too large for an exact one
  std::vector<std::string> sets;  // of a game whose positions are all known
};

// A small network of dense layers that says moves and value, and what its heads learn.
Json network_of(const PlainTask& plain) {
  const nn::Shape& shape = plain.input;
  Json layers = Json::array();
  if (shape.board) layers.push_back({{"type", "flatten"}});
  for (int i = 0; i < 2; ++i) {
    layers.push_back({{"type", "dense"}, {"units", 128}});
    layers.push_back({{"type", "relu"}});
  }
  const Json input = shape.board ? Json(std::vector<int>{shape.channels, shape.rows, shape.cols})
                                 : Json(std::vector<int>{shape.channels});
  Json moves = Json::array(), value = Json::array();
  moves.push_back({{"type", "dense"}, {"units", plain.actions}});
  value.push_back({{"type", "dense"}, {"units", 1}});
  value.push_back({{"type", "tanh"}});
  return {{"input", input},
          {"layers", std::move(layers)},
          {"heads", {{"moves", std::move(moves)}, {"value", std::move(value)}}}};
}

Json heads_of() {
  return {{"moves", {{"loss", "cross_entropy"}, {"mask", "legal"}}},
          {"value", {{"loss", "mean_squared_error"}}}};
}

Json plain_recipe(const PlainTask& plain) {
  const bool small = !plain.sets.empty();
  Json generate = {{"teacher", "exact"}, {"states", "reachable"}, {"split", "none"}};
  if (!small) generate = {{"teacher", plain.teacher}, {"states", "play"}, {"count", 20'000}};
  Json sets = Json::array();
  for (const char* set : {"validation", "test"}) sets.push_back(set);
  if (small) sets = Json(plain.sets);
  return {{"task", plain.task},
          {"data", {{"generate", std::move(generate)}}},
          {"network", network_of(plain)},
          {"heads", heads_of()},
          {"optimiser", {{"kind", "adam"}, {"rate", 0.003}}},
          {"schedule", {{"kind", "cosine"}}},
          {"batch", 64},
          {"epochs", small ? 100 : 20},
          {"augmentation", "symmetry"},
          {"evaluation", {{"sets", std::move(sets)}, {"every", small ? 10 : 1}}}};
}

Json evaluation_of(const PlainTask& plain) {
  const std::vector<std::string> opponents = {"random", "uct:400"};
  return {{"sets", Json(plain.sets)}, {"every", 4}, {"opponents", Json(opponents)}};
}

Json plain_self_play_recipe(const PlainTask& plain) {
  return {{"task", plain.task},
          {"generations", 60},
          {"games", 512},
          {"simulations", 32},
          {"self_play", {{"random_plies", 6}, {"window", 8}}},
          {"network", network_of(plain)},
          {"heads", heads_of()},
          {"optimiser", {{"kind", "adam"}, {"rate", 0.002}}},
          {"schedule", {{"kind", "cosine"}, {"lowest", 0.05}}},
          {"batch", 64},
          {"augmentation", "symmetry"},
          {"evaluation", evaluation_of(plain)}};
}

Json plain_reinforcement_recipe(const PlainTask& plain, std::string_view method) {
  const bool values = method == "q";
  Json network = network_of(plain);
  Json how = {{"method", method}, {"random_plies", 6}};
  if (values) {
    // What a move is worth needs no other head.
    network["heads"] = {{"moves", network["heads"]["moves"]}};
    how["epsilon"] = {{"from", 1}, {"to", 0.1}, {"over", 0.5}};
  } else {
    // Unsure at first and sure in the end, with moves at random to see what it would not play.
    how["epsilon"] = 0.4;
    how["entropy"] = {{"from", 0.2}, {"to", 0.01}};
  }
  Json recipe = {{"task", plain.task},
                 {"epochs", values ? 40 : 120},
                 {"steps", 10'000},
                 {"reinforcement", std::move(how)},
                 {"network", std::move(network)},
                 {"optimiser", {{"kind", "adam"}, {"rate", 0.002}, {"clip_norm", 1}}},
                 {"schedule", {{"kind", "cosine"}, {"lowest", 0.05}}},
                 {"augmentation", "symmetry"},
                 {"evaluation", evaluation_of(plain)}};
  if (method == "a2c") {
    // One step a round: few games and short rounds make many.
    recipe["reinforcement"]["games"] = 32;
    recipe["reinforcement"]["moves"] = 5;
    recipe["epochs"] = 240;
  } else {
    recipe["batch"] = 128;
  }
  if (method == "ppo") {
    recipe["reinforcement"]["moves"] = 8;
    recipe["reinforcement"]["lambda"] = 0.8;
  }
  return recipe;
}

}  // namespace

Json Task::recipe(std::string_view encoder, std::string_view kind) const {
  const auto reads = encoders_.find(encoder.empty() ? encoders_.names.front() : encoder);
  if (facts_.plain_teacher.empty() || !reads) return nullptr;
  const PlainTask plain = {name(), (*reads)->shape(), (*reads)->output_count(),
                           facts_.plain_teacher, evaluated_sets()};
  return kind == "rows"        ? plain_recipe(plain)
         : kind == "self-play" ? plain_self_play_recipe(plain)
                               : plain_reinforcement_recipe(plain, kind);
}

}  // namespace damier::learn
