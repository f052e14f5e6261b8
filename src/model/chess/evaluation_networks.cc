#include "damier/model/chess/evaluation_networks.h"

#include <system_error>

#include "damier/model/library.h"

namespace damier::model::chess {

Result<std::shared_ptr<const search::chess::EvaluationNetwork>> evaluation_network(
    const std::string& name) {
  using search::chess::EvaluationNetwork;
  const std::shared_ptr<const EvaluationNetwork> none;
  if (name == kHandWritten) return none;
  if (!name.empty()) {
    const auto path = TRY(model_path(name));
    return EvaluationNetwork::load(path);
  }
  const auto shipped = models_folder() / "chess" / "model.safetensors";
  std::error_code error;
  if (!std::filesystem::exists(shipped, error)) return none;
  return EvaluationNetwork::load(shipped);
}

}  // namespace damier::model::chess
