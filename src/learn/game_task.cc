#include "damier/learn/game_task.h"

namespace damier::learn {

bool gives_logits(const nn::NetworkSpec& spec, std::size_t head) {
  const auto& layers = spec.heads[head].layers.empty() ? spec.layers : spec.heads[head].layers;
  return layers.empty() || layers.back().kind != nn::LayerKind::softmax;
}

Json plain_recipe(const PlainTask& plain) {
  const bool small = !plain.sets.empty();
  Json generate = {{"oracle", "exact"}, {"states", "reachable"}, {"split", "none"}};
  if (!small) generate = {{"oracle", plain.teacher}, {"states", "play"}, {"count", 20'000}};
  const nn::Shape& shape = plain.input;
  Json layers = Json::array();
  if (shape.board) layers.push_back({{"type", "flatten"}});
  for (int i = 0; i < 2; ++i) {
    layers.push_back({{"type", "dense"}, {"units", 128}});
    layers.push_back({{"type", "relu"}});
  }
  const Json input = shape.board ? Json(std::vector<int>{shape.channels, shape.rows, shape.cols})
                                 : Json(std::vector<int>{shape.channels});
  Json sets = Json::array();
  for (const char* set : {"validation", "test"}) sets.push_back(set);
  if (small) sets = Json(plain.sets);
  Json moves = Json::array(), value = Json::array();
  moves.push_back({{"type", "dense"}, {"units", plain.actions}});
  value.push_back({{"type", "dense"}, {"units", 1}});
  value.push_back({{"type", "tanh"}});
  return {{"task", plain.task},
          {"data", {{"generate", std::move(generate)}}},
          {"network",
           {{"input", input},
            {"layers", std::move(layers)},
            {"heads", {{"moves", std::move(moves)}, {"value", std::move(value)}}}}},
          {"heads",
           {{"moves", {{"loss", "cross_entropy"}, {"mask", "legal"}}},
            {"value", {{"loss", "mean_squared_error"}}}}},
          {"optimiser", {{"kind", "adam"}, {"rate", 0.003}}},
          {"schedule", {{"kind", "cosine"}}},
          {"batch", 64},
          {"epochs", small ? 100 : 20},
          {"augmentation", "symmetry"},
          {"evaluation", {{"sets", std::move(sets)}, {"every", small ? 10 : 1}}}};
}

}  // namespace damier::learn
