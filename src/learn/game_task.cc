#include "damier/learn/game_task.h"

#include <algorithm>

#include <fmt/format.h>

namespace damier::learn {

bool gives_logits(const nn::NetworkSpec& spec, std::size_t head) {
  const nn::LayerSpec* last = spec.last_layer(head);
  return last == nullptr || !last->is("softmax");
}

std::vector<TaskOption> usual_options(std::string_view oracle, std::vector<std::string> oracles,
                                      std::vector<std::string> states,
                                      std::vector<std::string> encoders,
                                      std::span<const games::Option> rules) {
  const std::string first_states = states.front(), first_encoder = encoders.front();
  std::vector<TaskOption> all = {
      {"oracle", oracle,
       "who labels: the exact solution, or a search of N plies or simulations",
       std::move(oracles)},
      {"states", first_states,
       "which positions: met in play, all that can be reached, or what the game lists",
       std::move(states)},
      {"target",
       "all-best",
       "which moves are taught: every best one, or the oracle's one",
       {"all-best", "one"}},
      {"encoder", first_encoder, "what the network sees", std::move(encoders)},
      {"shown",
       "before",
       "the position that it sees: before the taught move or, as one report has it, after it",
       {"before", "after"}},
      {"noise", 0.5, "states met in play: the share of random moves among the oracle's", {}, 0, 1},
  };
  for (const games::Option& option : rules) {
    all.push_back({std::string(option.name), std::string(option.default_value),
                   Text::of("a rule: {} ({})", Text(option.help), Text(option.expected))});
  }
  return all;
}

games::OptionValues rules_in(const GenerateOptions& options, std::span<const games::Option> rules) {
  games::OptionValues values;
  for (const games::Option& option : rules) {
    if (const Json* value = options.more.find(option.name)) {
      values.emplace_back(option.name, value->text());
    }
  }
  return values;
}

std::string encoder_under(std::string encoder, games::OptionValues rules,
                          const games::OptionValues& usual) {
  std::erase_if(rules, [&](const auto& rule) {
    return std::find(usual.begin(), usual.end(), rule) != usual.end();
  });
  return rules.empty() ? encoder : encoder + ' ' + games::options_text(rules);
}

std::vector<Column> columns_around(Column input, std::vector<Column> policy, int outputs,
                                   std::vector<Column> place) {
  using nn::DType;
  const auto actions = static_cast<std::uint64_t>(outputs);
  std::vector<Column> columns = {std::move(input)};
  const auto append = [&](std::vector<Column> more) {
    for (Column& column : more) columns.push_back(std::move(column));
  };
  append(std::move(policy));
  append({{"moves", DType::u8, actions},
          {"legal", DType::u8, actions},
          {"value", DType::f32, 1},
          {"distance", DType::f32, 1},
          {"label", actions <= 256 ? DType::u8 : DType::i32, 1}});
  append(std::move(place));
  append({{std::string(kGroupColumn), DType::i64, 1}});
  return columns;
}

namespace {

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

}  // namespace

Json plain_recipe(const PlainTask& plain) {
  const bool small = !plain.sets.empty();
  Json generate = {{"oracle", "exact"}, {"states", "reachable"}, {"split", "none"}};
  if (!small) generate = {{"oracle", plain.teacher}, {"states", "play"}, {"count", 20'000}};
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

Json plain_self_play_recipe(const PlainTask& plain) {
  const std::vector<std::string> opponents = {"random", "uct:400"};
  return {
      {"task", plain.task},
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
      {"evaluation", {{"sets", Json(plain.sets)}, {"every", 4}, {"opponents", Json(opponents)}}}};
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
  const std::vector<std::string> opponents = {"random", "uct:400"};
  Json recipe = {
      {"task", plain.task},
      {"epochs", values ? 40 : 120},
      {"steps", 10'000},
      {"reinforcement", std::move(how)},
      {"network", std::move(network)},
      {"optimiser", {{"kind", "adam"}, {"rate", 0.002}, {"clip_norm", 1}}},
      {"schedule", {{"kind", "cosine"}, {"lowest", 0.05}}},
      {"augmentation", "symmetry"},
      {"evaluation", {{"sets", Json(plain.sets)}, {"every", 4}, {"opponents", Json(opponents)}}}};
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

}  // namespace damier::learn
