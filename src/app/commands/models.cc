// `damier models`, `inspect`, `init` and `export`: the models that ship or were trained here, what
// is in one, a fresh one, and one for other tools.

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/files/atomic_file.h"
#include "damier/base/files/files.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/model/dense_text.h"
#include "damier/model/library.h"
#include "damier/nn/model_file.h"
#include "damier/nn/onnx.h"
#include "damier/nn/training.h"
#include "damier/pages/file_page.h"

namespace damier::app {

namespace {

// --- models ---

struct ListedModel {
  std::string name;   // for net:NAME, or the run
  std::string title;  // the card's, or the recipe's
  std::string path;
  bool ships = false;
  std::string game;
  std::size_t parameters = 0;
};

// Those that can be opened; the others are named.
Result<std::vector<ListedModel>> listed_models(UnreadModels& unread) {
  std::vector<ListedModel> models;
  const auto add = [&](ListedModel listed) {
    const auto model = model::open_model(listed.path);
    if (!model) return unread.models.push_back(model.error());
    listed.game = model->origin("game");
    listed.parameters = model->visit([](const auto& network) { return network.parameter_count(); });
    models.push_back(std::move(listed));
  };
  for (const model::ShippedModel& model : model::shipped_models()) {
    add({model.name, model.title, model.weights.string(), true});
  }
  const auto local = TRY(model::trained_models(&unread.runs));
  for (const model::TrainedModel& model : local) {
    add({model.run, model.recipe, model.path, false});
  }
  return models;
}

void report_unread(const UnreadModels& unread) {
  report_damaged(unread.runs);
  for (const Error& error : unread.models) report(error);
}

// --- inspect ---

template <class T>
pages::Spread spread_of(const nn::Parameter<T>& parameter) {
  std::vector<double> values;
  for (int row = 0; row < parameter.taps * parameter.in; ++row) {
    const T* first = parameter.value + row * parameter.ld;
    values.insert(values.end(), first, first + parameter.out);
  }
  return pages::spread_of(values);
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
    const pages::Spread s = spread_of(*parameter);
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
    const pages::Spread s = spread_of(*parameter);
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

// --- init ---

struct InitArguments {
  std::string spec;
  std::string output;
  std::string weights = "he_uniform";
  double limit = nn::Initialisation::kLimit;
  bool doubles = false;
};

template <class T>
Status write_fresh(const nn::NetworkSpec& spec, nn::Initialisation how, Seed seed,
                   const InitArguments& arguments, std::size_t& count) {
  nn::Network<T> network(spec, 1, nn::Use::inference);
  nn::initialise(network, how, seed);
  count = network.parameter_count();
  nn::Provenance provenance = {{"made_by", fmt::format("{} init", version_text())},
                               {"initialisation", arguments.weights},
                               {"seed", std::to_string(value_of(seed))}};
  if (how.kind == nn::Initialisation::uniform) {
    provenance.emplace_back("limit", fmt::format("{}", how.limit));
  }
  return nn::write_safetensors(arguments.output, nn::model_tensors(network, provenance));
}

Result<int> run_init(const InitArguments& arguments, const Context& context) {
  const std::vector<std::string> names(nn::kInitialisationNames.begin(),
                                       nn::kInitialisationNames.end());
  const auto at = std::ranges::find(names, arguments.weights);
  if (at == names.end()) {
    return unknown_name("initialisation", arguments.weights, names);
  }
  const nn::Initialisation how(static_cast<nn::Initialisation::Kind>(at - names.begin()),
                               arguments.limit);
  TRY(check_output(arguments.output));
  const auto text = TRY(read_file(arguments.spec, std::size_t{4} << 20));
  const auto spec = TRY(nn::parse_network_text(text, arguments.spec));
  const Seed seed = context.seed();
  print_message("seed {}\n", value_of(seed));
  std::size_t count = 0;
  TRY(arguments.doubles ? write_fresh<double>(spec, how, seed, arguments, count)
                        : write_fresh<float>(spec, how, seed, arguments, count));
  if (context.json) {
    print_json("init",
               {{"model", arguments.output}, {"parameters", count}, {"seed", value_of(seed)}});
  } else {
    print_about_file(arguments.output, counted(count, "parameter"));
  }
  return kDone;
}

// --- export ---

struct ExportArguments {
  std::string model;
  std::string format;
  std::string output;
  bool blank_lines = false;
};

const std::vector<std::string> kFormats = {"onnx", "safetensors", "text"};

// The text form is of doubles; floats fit into them exactly.
Result<model::DenseText> text_of(const nn::Network<double>& network) {
  return model::to_dense_text(network);
}
Result<model::DenseText> text_of(const nn::Network<float>& network) {
  nn::Network<double> copy(network.spec(), 1, nn::Use::inference);
  TRY(nn::load_weights(copy, nn::model_tensors(network, {}), "model"));
  return model::to_dense_text(copy);
}

template <class T>
Result<std::string> exported(const model::Model& model, const nn::Network<T>& network,
                             const ExportArguments& arguments) {
  if (arguments.format == "onnx") return nn::onnx_bytes(network, version());
  if (arguments.format == "safetensors") {
    return nn::serialize_safetensors(nn::model_tensors(network, model.provenance));
  }
  const auto text = TRY(text_of(network));
  return model::dense_text(text, arguments.blank_lines ? model::DenseTextForm::blank_lines
                                                       : model::DenseTextForm::compact);
}

Result<int> run_export(const ExportArguments& arguments) {
  if (std::ranges::find(kFormats, arguments.format) == kFormats.end()) {
    return unknown_name("format", arguments.format, kFormats);
  }
  if (arguments.blank_lines && arguments.format != "text") {
    return Error{"--blank-lines goes with --format text"};
  }
  TRY(check_output(arguments.output));
  const auto model = TRY(model::open_named_model(arguments.model));
  const auto bytes =
      TRY(model.visit([&](const auto& network) { return exported(model, network, arguments); })
              .in(arguments.model));
  TRY(write_file_atomically(arguments.output, bytes));
  print_about_file(arguments.output, fmt::format("{} bytes", bytes.size()));
  return kDone;
}

}  // namespace

Result<Json> models_document(UnreadModels& unread) {
  const auto models = TRY(listed_models(unread));
  Json list = Json::array();
  for (const ListedModel& listed : models) {
    list.push_back({{"name", listed.name},
                    {"ships", listed.ships},
                    {"title", listed.title},
                    {"game", listed.game},
                    {"parameters", listed.parameters},
                    {"path", listed.path}});
  }
  return Json{{"models", std::move(list)}};
}

Action setup_models(CommandLine line, Context& context) {
  add_shared_options(line, context, {"--json"});
  return [&context]() -> Result<int> {
    UnreadModels unread;
    if (context.json) {
      const auto document = TRY(models_document(unread));
      report_unread(unread);
      print_json("models", document);
      return kDone;
    }
    const auto models = TRY(listed_models(unread));
    report_unread(unread);
    const Look look = detect_look(false);
    bool shown_local = false;
    print_output("Models that ship ({})\n", model::models_folder().string());
    for (const ListedModel& listed : models) {
      if (!listed.ships && !shown_local) {
        print_output("\nTrained here (`{} runs show RUN` draws the curves)\n", program_name());
        shown_local = true;
      }
      print_output("  {}  {:<12} {:>9} parameters  {}\n",
                   painted(look, Ink::accent, fmt::format("{:<24}", listed.name), true),
                   listed.game, listed.parameters, listed.title);
      if (!listed.ships) print_output("      {}\n", listed.path);
    }
    print_output(
        "\n`--vs net:NAME` plays one that ships, `--vs net:FILE` any other; `{} "
        "inspect NAME` looks inside.\n",
        program_name());
    return kDone;
  };
}

Result<Json> inspect_document(const std::string& name) {
  const auto model = TRY(model::open_named_model(name));
  return model.visit([&](const auto& network) { return model_json(model, network); });
}

Action setup_inspect(CommandLine line, Context& context) {
  auto path = std::make_shared<std::string>();
  add_model_argument(line, *path);
  add_shared_options(line, context, {"--json"});
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

Action setup_init(CommandLine line, Context& context) {
  auto arguments = std::make_shared<InitArguments>();
  line.add_option("SPEC", arguments->spec, "the network's specification, a JSON file").required();
  line.add_option("-o,--output", arguments->output, "MODEL", "the model file to write").required();
  line.add_option("--weights", arguments->weights, "KIND",
                  "xavier_uniform, xavier_normal, he_uniform (the default), he_normal or uniform");
  line.add_number("--limit", arguments->limit, 0, nn::Initialisation::kMaxLimit,
                  "uniform: weights are drawn from -LIMIT to LIMIT (default: 0.05)")
      .type_name("LIMIT");
  line.add_flag("--double", arguments->doubles, "64-bit weights instead of 32-bit ones");
  add_shared_options(line, context, {"--seed", "--json"});
  return [arguments, &context] { return run_init(*arguments, context); };
}

Action setup_export(CommandLine line, Context&) {
  auto arguments = std::make_shared<ExportArguments>();
  add_model_argument(line, arguments->model);
  line.add_option("--format", arguments->format, "FORMAT",
                  "onnx, safetensors or text (that of the dense chess report)")
      .required();
  line.add_option("-o,--output", arguments->output, "FILE", "the file to write").required();
  line.add_flag("--blank-lines", arguments->blank_lines, "text: a blank line after each matrix");
  return [arguments] { return run_export(*arguments); };
}

}  // namespace damier::app
