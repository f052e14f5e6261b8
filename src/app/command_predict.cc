// `damier predict`: one row of inputs in, one row of outputs out.

#include <charconv>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "damier/app/commands.h"
#include "damier/base/files.h"
#include "damier/base/text.h"
#include "damier/learn/model/model_library.h"

namespace damier::app {

namespace {

struct PredictArguments {
  std::string model;
  std::string input;
  std::optional<std::string> output;
};

// The numbers of a CSV text, `columns` a row.
template <class T>
Result<std::vector<T>> parse_rows(std::string_view text, int columns, const std::string& source) {
  std::vector<T> values;
  int line_number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++line_number;
    if (trim(line).empty()) continue;
    const auto cells = split(line, ',');
    if (std::ssize(cells) != columns) {
      return Error{
          fmt::format("{} values; expected {}, the network's inputs", cells.size(), columns),
          {source, line_number, 0}};
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string_view cell = trim(cells[i]);
      double value = 0;
      const auto [end, code] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      if (code != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) {
        return Error{fmt::format("value {} is {}; expected a number", i + 1, in_quotes(cell)),
                     {source, line_number, 0}};
      }
      values.push_back(static_cast<T>(value));
    }
  }
  return values;
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
  const auto text = read_file(arguments.input, std::size_t{1} << 30);
  if (!text) return report(text.error());
  const int columns = network.spec().input.size();
  const auto values =
      parse_rows<T>(*text, columns, arguments.input == "-" ? "standard input" : arguments.input);
  if (!values) return report(values.error());
  const std::size_t rows = values->size() / static_cast<std::size_t>(columns);
  const auto batch = static_cast<std::size_t>(network.batch());
  for (std::size_t at = 0; at < rows; at += batch) {
    const std::size_t count = std::min(batch, rows - at);
    network.set_inputs(std::span(*values).subspan(at * static_cast<std::size_t>(columns),
                                                  count * static_cast<std::size_t>(columns)),
                       static_cast<int>(count));
    network.forward();
    const auto view = network.output(static_cast<std::size_t>(head));
    for (std::size_t row = 0; row < count; ++row) {
      const T* first = view.value + row * static_cast<std::size_t>(view.ld);
      const std::span<const T> outputs(first, static_cast<std::size_t>(view.cols));
      if (context.json) {
        print_json("predict", {{"row", at + row}, {"output", chosen}, {"values", outputs}});
      } else {
        fmt::print("{}\n", fmt::join(outputs, ","));
      }
    }
  }
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
