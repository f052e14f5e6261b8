// `damier models`: the models that ship and the ones that were trained here.

#include <fmt/format.h>

#include "damier/app/commands.h"
#include "damier/app/terminal.h"
#include "damier/base/program_name.h"
#include "damier/base/standard_streams.h"
#include "damier/learn/model/model_library.h"

namespace damier::app {

namespace {

struct Listed {
  std::string name;   // for net:NAME, or the run
  std::string title;  // the card's, or the recipe's
  std::string path;
  bool ships = false;
};

}  // namespace

std::function<int()> setup_models(CommandLine line, Context& context) {
  add_json_option(line, context);
  return [&context] {
    std::vector<Listed> models;
    for (const learn::ShippedModel& model : learn::shipped_models()) {
      models.push_back({model.name, model.title, model.weights.string(), true});
    }
    DamagedRows damaged;
    const auto local = learn::trained_models(&damaged);
    if (!local) return report(local.error());
    report_damaged(damaged);
    for (const learn::TrainedModel& model : *local) {
      models.push_back({model.run, model.recipe, model.path, false});
    }
    Json list = Json::array();
    const Look look = detect_look(false);
    bool shown_local = false;
    if (!context.json) print_output("Models that ship ({})\n", learn::models_folder().string());
    for (const Listed& listed : models) {
      const auto model = learn::open_model(listed.path);
      if (!model) {
        report(model.error());
        continue;
      }
      const std::size_t parameters =
          model->visit([](const auto& network) { return network.parameter_count(); });
      const std::string game(model->origin("game"));
      if (context.json) {
        list.push_back({{"name", listed.name},
                        {"ships", listed.ships},
                        {"title", listed.title},
                        {"game", game},
                        {"parameters", parameters},
                        {"path", listed.path}});
        continue;
      }
      if (!listed.ships && !shown_local) {
        print_output("\nTrained here (`{} runs show RUN` draws the curves)\n", program_name());
        shown_local = true;
      }
      print_output("  {}  {:<12} {:>9} parameters  {}\n",
                   painted(look, games::Ink::first, fmt::format("{:<24}", listed.name), true), game,
                   parameters, listed.title);
      if (!listed.ships) print_output("      {}\n", listed.path);
    }
    if (context.json) {
      print_json("models", {{"models", std::move(list)}});
    } else {
      print_output(
          "\n`--vs net:NAME` plays one that ships, `--vs net:FILE` any other; `{} "
          "inspect NAME` looks inside.\n",
          program_name());
    }
    return kDone;
  };
}

}  // namespace damier::app
