// `damier init`: a fresh network.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/base/files/atomic_file.h"
#include "damier/base/files/files.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/base/text/version.h"
#include "damier/nn/initialise.h"
#include "damier/nn/model_file.h"

namespace damier::app {

namespace {

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
  const auto at = std::find(names.begin(), names.end(), arguments.weights);
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

}  // namespace

Action setup_init(CommandLine line, Context& context) {
  auto arguments = std::make_shared<InitArguments>();
  line.add_option("SPEC", arguments->spec, "the network's specification, a JSON file").required();
  line.add_option("-o,--output", arguments->output, "the model file to write")
      .type_name("MODEL")
      .required();
  line.add_option("--weights", arguments->weights,
                  "xavier_uniform, xavier_normal, he_uniform (the default), he_normal or uniform")
      .type_name("KIND");
  line.add_number("--limit", arguments->limit, 0, nn::Initialisation::kMaxLimit,
                  "uniform: weights are drawn from -LIMIT to LIMIT (default: 0.05)")
      .type_name("LIMIT");
  line.add_flag("--double", arguments->doubles, "64-bit weights instead of 32-bit ones");
  add_seed_option(line, context);
  add_json_option(line, context);
  return [arguments, &context] { return run_init(*arguments, context); };
}

}  // namespace damier::app
