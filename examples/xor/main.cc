// A network learns XOR: a recipe, rows, and train().

#include <cstdio>

#include "damier/learn/train/rows.h"
#include "damier/learn/train/training_run.h"

using namespace damier;

int main() {
  // A recipe is data; wrong ones get an error that names the field. All four rows make one batch.
  const auto recipe = learn::parse_rows_recipe(R"({
      "network": {"input": [2], "layers": [{"type": "dense", "units": 4}, {"type": "tanh"},
                                           {"type": "dense", "units": 1}, {"type": "sigmoid"}]},
      "initialisation": "xavier_uniform",
      "heads": {"output": {"loss": "mean_squared_error"}},
      "optimiser": {"kind": "adam", "rate": 0.05},
      "batch": 4, "epochs": 800, "precision": "double"})",
                                               "xor");
  if (!recipe) return std::puts(recipe.error().text().c_str()), 2;

  learn::Rows rows(*recipe);
  const std::vector<double> inputs = {0, 0, 0, 1, 1, 0, 1, 1};
  for (std::size_t i = 0; i < inputs.size(); i += 2) {
    rows.add({inputs[i], inputs[i + 1]}, {{inputs[i] == inputs[i + 1] ? 0.0 : 1.0}});
  }
  const auto data = rows.finish();
  if (!data) return std::puts(data.error().text().c_str()), 2;

  ThreadPool pool;
  // The seed decides the weights and the order of the rows.
  const auto result = learn::train(*recipe, *data, Seed{1}, pool);
  if (!result) return std::puts(result.error().text().c_str()), 1;

  nn::Network<double> network(recipe->network, 4, nn::Use::inference);
  const auto loaded = nn::load_weights(network, result->model, "xor");
  if (!loaded) return std::puts(loaded.error().text().c_str()), 1;
  network.set_inputs(inputs, 4);
  network.forward();
  for (std::size_t i = 0; i < 4; ++i) {
    std::printf("%g xor %g = %.2f\n", inputs[2 * i], inputs[2 * i + 1],
                network.output(0).value[i * static_cast<std::size_t>(network.output(0).ld)]);
  }
}
