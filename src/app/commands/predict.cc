// `damier predict`: one row of inputs in, one row of outputs out; or a position of the model's
// game.

#include <istream>
#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/commands/csv_rows.h"
#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/names.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/model/library.h"

namespace damier::app {

namespace {

struct PredictArguments {
  std::string model;
  std::optional<std::string> position;
  std::optional<std::string> input;
  std::optional<std::string> output;
};

template <class T>
void print_rows(const nn::OutputView<T>& view, std::size_t first, std::size_t count,
                const std::string& output, bool json) {
  for (std::size_t row = 0; row < count; ++row) {
    const T* values = view.value + row * static_cast<std::size_t>(view.ld);
    const std::span<const T> outputs(values, static_cast<std::size_t>(view.cols));
    if (json) {
      print_json("predict", {{"row", first + row}, {"output", output}, {"values", outputs}});
    } else {
      write_output(fmt::format("{}\n", fmt::join(outputs, ",")));
    }
  }
}

// What the model reads of the position.
Result<std::vector<float>> inputs_of(const model::Model& model, const std::string& position,
                                     const Context& context) {
  const std::string_view game = model.origin("game"), named = model.origin("task");
  if (game.empty()) {
    return Error{"does not say which game it is for; expected --input with its numbers",
                 {model.path}};
  }
  const auto task = TRY(context.registry.tasks().find(named.empty() ? game : named).in(model.path));
  const auto encoder = TRY(encoder_of(model, task->encoders()));
  return encoder->encode_text(position);
}

// Of the rows of a file, or of the inputs that are given.
template <class T>
Result<int> predict(nn::Network<T>& network, const std::optional<std::vector<float>>& inputs,
                    const PredictArguments& arguments, const Context& context) {
  const auto names = listed_names(network.spec().heads, [](const auto& head) { return head.name; });
  const std::string chosen = arguments.output.value_or(names.front());
  const int head = network.output_index(chosen);
  if (head < 0) return unknown_name("output", chosen, names);
  if (network.spec().head_shape(static_cast<std::size_t>(head)).board) {
    return Error{fmt::format("output {} is a board; expected a flat one", chosen)};
  }
  if (inputs) {
    network.set_inputs(std::span<const T>(std::vector<T>(inputs->begin(), inputs->end())), 1);
    network.forward();
    print_rows(network.output(static_cast<std::size_t>(head)), 0, 1, chosen, context.json);
    return kDone;
  }
  const auto file = TRY(InputFile::open(*arguments.input));
  const int columns = network.spec().input.size();
  std::istream in(file.get());
  CsvRows<T> rows(in, file->name(), columns);
  std::vector<T> values;
  for (std::size_t done = 0; !interrupted();) {
    const auto status = rows.next(static_cast<std::size_t>(network.batch()), values);
    if (interrupted()) break;
    if (!status) return status.error();
    const std::size_t count = values.size() / static_cast<std::size_t>(columns);
    if (count == 0) break;
    network.set_inputs(std::span<const T>(values), static_cast<int>(count));
    network.forward();
    print_rows(network.output(static_cast<std::size_t>(head)), done, count, chosen, context.json);
    done += count;
  }
  if (interrupted()) return report_interrupted();
  TRY(file->status());
  return kDone;
}

}  // namespace

Action setup_predict(CommandLine line, Context& context) {
  auto arguments = std::make_shared<PredictArguments>();
  add_model_argument(line, arguments->model);
  line.add_option("POSITION", arguments->position,
                  "a position of the model's game, as FEN, instead of --input");
  line.add_option("--input", arguments->input, "FILE.csv",
                  "a CSV file, one row an input; - is standard input");
  line.add_option("--output", arguments->output, "NAME", "which output (default: the first)");
  add_shared_options(line, context, {"--json"});
  return [arguments, &context]() -> Result<int> {
    constexpr int kBatch = 64;
    if (arguments->input.has_value() == arguments->position.has_value()) {
      return Error{"expected a position behind the model, or --input FILE.csv"};
    }
    const auto model = TRY(model::open_named_model(arguments->model));
    std::optional<std::vector<float>> inputs;
    if (arguments->position) inputs = TRY(inputs_of(model, *arguments->position, context));
    return model.visit([&](const auto& weights) {
      const auto network = model::network_copy(weights, weights.spec(), kBatch);
      network->freeze();
      return predict(*network, inputs, *arguments, context);
    });
  };
}

}  // namespace damier::app
