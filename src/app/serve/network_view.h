// What is inside a network, for pages: what its layers give for a position, which cells matter to
// its answers, and its weights as numbers.
#pragma once

#include <string>
#include <string_view>

#include "damier/base/json/json.h"
#include "damier/base/result.h"
#include "damier/games/any_game.h"
#include "damier/learn/registry.h"

namespace damier::app::serve {

// {"layers": [{"name", "shape", "mean", "largest", "active"}, …], "layer": {"name", "shape",
// "values"} or null, "moves", "answers", "matters", "value", "value_matters"}. `layer` names the
// one whose values are wanted.
Result<Json> network_json(const learn::Registry& registry, const games::AnyGame& game,
                          const games::Session& session, const std::string& model,
                          std::string_view layer);

// {"name", "shape", "shown": [outputs, inputs, taps], "values"}: of large tensors, the first ones.
Result<Json> weights_json(const std::string& model, std::string_view name);

}  // namespace damier::app::serve
