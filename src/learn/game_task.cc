#include "damier/learn/game_task.h"

namespace damier::learn {

bool gives_logits(const nn::NetworkSpec& spec, std::size_t head) {
  const auto& layers = spec.heads[head].layers.empty() ? spec.layers : spec.heads[head].layers;
  return layers.empty() || layers.back().kind != nn::LayerKind::softmax;
}

}  // namespace damier::learn
