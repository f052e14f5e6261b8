// The kernels for plain; see kernels_body.h.

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

extern const Kernels<float> k_plain_float;
extern const Kernels<double> k_plain_double;
const Kernels<float> k_plain_float = make_kernels<float>("plain");
const Kernels<double> k_plain_double = make_kernels<double>("plain");

}  // namespace damier::nn
