// `damier help`: a command's help, a game's rules, the players.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/base/text/language.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/play/players/players.h"

namespace damier::app {

namespace {

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

void print_game(const games::GameEntry& entry) {
  print_output("{} ({})\n\n{}\n", tr(entry.facts.title), entry.facts.name,
               fitting(tr(entry.facts.rules)));
  if (entry.options.empty()) return;
  print_output("\n{}\n", tr("Rule options (--rules name=value,…):"));
  for (const auto& option : entry.options) {
    print_output("  {:<8} {}\n", option.name,
                 tr_format("{} (default {}; {})", tr(option.help), option.default_value,
                           tr(option.expected)));
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

}  // namespace

Action setup_help(CommandLine line, Context& context) {
  auto topic = std::make_shared<std::string>();
  line.add_option("TOPIC", *topic, "a command, a game, or 'players'");
  return [topic, &context] { return run_help(*topic, context); };
}

}  // namespace damier::app
