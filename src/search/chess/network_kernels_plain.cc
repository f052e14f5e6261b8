// The evaluation network's kernels for plain; see network_kernels_body.h.

#include "damier/search/chess/network_kernels_body.h"

namespace damier::search::chess {

extern const NetworkKernels k_network_plain;
const NetworkKernels k_network_plain = {"plain", update_sums, output_sum};

}  // namespace damier::search::chess
