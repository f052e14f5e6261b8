#include "damier/search/chess/network_kernels.h"

#include "damier/base/parallel/cpu.h"

namespace damier::search::chess {

extern const NetworkKernels k_network_plain;
#if defined(__x86_64__)
extern const NetworkKernels k_network_sse42, k_network_avx2, k_network_avx512;
#endif

const NetworkKernels* network_kernels_of(nn::Isa isa) {
  [[maybe_unused]] const CpuFeatures& cpu = cpu_features();
  switch (isa) {
    case nn::Isa::plain:
      return &k_network_plain;
#if defined(__x86_64__)
    case nn::Isa::sse42:
      return cpu.sse42 ? &k_network_sse42 : nullptr;
    case nn::Isa::avx2:
      return cpu.avx2 ? &k_network_avx2 : nullptr;
    case nn::Isa::avx512:
      return cpu.avx512 ? &k_network_avx512 : nullptr;
#else
    default:
      break;
#endif
  }
  return nullptr;
}

const NetworkKernels& best_network_kernels() {
  for (const nn::Isa isa : {nn::Isa::avx512, nn::Isa::avx2, nn::Isa::sse42}) {
    if (const NetworkKernels* kernels = network_kernels_of(isa)) return *kernels;
  }
  return *network_kernels_of(nn::Isa::plain);
}

}  // namespace damier::search::chess
