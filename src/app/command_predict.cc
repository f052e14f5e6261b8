// `damier predict`: one row of inputs in, one row of outputs out.

#include <istream>
#include <memory>

#include <fmt/format.h>

#include "damier/app/commands.h"
#include "damier/app/csv_rows.h"
#include "damier/base/input_file.h"
#include "damier/base/interrupt.h"
#include "damier/base/standard_streams.h"
#include "damier/base/text.h"
#include "damier/learn/model/model_library.h"

namespace damier::app {

namespace {

struct PredictArguments {
  std::string model;
  std::string input;
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

template <class T>
int predict(nn::Network<T>& network, const PredictArguments& arguments, const Context& context) {
  std::vector<std::string> names;
  for (const auto& head : network.spec().heads) names.push_back(head.name);
  const std::string chosen = arguments.output.value_or(names.front());
  const int head = network.output_index(chosen);
  if (head < 0) return report(unknown_name("output", chosen, names));
  if (network.spec().head_shape(static_cast<std::size_t>(head)).board) {
    return report(Error{fmt::format("output {} is a board; expected a flat one", chosen)});
  }
  const auto file = InputFile::open(arguments.input);
  if (!file) return report(file.error());
  const int columns = network.spec().input.size();
  std::istream in(file->get());
  CsvRows<T> rows(in, (*file)->name(), columns);
  std::vector<T> values;
  for (std::size_t done = 0; !interrupted();) {
    const auto status = rows.next(static_cast<std::size_t>(network.batch()), values);
    if (interrupted()) break;
    if (!status) return report(status.error());
    const std::size_t count = values.size() / static_cast<std::size_t>(columns);
    if (count == 0) break;
    network.set_inputs(std::span<const T>(values), static_cast<int>(count));
    network.forward();
    print_rows(network.output(static_cast<std::size_t>(head)), done, count, chosen, context.json);
    done += count;
  }
  if (interrupted()) return report_interrupted();
  if (auto status = (*file)->status(); !status) return report(status.error());
  return kDone;
}

}  // namespace

std::function<int()> setup_predict(CommandLine line, Context& context) {
  auto arguments = std::make_shared<PredictArguments>();
  line.add_option("MODEL", arguments->model,
                  "a model: its file, its folder or the name of one that ships")
      .required();
  line.add_option("--input", arguments->input, "a CSV file, one row an input; - is standard input")
      .type_name("FILE.csv")
      .required();
  line.add_option("--output", arguments->output, "which output (default: the first)")
      .type_name("NAME");
  add_json_option(line, context);
  return [arguments, &context] {
    constexpr int kBatch = 64;
    const auto model = learn::open_named_model(arguments->model);
    if (!model) return report(model.error());
    return model->visit([&](const auto& weights) {
      const auto network = learn::network_copy(weights, weights.spec(), kBatch);
      network->freeze();
      return predict(*network, *arguments, context);
    });
  };
}

}  // namespace damier::app
