// Weights as text, so that a study's journal can keep them and later steps can play with them.
//
// The one thing to know: it is the model file itself, two hexadecimal digits a byte.
#pragma once

#include <string>
#include <string_view>

#include "damier/base/result.h"
#include "damier/nn/safetensors.h"

namespace damier::lab {

Result<std::string> weights_text(const nn::TensorFile& weights);
Result<nn::TensorFile> read_weights(std::string_view text);

}  // namespace damier::lab
