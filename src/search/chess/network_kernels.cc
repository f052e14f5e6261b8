#include "damier/search/chess/network_kernels.h"

namespace damier::search::chess {

namespace {

constexpr CompiledFor<const NetworkKernels*> kCompiledNetworkKernels = {
    .plain = &k_network_plain,
#if defined(__x86_64__)
    .sse42 = &k_network_sse42,
    .avx2 = &k_network_avx2,
    .avx512 = &k_network_avx512,
#endif
};

}  // namespace

const NetworkKernels* network_kernels_of(Isa isa) { return kCompiledNetworkKernels.of(isa); }

const NetworkKernels& best_network_kernels() { return *kCompiledNetworkKernels.best(); }

}  // namespace damier::search::chess
