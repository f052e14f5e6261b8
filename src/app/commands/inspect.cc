// `damier inspect`: what is in a model.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/documents.h"
#include "damier/base/files/files.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/model/library.h"

namespace damier::app {

namespace {

struct Statistics {
  double mean = 0;
  double deviation = 0;
  double low = 0;
  double high = 0;
};

template <class T>
Statistics statistics_of(const nn::Parameter<T>& parameter) {
  Statistics s{0, 0, std::numeric_limits<double>::infinity(),
               -std::numeric_limits<double>::infinity()};
  const int rows = parameter.taps * parameter.in;
  const double count = static_cast<double>(rows) * parameter.out;
  double squares = 0;
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < parameter.out; ++i) {
      const auto value = static_cast<double>(parameter.value[row * parameter.ld + i]);
      s.mean += value / count;
      squares += value * value / count;
      s.low = std::min(s.low, value);
      s.high = std::max(s.high, value);
    }
  }
  s.deviation = std::sqrt(std::max(0.0, squares - s.mean * s.mean));
  return s;
}

void print_layers(const std::vector<nn::LayerSpec>& layers, const std::string& indent) {
  for (const nn::LayerSpec& layer : layers) {
    print_output("{}{:<22} {:>12} -> {}\n", indent, layer.name(), layer.in.text(),
                 layer.out.text());
    print_layers(layer.layers, indent + "  ");
  }
}

// The model card, where one lies beside the weights.
std::optional<std::string> card_of(const model::Model& model) {
  constexpr std::size_t kMaxBytes = 1 << 20;
  const auto path = std::filesystem::path(model.path).parent_path() / "card.md";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  auto text = read_file(path, kMaxBytes);
  if (!text) return std::nullopt;
  return *std::move(text);
}

template <class T>
void print_model(const model::Model& model, const nn::Network<T>& network) {
  const nn::NetworkSpec& spec = network.spec();
  print_output(
      "{}: {} parameters of {} bits, {} bytes on disk, {} bytes of memory for one sample\n\n",
      model.path, network.parameter_count(), 8 * sizeof(T), model.file_bytes,
      network.memory_bytes());
  print_output("input {}\n", spec.input.text());
  print_layers(spec.layers, "  ");
  for (std::size_t head = 0; head < spec.heads.size(); ++head) {
    print_output("output {} ({})\n", printable(spec.heads[head].name),
                 spec.head_shape(head).text());
    print_layers(spec.heads[head].layers, "  ");
  }
  print_output("\n{:<36} {:<18} {:>10} {:>10} {:>10} {:>10}\n", "weights", "shape", "mean",
               "deviation", "lowest", "highest");
  for (const nn::Parameter<T>* parameter : network.parameters()) {
    const Statistics s = statistics_of(*parameter);
    print_output("{:<36} {:<18} {:>10.4g} {:>10.4g} {:>10.4g} {:>10.4g}\n",
                 printable(parameter->name), fmt::format("{}", fmt::join(parameter->shape, " x ")),
                 s.mean, s.deviation, s.low, s.high);
  }
  if (!model.provenance.empty()) print_output("\norigin\n");
  for (const auto& [key, value] : model.provenance)
    print_output("  {}: {}\n", printable(key), printable(value));
  if (const auto card = card_of(model)) print_output("\n{}", *card);
}

template <class T>
Json model_json(const model::Model& model, const nn::Network<T>& network) {
  Json weights = Json::array(), origin = Json::object();
  for (const nn::Parameter<T>* parameter : network.parameters()) {
    const Statistics s = statistics_of(*parameter);
    weights.push_back({{"name", parameter->name},
                       {"shape", parameter->shape},
                       {"mean", s.mean},
                       {"deviation", s.deviation},
                       {"lowest", s.low},
                       {"highest", s.high}});
  }
  for (const auto& [key, value] : model.provenance) origin[key] = value;
  const auto card = card_of(model);
  return {{"model", model.path},
          {"parameters", network.parameter_count()},
          {"bits", 8 * sizeof(T)},
          {"file_bytes", model.file_bytes},
          {"memory_bytes", network.memory_bytes()},
          {"network", nn::to_json(network.spec())},
          {"weights", std::move(weights)},
          {"origin", std::move(origin)},
          {"card", card ? Json(*card) : Json(nullptr)}};
}

}  // namespace

Result<Json> inspect_document(const std::string& name) {
  const auto model = TRY(model::open_named_model(name));
  return model.visit([&](const auto& network) { return model_json(model, network); });
}

Action setup_inspect(CommandLine line, Context& context) {
  auto path = std::make_shared<std::string>();
  line.add_option("MODEL", *path, "a model: its file, its folder or the name of one that ships")
      .required();
  add_json_option(line, context);
  return [path, &context]() -> Result<int> {
    if (context.json) {
      const auto document = TRY(inspect_document(*path));
      print_json("inspect", document);
      return kDone;
    }
    const auto model = TRY(model::open_named_model(*path));
    model.visit([&](const auto& network) { print_model(model, network); });
    return kDone;
  };
}

}  // namespace damier::app
