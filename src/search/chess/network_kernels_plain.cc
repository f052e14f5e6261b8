// The evaluation network's kernels for any processor.
#include "damier/search/chess/network_kernels_body.h"

const damier::search::chess::NetworkKernels damier::search::chess::k_network_plain = {
    "plain", update_sums, output_sum};
