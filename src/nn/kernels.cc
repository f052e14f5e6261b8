#include "damier/nn/kernels.h"

#include <type_traits>

#include "damier/base/parallel/cpu.h"

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
const Kernels<T>* pick(const Kernels<float>& as_float, const Kernels<double>& as_double) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<void>(as_double), &as_float;
  } else {
    return static_cast<void>(as_float), &as_double;
  }
}

}  // namespace

template <class T>
const Kernels<T>* kernels_of(Isa isa) {
  [[maybe_unused]] const CpuFeatures& cpu = cpu_features();
  switch (isa) {
    case Isa::plain:
      return pick<T>(k_plain_float, k_plain_double);
#if defined(__x86_64__)
    case Isa::sse42:
      return cpu.sse42 ? pick<T>(k_sse42_float, k_sse42_double) : nullptr;
    case Isa::avx2:
      return cpu.avx2 ? pick<T>(k_avx2_float, k_avx2_double) : nullptr;
    case Isa::avx512:
      return cpu.avx512 ? pick<T>(k_avx512_float, k_avx512_double) : nullptr;
#else
    default:
      break;
#endif
  }
  return nullptr;
}

template <class T>
const Kernels<T>& best_kernels() {
  for (const Isa isa : {Isa::avx512, Isa::avx2, Isa::sse42}) {
    if (const Kernels<T>* kernels = kernels_of<T>(isa)) return *kernels;
  }
  return *kernels_of<T>(Isa::plain);
}

template const Kernels<float>* kernels_of<float>(Isa);
template const Kernels<double>* kernels_of<double>(Isa);
template const Kernels<float>& best_kernels<float>();
template const Kernels<double>& best_kernels<double>();

}  // namespace damier::nn
