// The kernels for avx2; see kernels_body.h.
#include "damier/nn/kernels_body.h"

const damier::nn::KernelSet damier::nn::k_avx2_kernels = damier::nn::make_kernels("avx2");
