// The evaluation network's kernels for AVX-512.
#include "damier/search/chess/network_kernels_body.h"

const damier::search::chess::NetworkKernels damier::search::chess::k_network_avx512 = {
    "avx512", update_sums, output_sum};
