#include "damier/nn/initialise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace damier::nn {

namespace {

// Box and Muller's method, one of its two numbers.
double normal(RandomStream& random) {
  const double u = 1.0 - random.uniform();  // in (0, 1]
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * random.uniform());
}

template <class T>
void draw(Parameter<T>& parameter, Initialisation kind, Seed seed) {
  RandomStream random(seed, parameter.name);
  const double fan_in = static_cast<double>(parameter.taps) * parameter.in;
  const double fan_out = static_cast<double>(parameter.taps) * parameter.out;
  const bool he = kind == Initialisation::he_uniform || kind == Initialisation::he_normal;
  const bool uniform = kind == Initialisation::he_uniform || kind == Initialisation::xavier_uniform;
  const double deviation = std::sqrt(he ? 2 / fan_in : 2 / (fan_in + fan_out));
  for (int row = 0; row < parameter.taps * parameter.in; ++row) {
    T* values = parameter.value + static_cast<std::ptrdiff_t>(row) * parameter.ld;
    for (int i = 0; i < parameter.out; ++i) {
      const double unit = uniform ? std::sqrt(3.0) * (2 * random.uniform() - 1) : normal(random);
      values[i] = static_cast<T>(deviation * unit);
    }
  }
}

}  // namespace

template <class T>
void initialise(Network<T>& network, Initialisation kind, Seed seed) {
  for (Parameter<T>* parameter : network.parameters()) {
    if (parameter->shape.size() > 1) {
      draw(*parameter, kind, seed);
      continue;
    }
    const bool one =
        parameter->name.ends_with(".weight") || parameter->name.ends_with(".running_var");
    std::fill_n(parameter->value, parameter->out, one ? T(1) : T(0));
  }
}

template void initialise(Network<float>&, Initialisation, Seed);
template void initialise(Network<double>&, Initialisation, Seed);

}  // namespace damier::nn
