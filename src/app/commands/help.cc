// `damier help`, `games` and `version`: a command's help, the games and their rules, the players,
// and which Damier this is.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/text/language.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/play/players/players.h"

namespace damier::app {

namespace {

// --- help ---

std::string only_in(const std::vector<std::string>& games) {
  return games.empty() ? "" : tr_format("{}: ", join(games, ", "));
}

void print_players(const Context& context) {
  print_output("{}\n\n", with_program_name(tr("Players are named the same way everywhere, as in "
                                              "`{program} play GAME --vs PLAYER`; options "
                                              "follow\nafter commas, as in uct:1000,c=0.5. Every "
                                              "player takes name=NAME, what tables call "
                                              "it:")));
  for (const auto& info : play::player_infos(context.registry)) {
    print_output("  {:<13} {}{}\n", info.form, only_in(info.games), tr(info.help));
    for (const auto& [option, games] : info.options) {
      const std::string_view form = option.form;
      print_output("    {:<11}   {}{}{}\n", form.substr(form.starts_with(':') ? 1 : 0),
                   only_in(games), tr(option.help),
                   option.values.empty() ? "" : fmt::format(" ({})", option.values.shown()));
    }
  }
  print_output("\n{}\n",
               with_program_name(tr(
                   "`{program} games` lists those of each game, `{program} strength` shows how "
                   "strong they are;\n`{program} match` plays two of them against each other.")));
}

std::string option_text(const auto& option) {
  return tr_format("{} (default {}; {})", tr(option.help), option.default_value,
                   tr(option.expected));
}

void print_game(const games::GameEntry& entry) {
  print_output("{} ({})\n\n{}\n", tr(entry.facts.title), entry.facts.name,
               fitting(tr(entry.facts.rules)));
  if (entry.options.empty()) return;
  print_output("\n{}\n", tr("Rule options (--rules name=value,…):"));
  for (const auto& option : entry.options) {
    print_output("  {:<8} {}\n", option.name, option_text(option));
  }
}

Result<int> run_help(const std::string& topic, const Context& context) {
  if (topic.empty()) {
    print_output("{}", context.overview);
    return kDone;
  }
  if (topic == "players") {
    print_players(context);
    return kDone;
  }
  std::vector<std::string> topics = {"players"};
  for (const Command& command : commands()) {
    if (command.name == topic) {
      print_output("{}", command_line(*context.root, topic).help());
      return kDone;
    }
    topics.emplace_back(command.name);
  }
  for (const auto& entry : context.registry.entries()) {
    if (entry.facts.name == topic) {
      print_game(entry);
      return kDone;
    }
    topics.emplace_back(entry.facts.name);
  }
  return unknown_name("help topic", topic, topics);
}

// --- games ---

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
    print_output("    --rules {}=…  {}\n", option.name, option_text(option));
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

Action setup_help(CommandLine line, Context& context) {
  auto topic = std::make_shared<std::string>();
  line.add_option("TOPIC", *topic, "a command, a game, or 'players'");
  return [topic, &context] { return run_help(*topic, context); };
}

Json games_document(const play::Registry& registry) {
  Json list = Json::array();
  for (const auto& entry : registry.entries()) list.push_back(entry_json(entry, registry));
  return {{"games", std::move(list)}};
}

Action setup_games(CommandLine line, Context& context) {
  add_shared_options(line, context, {"--json"});
  return [&context] {
    if (context.json) return print_json("games", games_document(context.registry));
    const Look look = detect_look(false);
    for (const auto& entry : context.registry.entries()) print_entry(entry, context, look);
    print_output("{}\n", with_program_name(tr("`{program} help NAME` gives a game's rules, "
                                              "`{program} help players` the players.")));
    return kDone;
  };
}

Action setup_version(CommandLine line, Context& context) {
  add_shared_options(line, context, {"--json"});
  return [&context] {
    if (context.json) {
      print_json("version", {{"version", version()}, {"compiler", build_compiler()}});
    } else {
      print_output("{}\n", version_text());
    }
    return kDone;
  };
}

}  // namespace damier::app
