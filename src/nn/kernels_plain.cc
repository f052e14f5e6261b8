// The kernels for plain; see kernels_body.h.
#include "damier/nn/kernels_body.h"

const damier::nn::KernelSet damier::nn::k_plain_kernels = damier::nn::make_kernels("plain");
