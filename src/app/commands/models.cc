// `damier models`: the models that ship and the ones that were trained here.

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/documents.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/standard_streams.h"
#include "damier/model/library.h"

namespace damier::app {

namespace {

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
  add_json_option(line, context);
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

}  // namespace damier::app
