// Networks on disk: a safetensors file whose metadata holds the specification and where the weights
// come from. Tensors have the names and the shapes that other tools use: (out, in) for dense
// layers, (out, in, rows, cols) for convolutions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/result.h"
#include "damier/nn/network.h"
#include "damier/nn/safetensors.h"
#include "damier/nn/training.h"

namespace damier::nn {

// Where weights come from: "seed", "command", "game", … as texts.
using Provenance = std::vector<std::pair<std::string, std::string>>;

template <class T>
TensorFile model_tensors(const Network<T>& network, const Provenance& provenance);

// The specification in a model file.
Result<NetworkSpec> model_spec(const TensorMetadata& metadata, std::string_view source);
Provenance model_provenance(const TensorFile& file);
// What its weights are stored as.
DType model_dtype(const TensorFile& file);

// Whether the tensors are those of the network: names, shapes and kinds of number. To be asked
// before a network is made, which takes its memory at once.
Status check_tensors(const NetworkSpec& spec, const TensorHeader& header, std::string_view source);

// Every parameter must be there with its shape; numbers are converted to T and must be finite.
// Tensors that the network does not know are refused.
template <class T>
Status load_weights(Network<T>& network, const TensorFile& file, std::string_view source);

// A model file with, in addition, all that a training run needs to go on bit for bit: the
// optimiser's means and its count of steps.
template <class T>
TensorFile checkpoint_tensors(const Network<T>& network, Optimiser<T>& optimiser,
                              const Provenance& provenance);
template <class T>
Status load_checkpoint(Network<T>& network, Optimiser<T>& optimiser, const TensorFile& file,
                       std::string_view source);

}  // namespace damier::nn
