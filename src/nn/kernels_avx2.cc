// The kernels for avx2; see kernels_body.h.

#include <cstddef>

namespace damier::nn {
namespace {
constexpr std::size_t kVectorBytes = 32;
constexpr int kBlockRows = 6;
constexpr int kFewRows = 3;
}  // namespace
}  // namespace damier::nn

#include "damier/nn/kernels_body.h"

namespace damier::nn {

extern const Kernels<float> k_avx2_float;
extern const Kernels<double> k_avx2_double;
const Kernels<float> k_avx2_float = make_kernels<float>("avx2");
const Kernels<double> k_avx2_double = make_kernels<double>("avx2");

}  // namespace damier::nn
