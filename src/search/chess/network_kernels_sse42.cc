// The evaluation network's kernels for sse42; see network_kernels_body.h.

#include "damier/search/chess/network_kernels_body.h"

namespace damier::search::chess {

extern const NetworkKernels k_network_sse42;
const NetworkKernels k_network_sse42 = {"sse42", update_sums, output_sum};

}  // namespace damier::search::chess
