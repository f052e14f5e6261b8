// The evaluation network's kernels for AVX2.
#include "damier/search/chess/network_kernels_body.h"

const damier::search::chess::NetworkKernels damier::search::chess::k_network_avx2 = {
    "avx2", update_sums, output_sum};
