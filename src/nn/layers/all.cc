// The list of all layers: a new one is a file in this folder and a name here.

#include "damier/nn/layer_type.h"

namespace damier::nn {

extern const LayerType kDense, kConv2d, kBatchNorm, kLayerNorm, kDropout, kSigmoid, kTanh, kRelu,
    kLeakyRelu, kClippedRelu, kSquaredClippedRelu, kSoftmax, kResidual, kFlatten,
    kGlobalAveragePool, kAttention, kSlice, kChain, kBranches, kSparse;

std::span<const LayerType* const> layer_types() {
  static constexpr const LayerType* kTypes[] = {&kDense,
                                                &kConv2d,
                                                &kBatchNorm,
                                                &kLayerNorm,
                                                &kDropout,
                                                &kSigmoid,
                                                &kTanh,
                                                &kRelu,
                                                &kLeakyRelu,
                                                &kClippedRelu,
                                                &kSquaredClippedRelu,
                                                &kSoftmax,
                                                &kResidual,
                                                &kFlatten,
                                                &kGlobalAveragePool,
                                                &kAttention,
                                                &kSlice,
                                                &kChain,
                                                &kBranches,
                                                &kSparse};
  return kTypes;
}

}  // namespace damier::nn
