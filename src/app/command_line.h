// How a command declares its arguments. CLI11 reads the command line, and only app.cc and
// command_line.cc know it, since its header costs seconds in every file that includes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "damier/base/result.h"
#include "damier/base/text/language.h"

namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI

namespace damier::app {

// What more there is to say of an argument.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}

  Argument type_name(const char* name) const;  // of its value, in the help
  Argument required() const;
  Argument one_of(const std::vector<std::string>& words) const;
  Argument count(int least, int most) const;  // of the values of a list
  Argument one_at_a_time() const;             // a list whose option is repeated for each value
  Argument hidden() const;                    // the help and completion leave it out

 private:
  CLI::Option* option_;
};

// An argument as it was declared.
struct ArgumentShape {
  std::vector<std::string> names;  // "-o", "--output"; none: it has its place by its order
  std::string kind;                // what the help calls its value: "FILE", "GAME", "en|fr"
  std::string help;
  bool takes_value = false;
  bool is_list = false;
};

// Of a number, or of one that may be missing.
template <class Value>
struct NumberIn {
  using Type = Value;
};
template <class Number>
struct NumberIn<std::optional<Number>> {
  using Type = Number;
};

// The command line of one command. {program} in the texts of the help stands for what the user
// typed to start this one.
class CommandLine {
 public:
  explicit CommandLine(CLI::App& app) : app_(&app) {}

  // "--name", "-n,--name" or, in the order of their declaration, "NAME" for one without a name.
  // T: std::string, an optional one, std::vector<std::string>.
  template <class T>
  Argument add_option(const char* name, T& value, const Text& help) const;
  // `type` is what the help calls its value.
  template <class T>
  Argument add_option(const char* name, T& value, const char* type, const Text& help) const {
    return add_option(name, value, help).type_name(type);
  }
  // A number from `low` to `high`; the help tells the range, and anything else is refused with it.
  // Value: int, std::int64_t, std::uint64_t, double, or an optional one of these.
  template <class Value>
  Argument add_number(const char* name, Value& value, typename NumberIn<Value>::Type low,
                      typename NumberIn<Value>::Type high, const Text& help) const;
  void add_flag(const char* name, bool& value, const Text& help) const;
  // Stands above the examples, as it is but for {program}.
  void add_notes(const std::string& text) const;

  std::string help() const;
  std::vector<std::string> option_names() const;  // --json, --seed, …
  std::vector<ArgumentShape> arguments() const;
  bool was_given(const std::string& option) const;

 private:
  CLI::App* app_;
};

// How the program's help is laid out, for its commands too.
void set_help_format(CLI::App& root);

// One of the program's commands.
CommandLine command_line(CLI::App& root, const std::string& command);

// What was wrong with the words of a command line, in one line.
Error command_line_error(CLI::App& root, const CLI::ParseError& parse_error);

}  // namespace damier::app
