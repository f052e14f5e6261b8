#include "damier/learn/fanorona/network.h"

#include <algorithm>
#include <cmath>

#include "damier/learn/fanorona/task.h"

namespace damier::learn {

using namespace games::fanorona;

namespace {

constexpr int kPolicy = 18;
constexpr int kMoves = 81;

void softmax(std::span<float> scores) {
  const float most = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (float& score : scores) sum += score = std::exp(score - most);
  for (float& score : scores) score /= sum;
}

}  // namespace

Result<FanoronaHeads> FanoronaHeads::find(const nn::NetworkSpec& spec) {
  FanoronaHeads heads;
  for (std::size_t i = 0; i < spec.heads.size(); ++i) {
    const std::string& name = spec.heads[i].name;
    const int width = spec.head_shape(i).size();
    const int head = static_cast<int>(i);
    if (width == kPolicy && (name == "policy" || name == "output")) {
      heads.policy = head;
      const auto& layers = spec.heads[i].layers.empty() ? spec.layers : spec.heads[i].layers;
      heads.policy_is_logits = layers.empty() || layers.back().kind != nn::LayerKind::softmax;
    }
    if (width == kMoves && (name == "moves" || name == "output")) heads.moves = head;
    if (width == 1 && name == "value") heads.value = head;
  }
  if (heads.policy >= 0 || heads.moves >= 0) return heads;
  return Error{"the network has neither a head 'policy' of 18 nor a head 'moves' of 81 outputs"};
}

float FanoronaHeads::score(const JudgedModel::Outputs& outputs, std::size_t row, Move move) const {
  if (moves >= 0) {
    return outputs[static_cast<std::size_t>(moves)][row * kMoves + static_cast<std::size_t>(move)];
  }
  const float* both = outputs[static_cast<std::size_t>(policy)].data() + row * kPolicy;
  const float from = both[from_of(move)], to = both[kPoints + to_of(move)];
  if (policy_is_logits) return from + to;
  constexpr float kLeast = 1e-30f;
  return std::log(std::max(from, kLeast)) + std::log(std::max(to, kLeast));
}

Result<FanoronaNetwork> FanoronaNetwork::open(const std::string& path) {
  auto model = open_model(path, 1);
  if (!model) return std::move(model).error();
  if (auto status = check_model(*model, fanorona_task()); !status) {
    return std::move(status).error();
  }
  const auto heads = FanoronaHeads::find(model->spec());
  if (!heads) return Error(heads.error()).in(path);
  const std::string encoder(model->origin("encoder"));
  Predictor predictor(std::make_shared<const Model>(*std::move(model)), 1);
  return FanoronaNetwork(std::move(predictor), *heads, encoder);
}

FanoronaNetwork::FanoronaNetwork(Predictor predictor, FanoronaHeads heads, std::string encoder)
    : predictor_(std::move(predictor)),
      heads_(heads),
      encoder_(std::move(encoder)),
      inputs_(static_cast<std::size_t>(predictor_.spec().input.size())) {}

search::Evaluation FanoronaNetwork::evaluate(const Game&, const State& state,
                                             std::span<const Move> moves, std::span<float> priors,
                                             RandomStream&) {
  encode_fanorona(encoder_, state, inputs_);
  const auto& outputs = predictor_.run(inputs_, 1);
  for (std::size_t i = 0; i < priors.size(); ++i) priors[i] = heads_.score(outputs, 0, moves[i]);
  if (!priors.empty()) softmax(priors);
  search::Evaluation evaluation;
  if (heads_.value >= 0) {
    evaluation.value =
        std::clamp(outputs[static_cast<std::size_t>(heads_.value)].front(), -1.0f, 1.0f);
  }
  return evaluation;
}

}  // namespace damier::learn
