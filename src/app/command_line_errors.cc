// What CLI11 could not read, in lines of ours: CLI11's own texts never reach a person. Its errors
// are texts that name an option, so the option is found again by its name and asked what it wants.

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "damier/app/context.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"

namespace damier::app {

namespace {

// The command that was chosen, or the program itself.
CLI::App& chosen_command(CLI::App& root) {
  const auto chosen = root.get_subcommands();
  return chosen.empty() ? root : *chosen.front();
}

std::vector<CLI::App*> all_commands(CLI::App& root) { return root.get_subcommands({}); }

std::string option_part(const std::string& word) { return word.substr(0, word.find('=')); }

bool looks_like_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

// An option before the command, which is chosen or is not.
std::optional<Error> misplaced_option(CLI::App& root, const std::string& name) {
  CLI::App& at = chosen_command(root);
  if (&at != &root) {
    if (at.get_option_no_throw(name) == nullptr) return std::nullopt;
    return Error{fmt::format("{} is an option of '{}'; expected it after that word",
                             in_quotes(name), at.get_name())};
  }
  std::vector<std::string> commands;
  for (const CLI::App* command : all_commands(root)) {
    if (command->get_option_no_throw(name) != nullptr) commands.push_back(command->get_name());
  }
  if (commands.empty()) return std::nullopt;
  return Error{fmt::format("{} goes with a command: {}", in_quotes(name), join(commands, ", "))};
}

Error unknown_word(CLI::App& root, const std::string& word, bool before_command) {
  CLI::App& at = chosen_command(root);
  if (looks_like_option(word)) {
    const std::string name = option_part(word);
    if (before_command) {
      if (const auto misplaced = misplaced_option(root, name)) return *misplaced;
    }
    return unknown_name("option", name, CommandLine(at).option_names());
  }
  if (&at != &root) {
    return Error{fmt::format("unexpected argument {} after '{}'", in_quotes(word), at.get_name())};
  }
  std::vector<std::string> names;
  for (const CLI::App* command : all_commands(root)) names.push_back(command->get_name());
  return unknown_name("command", word, names);
}

// The first word that nobody took, if there is one. Shared options before the command stay there
// only with another option, which is to blame.
std::optional<Error> left_over(CLI::App& root) {
  const auto before = root.remaining(false), all = root.remaining(true);
  if (all.empty()) return std::nullopt;
  const auto word = std::find_if(all.begin(), all.end(), [](const std::string& left) {
    return looks_like_option(left) && shared_option(option_part(left)) == nullptr;
  });
  return unknown_word(root, word == all.end() ? all.front() : *word, !before.empty());
}

// The option that one of CLI11's texts is about: the first word of it that is a name, with its
// dashes or without.
const CLI::Option* named_option(const CLI::App& app, std::string_view text) {
  for (std::string_view word : split(text, ' ')) {
    if (word.ends_with(':')) word.remove_suffix(1);
    for (const CLI::Option* option : app.get_options()) {
      const std::string name = option->get_name();
      if (word == name || (name.starts_with("--") && word == name.substr(2))) return option;
    }
  }
  return nullptr;
}

std::string values_expected(int least, int most) {
  return most > least ? fmt::format("{} to {}", least, most) : fmt::to_string(least);
}

Error wrong_count(const CLI::Option& option) {
  const std::string name = option.get_name();
  const int least = option.get_items_expected_min(), most = option.get_items_expected_max();
  const auto given = static_cast<int>(option.count());
  if (most == 0) return Error{fmt::format("{} takes no value", name)};
  if (given == 0) return Error{fmt::format("{} needs a value: {}", name, option.get_type_name())};
  if (most == 1) return Error{fmt::format("{} is given {} times; expected once", name, given)};
  return Error{fmt::format("{} has {}; expected {}", name, counted(given, "value"),
                           values_expected(least, most))};
}

Error error_of(CLI::App& root, const CLI::ParseError& error) {
  const CLI::Option* option = named_option(chosen_command(root), error.what());
  const auto is = [&]<class Kind>(std::type_identity<Kind>) {
    return dynamic_cast<const Kind*>(&error) != nullptr;
  };
  // Its texts are ours: those of add_number() and one_of().
  if (is(std::type_identity<CLI::ValidationError>())) return Error{error.what()};
  if (is(std::type_identity<CLI::RequiredError>())) {
    // What is missing may be the word that was mistyped.
    if (const auto unknown = left_over(root)) return *unknown;
    if (option != nullptr) return Error{fmt::format("{} is required", option->get_name())};
  }
  if (is(std::type_identity<CLI::ArgumentMismatch>()) && option != nullptr) {
    return wrong_count(*option);
  }
  if (is(std::type_identity<CLI::ConversionError>()) && option != nullptr) {
    if (option->get_items_expected_max() == 0) return wrong_count(*option);
    return Error{fmt::format("{} is {}; expected {}", option->get_name(),
                             in_quotes(join(option->results(), " ")), option->get_type_name())};
  }
  if (const auto unknown = left_over(root)) return *unknown;
  return Error{option == nullptr
                   ? "the arguments do not go together"
                   : fmt::format("{} does not go with the other arguments", option->get_name())};
}

}  // namespace

Error command_line_error(CLI::App& root, const CLI::ParseError& parse_error) {
  Error error = error_of(root, parse_error);
  const CLI::App& at = chosen_command(root);
  if (&at == &root) return error;
  const bool names_command = dynamic_cast<const CLI::ExtrasError*>(&parse_error) != nullptr;
  if (!names_command) error.message = fmt::format("{}: {}", at.get_name(), error.message);
  error.message += fmt::format("; see `{} help {}`", program_name(), at.get_name());
  return error;
}

}  // namespace damier::app
