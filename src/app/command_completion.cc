// `damier completion`: shell scripts, made from the commands as they are declared, so that they
// cannot be out of date.

#include <memory>

#include "bench/suite.h"
#include <fmt/format.h>

#include "damier/app/commands.h"
#include "damier/arena/players.h"
#include "damier/base/program_name.h"
#include "damier/base/standard_streams.h"
#include "damier/base/text.h"

namespace damier::app {

namespace {

struct CommandWords {
  std::string name;
  std::string summary;
  std::vector<std::string> options;  // --json, --seed, …
  std::vector<std::string> values;   // for its positional arguments
};

std::vector<CommandWords> collect(const Context& context) {
  std::vector<CommandWords> all;
  for (const Command& command : commands()) {
    CommandWords words{std::string(command.name), std::string(command.summary), {}, {}};
    const CommandLine line = command_line(*context.root, words.name);
    words.options = line.option_names();
    if (words.name == "help" || line.takes("GAME")) words.values = context.registry.names();
    if (words.name == "help") {
      words.values.emplace_back("players");
      for (const Command& other : commands()) words.values.emplace_back(other.name);
    }
    if (words.name == "completion") words.values = {"bash", "zsh", "fish"};
    if (words.name == "bench") {
      for (const auto& suite : bench::suites()) words.values.emplace_back(suite.name);
    }
    if (words.name == "play") {
      for (const auto& entry : context.registry.entries()) {
        for (const auto& preset : entry.presets) words.values.emplace_back(preset.name);
      }
    }
    all.push_back(std::move(words));
  }
  return all;
}

std::string names_of(const std::vector<CommandWords>& all) {
  std::vector<std::string> names;
  for (const auto& words : all) names.push_back(words.name);
  return join(names, " ");
}

std::string bash_script(const std::vector<CommandWords>& all, const std::string& players) {
  std::string cases;
  for (const auto& words : all) {
    cases += fmt::format("    {}) words=\"{} {}\" ;;\n", words.name, join(words.options, " "),
                         join(words.values, " "));
  }
  return fmt::format(R"(# bash completion: source <({program} completion bash)
_damier() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words
  case $previous in
    --vs) COMPREPLY=($(compgen -W "{players}" -- "$current")); return ;;
    --load) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{commands} --help --version" -- "$current"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}    *) words= ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -F _damier {name} {program}
)",
                     fmt::arg("program", program_name()), fmt::arg("name", short_program_name()),
                     fmt::arg("players", players), fmt::arg("commands", names_of(all)),
                     fmt::arg("cases", cases));
}

std::string zsh_script(const std::vector<CommandWords>& all, const std::string& players) {
  std::string list, cases;
  for (const auto& words : all) {
    list += fmt::format("    '{}:{}'\n", words.name, words.summary);
    cases += fmt::format("    {}) compadd -- {} {} ;;\n", words.name, join(words.options, " "),
                         join(words.values, " "));
  }
  return fmt::format(R"(#compdef {name}
# zsh completion: source <({program} completion zsh)
_damier() {{
  local -a commands
  commands=(
{list}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[CURRENT-1] in
    --vs) compadd -- {players}; return ;;
    --load) _files; return ;;
  esac
  case $words[2] in
{cases}  esac
}}
compdef _damier {name}
)",
                     fmt::arg("program", program_name()), fmt::arg("name", short_program_name()),
                     fmt::arg("players", players), fmt::arg("list", list),
                     fmt::arg("cases", cases));
}

std::string fish_script(const std::vector<CommandWords>& all, const std::string& players) {
  std::string out = fmt::format("# fish completion: {} completion fish | source\n", program_name());
  const std::string complete = "complete -c " + shell_word(short_program_name());
  out += complete + " -f\n";
  for (const auto& words : all) {
    out += fmt::format("{} -n __fish_use_subcommand -a {} -d '{}'\n", complete, words.name,
                       words.summary);
    const std::string condition = fmt::format("'__fish_seen_subcommand_from {}'", words.name);
    if (!words.values.empty()) {
      out += fmt::format("{} -n {} -a '{}'\n", complete, condition, join(words.values, " "));
    }
    for (const std::string& option : words.options) {
      const std::string_view extra = option == "--load" ? " -r -F"
                                     : option == "--vs" ? " -x -a '{}'"
                                                        : "";
      out += fmt::format("{} -n {} -l {}", complete, condition, option.substr(2));
      out += fmt::format(fmt::runtime(extra), players) + "\n";
    }
  }
  return out;
}

}  // namespace

std::function<int()> setup_completion(CommandLine line, Context& context) {
  auto shell = std::make_shared<std::string>();
  line.add_option("SHELL", *shell, "bash, zsh or fish").required();
  return [shell, &context] {
    const auto all = collect(context);
    const std::string players = join(arena::player_names(context.registry), " ");
    if (*shell == "bash") {
      print_output("{}", bash_script(all, players));
    } else if (*shell == "zsh") {
      print_output("{}", zsh_script(all, players));
    } else if (*shell == "fish") {
      print_output("{}", fish_script(all, players));
    } else {
      const std::vector<std::string> shells = {"bash", "zsh", "fish"};
      return report(unknown_name("shell", *shell, shells));
    }
    return kDone;
  };
}

}  // namespace damier::app
