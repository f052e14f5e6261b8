// The evaluation network's kernels for SSE4.2.
#include "damier/search/chess/network_kernels_body.h"

const damier::search::chess::NetworkKernels damier::search::chess::k_network_sse42 = {
    "sse42", update_sums, output_sum};
