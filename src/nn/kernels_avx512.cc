// The kernels for avx512; see kernels_body.h.

#include <cstddef>

namespace damier::nn {
namespace {
constexpr std::size_t kVectorBytes = 64;
constexpr int kBlockRows = 12;
constexpr int kFewRows = 6;
}  // namespace
}  // namespace damier::nn

#include "damier/nn/kernels_body.h"

namespace damier::nn {

extern const Kernels<float> k_avx512_float;
extern const Kernels<double> k_avx512_double;
const Kernels<float> k_avx512_float = make_kernels<float>("avx512");
const Kernels<double> k_avx512_double = make_kernels<double>("avx512");

}  // namespace damier::nn
