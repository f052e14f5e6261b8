// What every command shares: the games, the options that stand on all of them, and the ways to
// report a result or an error.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "damier/app/command_line.h"
#include "damier/app/game_commands.h"
#include "damier/base/json/json.h"
#include "damier/base/numbers/estimate.h"
#include "damier/base/numbers/random.h"
#include "damier/base/parallel/ranks.h"
#include "damier/learn/registry.h"
#include "damier/store/store.h"

namespace damier::bench {
struct Suite;
struct SuiteRequest;
}  // namespace damier::bench

namespace damier::app {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongInput = 2;
inline constexpr int kInterrupted = 130;
inline constexpr int kReaderLeft = 141;  // as a shell has it for programs that a pipe has killed

inline constexpr std::uint64_t kMaxSeed = ~std::uint64_t{0};

struct Context;

// How the program is told to run benchmarks, which only damier_bench (bench/main.cc) carries:
// measures, prints, and returns the exit code.
using BenchmarkRunner =
    std::function<int(const bench::Suite&, const bench::SuiteRequest&, const Context&)>;

struct Context {
  const learn::Registry& registry;
  const GameCommandsList& games;
  CLI::App* root = nullptr;
  std::string overview;          // the program's own help, as it is before a command is chosen
  char* const* words = nullptr;  // of the command line, the program's name first; null at the end
  BenchmarkRunner run_benchmarks = {};

  bool json = false;
  std::optional<std::string> language_option;  // "fr"; the language itself is base/language's
  std::optional<std::uint64_t> seed_option;
  int threads = 0;  // 0: all cores, or this process's part of them
  Ranks* ranks = &no_other_ranks();

  int thread_count() const;
  Seed seed() const;  // the one that was asked for, or a fresh one
};

// What a command does: its exit code, or what is wrong.
using Action = std::function<Result<int>()>;

// One word after `damier`.
struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view examples;  // one a line
  // Declares the command's arguments and returns what to do when it is called.
  Action (*setup)(CommandLine line, Context& context);
  bool shares_work = false;  // with other processes, under mpirun
};

std::span<const Command> commands();

// One line on standard error that begins with the program's name.
void write_notice(std::string_view text);
template <class... Args>
void print_notice(fmt::format_string<Args...> form, Args&&... args) {
  write_notice(fmt::vformat(form, fmt::make_format_args(args...)));
}

// One line on standard error; the exit code that goes with the error.
int report(const Error& error);
int report_interrupted();
// "interrupted", or which rank has died.
std::string interruption_text(const Context& context);
// One line for each row of the store that is left out.
void report_damaged(const DamagedRows& rows);

// One line about a file that was written. It goes to standard error when the file went to standard
// output (`-o /dev/stdout | …`).
void print_about_file(const std::string& file, std::string_view text);

// A figure a line.
void print_metrics(std::span<const Metric> metrics);

// One JSON document on standard output, with its schema first. Returns kDone.
int print_json(std::string_view name, const Json& body);

// --json, --lang, --seed and --threads, which every command that uses them declares alike. They may
// stand before the command too.
struct SharedOption {
  std::string_view name;
  bool has_value;
  void (*add)(CommandLine line, Context& context);
};
// By its name; null for any other word.
const SharedOption* shared_option(std::string_view name);
void add_shared_options(CommandLine line, Context& context,
                        std::initializer_list<std::string_view> names);

// The game of a run, under its rules.
Result<std::shared_ptr<const games::AnyGame>> game_of_run(const Context& context, const Run& run);

// The game and the rules that a command line asked for.
struct GameChoice {
  std::string game;
  std::optional<std::string> rules = {};  // --rules name=value,…
  std::optional<std::string> board = {};  // --board, a shortcut for the rule option of that name
  std::optional<std::string> preset = {};
};
void add_rules_options(CommandLine line, GameChoice& choice);
Result<std::shared_ptr<const games::AnyGame>> make_game(const Context& context,
                                                        const GameChoice& choice);

// MODEL: its file, its folder or the name of one that ships.
void add_model_argument(CommandLine line, std::string& model);

// A position, which every command takes as an argument without a name and as --position.
struct PositionChoice {
  std::optional<std::string> word = {};
  std::optional<std::string> option = {};

  bool is_given() const { return word || option; }
};
void add_position_arguments(CommandLine line, PositionChoice& position);
// At most one of the two.
Result<std::optional<std::string>> chosen_position(const PositionChoice& position);
// From a position, or from the beginning where none was given.
Result<std::unique_ptr<games::Session>> start_game(const games::AnyGame& game,
                                                   const PositionChoice& position, Seed seed);

}  // namespace damier::app
