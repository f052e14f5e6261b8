// The evaluation network's kernels for avx512; see network_kernels_body.h.

#include "damier/search/chess/network_kernels_body.h"

namespace damier::search::chess {

extern const NetworkKernels k_network_avx512;
const NetworkKernels k_network_avx512 = {"avx512", update_sums, output_sum};

}  // namespace damier::search::chess
