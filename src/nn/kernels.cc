#include "damier/nn/kernels.h"

#include <type_traits>

namespace damier::nn {

#define DAMIER_DECLARE_KERNELS(isa)            \
  extern const Kernels<float> k_##isa##_float; \
  extern const Kernels<double> k_##isa##_double;
DAMIER_DECLARE_KERNELS(plain)
#if defined(__x86_64__)
DAMIER_DECLARE_KERNELS(sse42)
DAMIER_DECLARE_KERNELS(avx2)
DAMIER_DECLARE_KERNELS(avx512)
#endif
#undef DAMIER_DECLARE_KERNELS

namespace {

template <class T>
constexpr CompiledFor<const Kernels<T>*> kCompiled;

template <>
constexpr CompiledFor<const Kernels<float>*> kCompiled<float> = {
    .plain = &k_plain_float,
#if defined(__x86_64__)
    .sse42 = &k_sse42_float,
    .avx2 = &k_avx2_float,
    .avx512 = &k_avx512_float,
#endif
};

template <>
constexpr CompiledFor<const Kernels<double>*> kCompiled<double> = {
    .plain = &k_plain_double,
#if defined(__x86_64__)
    .sse42 = &k_sse42_double,
    .avx2 = &k_avx2_double,
    .avx512 = &k_avx512_double,
#endif
};

}  // namespace

template <class T>
const Kernels<T>* kernels_of(Isa isa) {
  return kCompiled<T>.of(isa);
}

template <class T>
const Kernels<T>& best_kernels() {
  return *kCompiled<T>.best();
}

template const Kernels<float>* kernels_of<float>(Isa);
template const Kernels<double>* kernels_of<double>(Isa);
template const Kernels<float>& best_kernels<float>();
template const Kernels<double>& best_kernels<double>();

}  // namespace damier::nn
