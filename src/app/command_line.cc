#include "damier/app/command_line.h"

#include <algorithm>
#include <cctype>
#include <concepts>
#include <limits>
#include <memory>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "damier/app/context.h"
#include "damier/base/text/language.h"
#include "damier/base/text/names.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"

namespace damier::app {

namespace {

std::string help_text(const Text& text) { return with_program_name(text.shown()); }

// CLI11's own words, and the names of values, in the language that is set.
class HelpFormat final : public CLI::Formatter {
 public:
  HelpFormat() {
    for (const char* word : {"Usage", "Positionals", "OPTIONS", "SUBCOMMAND", "REQUIRED"}) {
      label(word, tr(word));
    }
  }

  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    return Formatter::make_group(is_positional ? group : tr(group), is_positional,
                                 std::move(options));
  }
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    const std::string name = Formatter::make_option_name(option, is_positional);
    return is_positional ? tr(name) : name;
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string text = Formatter::make_option_opts(option), type = option->get_type_name();
    const bool has_type = !type.empty() && text.starts_with(" " + type);
    // A list of words to choose from stays as it is to be typed.
    const bool is_name =
        std::ranges::none_of(type, [](unsigned char c) { return std::islower(c) != 0; });
    return has_type && is_name ? " " + tr(type) + text.substr(1 + type.size()) : text;
  }
  // CLI11 counts bytes where characters have their columns.
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    const std::string name = make_option_name(option, is_positional) + make_option_opts(option);
    const auto inner_bytes = static_cast<std::size_t>(std::ranges::count_if(
        name, [](char c) { return (static_cast<unsigned char>(c) >> 6) == 2; }));
    constexpr std::size_t kIndent = 2;
    const bool fits = name.size() - inner_bytes + kIndent < column_width_;
    std::ostringstream out;
    CLI::detail::format_help(out, name, make_option_desc(option),
                             column_width_ + (fits ? inner_bytes : 0));
    return out.str();
  }
};

}  // namespace

Argument Argument::type_name(const char* name) const {
  option_->type_name(name);
  return *this;
}

Argument Argument::required() const {
  option_->required();
  return *this;
}

Argument Argument::one_of(const std::vector<std::string>& words) const {
  option_->type_name(join(words, "|"))->check([words](const std::string& word) {
    const bool known = std::ranges::find(words, word) != words.end();
    return known ? "" : unknown_name("value", word, words).message;
  });
  return *this;
}

Argument Argument::count(int least, int most) const {
  option_->expected(least, most);
  return *this;
}

Argument Argument::one_at_a_time() const {
  option_->allow_extra_args(false);
  return *this;
}

Argument Argument::hidden() const {
  option_->group("");
  return *this;
}

template <class T>
Argument CommandLine::add_option(const char* name, T& value, const Text& help) const {
  return Argument(app_->add_option(name, value, help_text(help)));
}

// CLI11 takes an empty text for none; to us it is one that was given.
template <>
Argument CommandLine::add_option(const char* name, std::optional<std::string>& value,
                                 const Text& help) const {
  return Argument(app_->add_option_function<std::string>(
      name, [&value](const std::string& text) { value = text; }, help_text(help)));
}

template Argument CommandLine::add_option(const char*, std::string&, const Text&) const;
template Argument CommandLine::add_option(const char*, std::vector<std::string>&,
                                          const Text&) const;

namespace {

std::string number_text(std::uint64_t number) {
  return number == std::numeric_limits<std::uint64_t>::max() ? "2^64-1" : fmt::to_string(number);
}
std::string number_text(std::int64_t number) { return fmt::to_string(number); }
std::string number_text(int number) { return fmt::to_string(number); }
std::string number_text(double number) { return fmt::to_string(number); }

}  // namespace

template <class Value>
Argument CommandLine::add_number(const char* name, Value& value, typename NumberIn<Value>::Type low,
                                 typename NumberIn<Value>::Type high, const Text& help) const {
  using Number = typename NumberIn<Value>::Type;
  const std::string range = fmt::format("from {} to {}", number_text(low), number_text(high));
  const std::string shown = tr_format("from {} to {}", number_text(low), number_text(high));
  const auto read = [&value, name = std::string(name), low, high, range](const std::string& text) {
    const auto number = parse_number<Number>(text);
    // A number that is none (nan) is not between anything.
    if (!number || !(*number >= low && *number <= high)) {
      throw CLI::ValidationError(fmt::format("{} is {}; expected a {} {}", name, in_quotes(text),
                                             std::integral<Number> ? "whole number" : "number",
                                             range));
    }
    value = *number;
  };
  CLI::Option* option = app_->add_option_function<std::string>(
      name, read, tr_format("{}; {}", help_text(help), shown));
  return Argument(option->type_name("N"));
}

template Argument CommandLine::add_number(const char*, int&, int, int, const Text&) const;
template Argument CommandLine::add_number(const char*, std::int64_t&, std::int64_t, std::int64_t,
                                          const Text&) const;
template Argument CommandLine::add_number(const char*, std::uint64_t&, std::uint64_t, std::uint64_t,
                                          const Text&) const;
template Argument CommandLine::add_number(const char*, double&, double, double, const Text&) const;
template Argument CommandLine::add_number(const char*, std::optional<int>&, int, int,
                                          const Text&) const;
template Argument CommandLine::add_number(const char*, std::optional<std::uint64_t>&, std::uint64_t,
                                          std::uint64_t, const Text&) const;
template Argument CommandLine::add_number(const char*, std::optional<double>&, double, double,
                                          const Text&) const;

void CommandLine::add_flag(const char* name, bool& value, const Text& help) const {
  app_->add_flag(name, value, help_text(help))->disable_flag_override();
}

void CommandLine::add_notes(const std::string& text) const {
  app_->footer("\n" + with_program_name(text) + app_->get_footer());
}

std::string CommandLine::help() const { return app_->help(program_name()); }

std::vector<std::string> CommandLine::option_names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool CommandLine::was_given(const std::string& option) const {
  const CLI::Option* found = app_->get_option_no_throw(option);
  return found != nullptr && found->count() > 0;
}

std::vector<ArgumentShape> CommandLine::arguments() const {
  std::vector<ArgumentShape> arguments;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    ArgumentShape shape;
    for (const std::string& name : option->get_snames()) shape.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) shape.names.push_back("--" + name);
    shape.kind = shape.names.empty() ? option->get_name(true) : option->get_type_name();
    shape.help = option->get_description();
    shape.takes_value = option->get_items_expected_max() > 0;
    shape.is_list = option->get_items_expected_max() > 1;
    arguments.push_back(std::move(shape));
  }
  return arguments;
}

void set_help_format(CLI::App& root) { root.formatter(std::make_shared<HelpFormat>()); }

CommandLine command_line(CLI::App& root, const std::string& command) {
  return CommandLine(*root.get_subcommand(command));
}

// --- what CLI11 could not read, in lines of ours ---
//
// CLI11's own texts never reach a person. Its errors are texts that name an option, so the option
// is found again by its name and asked what it wants.

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
  return unknown_name("command", word, listed_names(commands(), &Command::name));
}

// The first word that nobody took, if there is one. Shared options before the command stay there
// only with another option, which is to blame.
std::optional<Error> left_over(CLI::App& root) {
  const auto before = root.remaining(false), all = root.remaining(true);
  if (all.empty()) return std::nullopt;
  const auto word = std::ranges::find_if(all, [](const std::string& left) {
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
