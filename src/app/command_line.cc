#include "damier/app/command_line.h"

#include <algorithm>
#include <cctype>
#include <concepts>
#include <limits>
#include <memory>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "damier/base/text/language.h"
#include "damier/base/text/parse_number.h"
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
    const bool is_name = std::none_of(type.begin(), type.end(),
                                      [](unsigned char c) { return std::islower(c) != 0; });
    return has_type && is_name ? " " + tr(type) + text.substr(1 + type.size()) : text;
  }
  // CLI11 counts bytes where characters have their columns.
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    const std::string name = make_option_name(option, is_positional) + make_option_opts(option);
    const auto inner_bytes =
        static_cast<std::size_t>(std::count_if(name.begin(), name.end(), [](char c) {
          return (static_cast<unsigned char>(c) >> 6) == 2;
        }));
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
    const bool known = std::find(words.begin(), words.end(), word) != words.end();
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

}  // namespace damier::app
