// The state of a training: whatever is accepted is finite and is written again to the same tensors.

#include "tests/fuzz/target.h"

#include "damier/nn/model_file.h"

using namespace damier;

DAMIER_FUZZ_TARGET(checkpoint, input) {
  static const nn::NetworkSpec spec =
      nn::parse_network_text(R"({"input": [1], "layers": [{"type": "dense", "units": 1}]})", "x")
          .value();
  static nn::Network<float> network(spec, 1, nn::Use::training);
  static nn::Optimiser<float> optimiser({}, network);
  const auto file = nn::parse_safetensors(input, "input");
  if (!file) return fuzz::require_one_line(file.error().text());
  const auto status = nn::load_checkpoint(network, optimiser, *file, "input");
  if (!status) return fuzz::require_one_line(status.error().text());
  const nn::TensorFile written = nn::checkpoint_tensors(network, optimiser, {});
  fuzz::require(nn::load_checkpoint(network, optimiser, written, "written").ok(),
                "what was loaded can be kept and loaded again");
}
