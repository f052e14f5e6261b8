// The kernels for avx512; see kernels_body.h.
#include "damier/nn/kernels_body.h"

const damier::nn::KernelSet damier::nn::k_avx512_kernels = damier::nn::make_kernels("avx512");
