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

// The deviation of the weights, or the limit where that is what is asked for.
template <class T>
double spread(const Parameter<T>& parameter, Initialisation how) {
  const double fan_in = static_cast<double>(parameter.taps) * parameter.in;
  const double fan_out = static_cast<double>(parameter.taps) * parameter.out;
  switch (how.kind) {
    case Initialisation::xavier_uniform:
    case Initialisation::xavier_normal:
      return std::sqrt(2 / (fan_in + fan_out));
    case Initialisation::he_uniform:
    case Initialisation::he_normal:
      return std::sqrt(2 / fan_in);
    case Initialisation::uniform:
      break;
  }
  return how.limit;
}

template <class T>
void draw(Parameter<T>& parameter, Initialisation how, Seed seed) {
  RandomStream random(seed, parameter.name);
  const bool is_normal =
      how.kind == Initialisation::he_normal || how.kind == Initialisation::xavier_normal;
  // Uniform numbers in [-1, 1) have a variance of a third.
  const double unit = how.kind == Initialisation::uniform ? 1 : std::sqrt(3.0);
  const double factor = spread(parameter, how);
  for (int row = 0; row < parameter.taps * parameter.in; ++row) {
    T* values = parameter.value + static_cast<std::ptrdiff_t>(row) * parameter.ld;
    for (int i = 0; i < parameter.out; ++i) {
      const double number = is_normal ? normal(random) : unit * (2 * random.uniform() - 1);
      values[i] = static_cast<T>(factor * number);
    }
  }
}

}  // namespace

template <class T>
void initialise(Network<T>& network, Initialisation how, Seed seed) {
  for (Parameter<T>* parameter : network.parameters()) {
    if (parameter->role == Role::weight) {
      draw(*parameter, how, seed);
    } else {
      std::fill_n(parameter->value, parameter->out, static_cast<T>(first_value(parameter->role)));
    }
  }
}

template void initialise(Network<float>&, Initialisation, Seed);
template void initialise(Network<double>&, Initialisation, Seed);

}  // namespace damier::nn
