// A network learns XOR: a specification, first weights, an optimiser, a loss and the trainer.

#include <cstdio>

#include "damier/nn/initialise.h"
#include "damier/nn/trainer.h"

using namespace damier::nn;

int main() {
  // A specification is data; wrong ones get an error that names the field.
  const auto spec = parse_network_text(R"({"input": [2],
      "layers": [{"type": "dense", "units": 4}, {"type": "tanh"},
                 {"type": "dense", "units": 1}, {"type": "sigmoid"}]})",
                                       "xor");
  if (!spec) return std::puts(spec.error().text().c_str()), 2;

  // All four samples make one batch; the seed decides the weights and the order of the samples.
  Network<double> network(*spec, 4, Use::training);
  initialise(network, Initialisation::xavier_uniform, damier::Seed{1});
  Optimiser<double> optimiser({.kind = OptimiserKind::adam, .rate = 0.05}, network);
  Trainer<double> trainer(network, optimiser, {{LossKind::mean_squared_error}},
                          {.epochs = 800, .seed = damier::Seed{1}});
  const Samples<double> samples = {
      .count = 4, .inputs = {0, 0, 0, 1, 1, 0, 1, 1}, .targets = {{0, 1, 1, 0}}};
  const double loss = trainer.run(samples).back().training_loss;

  network.set_inputs(samples.inputs, 4);
  network.forward();
  const OutputView<double> output = network.output(0);
  for (int i = 0; i < 4; ++i) {
    std::printf("%g xor %g = %.2f\n", samples.inputs[static_cast<std::size_t>(2 * i)],
                samples.inputs[static_cast<std::size_t>(2 * i + 1)], output.value[i * output.ld]);
  }
  std::printf("loss %.2g\n", loss);
  return loss > 0.01 ? 1 : 0;
}
