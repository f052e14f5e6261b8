#include "damier/nn/kernels.h"

namespace damier::nn {

namespace {

constexpr CompiledFor<const KernelSet*> kCompiledKernels = {
    .plain = &k_plain_kernels,
#if defined(__x86_64__)
    .sse42 = &k_sse42_kernels,
    .avx2 = &k_avx2_kernels,
    .avx512 = &k_avx512_kernels,
#endif
};

}  // namespace

template <class T>
const Kernels<T>* kernels_of(Isa isa) {
  const KernelSet* set = kCompiledKernels.of(isa);
  return set == nullptr ? nullptr : &set->of<T>();
}

template <class T>
const Kernels<T>& best_kernels() {
  return kCompiledKernels.best()->of<T>();
}

template const Kernels<float>* kernels_of<float>(Isa);
template const Kernels<double>* kernels_of<double>(Isa);
template const Kernels<float>& best_kernels<float>();
template const Kernels<double>& best_kernels<double>();

}  // namespace damier::nn
