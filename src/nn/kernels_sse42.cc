// The kernels for sse42; see kernels_body.h.

#include <cstddef>

namespace damier::nn {
namespace {
constexpr std::size_t kVectorBytes = 16;
constexpr int kBlockRows = 4;
constexpr int kFewRows = 3;
}  // namespace
}  // namespace damier::nn

#include "damier/nn/kernels_body.h"

namespace damier::nn {

extern const Kernels<float> k_sse42_float;
extern const Kernels<double> k_sse42_double;
const Kernels<float> k_sse42_float = make_kernels<float>("sse42");
const Kernels<double> k_sse42_double = make_kernels<double>("sse42");

}  // namespace damier::nn
