// The evaluation network's kernels for avx2; see network_kernels_body.h.

#include "damier/search/chess/network_kernels_body.h"

namespace damier::search::chess {

extern const NetworkKernels k_network_avx2;
const NetworkKernels k_network_avx2 = {"avx2", update_sums, output_sum};

}  // namespace damier::search::chess
