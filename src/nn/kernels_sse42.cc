// The kernels for sse42; see kernels_body.h.
#include "damier/nn/kernels_body.h"

const damier::nn::KernelSet damier::nn::k_sse42_kernels = damier::nn::make_kernels("sse42");
