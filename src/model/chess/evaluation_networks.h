// The engine's evaluation by name: the hand-written one, the network that ships, or any other.
#pragma once

#include <memory>
#include <string>

#include "damier/base/result.h"
#include "damier/search/chess/evaluation_network.h"

namespace damier::model::chess {

inline constexpr std::string_view kHandWritten = "hand";

// "hand" is none: the hand-written evaluation. Empty is the network that ships as the model of
// chess, none where there is no such file. Anything else names a model (model/library.h).
Result<std::shared_ptr<const search::chess::EvaluationNetwork>> evaluation_network(
    const std::string& name);

}  // namespace damier::model::chess
