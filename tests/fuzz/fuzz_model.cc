// Model files: whatever is accepted has finite weights, answers, and is written again to the same
// tensors.

#include "tests/fuzz/target.h"

#include "damier/model/model.h"
#include "damier/nn/network.h"
#include "damier/search/chess/evaluation_network.h"

using namespace damier;

namespace {

template <class T>
void check_network(const nn::Network<T>& network, const model::Model& model) {
  const nn::TensorFile file = nn::model_tensors(network, model.provenance);
  const auto written = nn::serialize_safetensors(file);
  fuzz::require(written.ok(), "an accepted model can be written");
  const auto again = nn::parse_safetensors(*written, "written");
  fuzz::require(again.ok() && *again == file, "an accepted model reads back");
}

}  // namespace

DAMIER_FUZZ_TARGET(model, input) {
  const auto file = nn::parse_safetensors(input, "input");
  if (!file) return fuzz::require_one_line(file.error().text());
  const auto evaluation = search::chess::EvaluationNetwork::from(*file, "input");
  if (!evaluation) fuzz::require_one_line(evaluation.error().text());
  // Layers without weights may be large; that they can be made is not what is tested here.
  const auto spec = nn::model_spec(file->metadata, "input");
  if (spec && nn::values_of_sample(*spec) > 1 << 16) return;
  const auto model = model::model_of(*file, "input");
  if (!model) return fuzz::require_one_line(model.error().text());
  model->visit([&](const auto& network) { check_network(network, *model); });
  const auto predictor = predict_with(*model, 2);
  for (std::size_t head = 0; head < predictor->spec().heads.size(); ++head) {
    if (predictor->spec().head_shape(head).board) return;
  }
  const std::vector<float> inputs(static_cast<std::size_t>(predictor->spec().input.size()), 0.5f);
  predictor->run(inputs, 1);
}
