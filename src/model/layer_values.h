// What every layer of a model gives for one input: for looking into a network.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "damier/model/model.h"

namespace damier::model {

struct LayerValues {
  std::string name;  // how the names of its weights begin: "layers.2.layers.0"
  nn::Shape shape;
  std::vector<float> values;  // (channels, rows, cols)
};

// All layers, each before those that it is made of. `input` has model.spec().input.size() numbers.
std::vector<LayerValues> layer_values(const Model& model, std::span<const float> input);

}  // namespace damier::model
