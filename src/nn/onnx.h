// ONNX files: a network as other programs run it. They hold the inference form, without dropout and
// with batch norm's running figures.
#pragma once

#include <string>
#include <string_view>

#include "damier/nn/network.h"

namespace damier::nn {

// The bytes of a file of IR version 8 and operator set 13. The graph takes "input", of shape
// (batch, features) or (batch, channels, rows, cols) with any batch, and gives one output a head,
// named as the head. Weights keep the names of the parameters. Should a name stand twice, the later
// one gets a "_" (heads, then the input, then the rest). Protobuf cannot hold more than 2 GiB.
template <class T>
std::string onnx_bytes(const Network<T>& network, std::string_view producer_version);

}  // namespace damier::nn
