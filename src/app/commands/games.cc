// `damier games`: the games, their rule options, their players.

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/documents.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/text/language.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/standard_streams.h"
#include "damier/play/players/players.h"

namespace damier::app {

namespace {

Json entry_json(const games::GameEntry& entry, const play::Registry& registry) {
  Json options = Json::array(), presets = Json::array();
  for (const auto& option : entry.options) {
    options.push_back({{"name", option.name},
                       {"default", option.default_value},
                       {"expected", option.expected},
                       {"help", option.help}});
  }
  for (const auto& preset : entry.presets) {
    presets.push_back({{"name", preset.name}, {preset.option, preset.value}});
  }
  const auto& facts = entry.facts;
  return {{"name", facts.name},
          {"title", facts.title},
          {"summary", facts.summary},
          {"players", facts.players},
          {"hidden_information", facts.hidden_information},
          {"sides", facts.sides},
          {"options", std::move(options)},
          {"presets", std::move(presets)},
          {"opponents", play::player_names(*registry.toolkit(*entry.make({})))}};
}

void print_entry(const games::GameEntry& entry, const Context& context, const Look& look) {
  print_output("{}  {}\n    {}\n", painted(look, Ink::accent, entry.facts.name, true),
               tr(entry.facts.title), tr(entry.facts.summary));
  for (const auto& option : entry.options) {
    print_output("    --rules {}=…  {}\n", option.name,
                 tr_format("{} (default {}; {})", tr(option.help), option.default_value,
                           tr(option.expected)));
  }
  if (!entry.presets.empty()) {
    print_output("    {}", tr("presets:"));
    for (const auto& preset : entry.presets) print_output("  {} {}", preset.name, preset.value);
    print_output("\n");
  }
  print_output("    {} {}\n\n", tr("players:"),
               fmt::join(play::player_names(*context.registry.toolkit(*entry.make({}))), ", "));
}

}  // namespace

Json games_document(const play::Registry& registry) {
  Json list = Json::array();
  for (const auto& entry : registry.entries()) list.push_back(entry_json(entry, registry));
  return {{"games", std::move(list)}};
}

Action setup_games(CommandLine line, Context& context) {
  add_json_option(line, context);
  return [&context] {
    if (context.json) {
      print_json("games", games_document(context.registry));
      return kDone;
    }
    const Look look = detect_look(false);
    for (const auto& entry : context.registry.entries()) print_entry(entry, context, look);
    print_output("{}\n", with_program_name(tr("`{program} help NAME` gives a game's rules, "
                                              "`{program} help players` the players.")));
    return kDone;
  };
}

}  // namespace damier::app
