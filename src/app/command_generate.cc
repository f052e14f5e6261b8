// `damier generate`: a data set of a game.

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "damier/app/commands.h"
#include "damier/base/interrupt.h"
#include "damier/base/text.h"
#include "damier/learn/task.h"

namespace damier::app {

namespace {

// What is not given is as the task has it.
struct Arguments {
  std::string task;
  std::string output;
  std::optional<std::string> oracle, states, target, encoder, balance, split;
  std::optional<std::uint64_t> count;
  std::optional<double> validation, test;
  std::vector<std::string> settings;
};

// What gives the same file again.
std::string command_text(const learn::Task& task, const learn::GenerateOptions& o,
                         const std::string& output) {
  std::string text =
      fmt::format("damier generate {} --oracle {} --states {}", task.name(), o.oracle, o.states);
  if (o.count > 0) text += fmt::format(" --count {}", o.count);
  if (o.balance != "none") text += fmt::format(" --balance {}", o.balance);
  text += fmt::format(" --target {} --encoder {} --split {}", o.target, o.encoder, o.split);
  if (o.split != "none") text += fmt::format(" --validation {} --test {}", o.validation, o.test);
  for (const auto& [name, value] : o.more.items()) {
    text += fmt::format(" --set {}={}", name,
                        value.is_string() ? value.get<std::string>() : dump_line(value));
  }
  return text + fmt::format(" --seed {} -o {}", value_of(o.seed), output);
}

// The task's own options, "name=value" each. A value is a text where the option is one.
Result<Json> read_settings(const learn::Task& task, const std::vector<std::string>& settings) {
  Json more = Json::object();
  std::vector<std::string> names;
  for (const learn::TaskOption& option : task.options()) names.push_back(option.name);
  for (const std::string& setting : settings) {
    const auto wrong = [&](std::string_view message) {
      return Error{fmt::format("--set {}: {}", in_quotes(setting), message)};
    };
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) return wrong("expected name=value");
    const std::string name = setting.substr(0, equals), text = setting.substr(equals + 1);
    if (names.empty()) return wrong(fmt::format("{} has no options of its own", task.name()));
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return wrong(unknown_name("option", name, names).message);
    }
    auto value = parse_json(text, "--set");
    const bool is_text = learn::task_option(task, {}, name).is_string();
    more[name] = is_text || !value ? Json(text) : *std::move(value);
    if (auto status = learn::check_task_options(task, more); !status) {
      return wrong(status.error().message);
    }
  }
  return more;
}

Result<learn::GenerateOptions> options_of(const learn::Task& task, const Arguments& arguments) {
  learn::GenerateOptions options = task.defaults();
  const auto take = [](const auto& from, auto& to) {
    if (from) to = *from;
  };
  take(arguments.oracle, options.oracle);
  take(arguments.states, options.states);
  take(arguments.count, options.count);
  take(arguments.target, options.target);
  take(arguments.encoder, options.encoder);
  take(arguments.balance, options.balance);
  take(arguments.split, options.split);
  take(arguments.validation, options.validation);
  take(arguments.test, options.test);
  auto more = read_settings(task, arguments.settings);
  if (!more) return std::move(more).error();
  options.more = *std::move(more);
  return options;
}

// One line for each task: what it is made by, and the options that it alone has.
std::string tasks_text() {
  std::string text = "Data sets, and the options that only one of them has (--set):\n";
  for (const learn::Task* task : learn::tasks()) {
    const auto defaults = task->defaults();
    text += fmt::format("  {}: by default --states {} --encoder {} (of {})\n", task->name(),
                        defaults.states, defaults.encoder, join(task->encoders(), ", "));
    for (const learn::TaskOption& option : task->options()) {
      text += fmt::format("    {}={}  {}\n", option.name,
                          option.otherwise.is_string() ? option.otherwise.get<std::string>()
                                                       : dump_line(option.otherwise),
                          option.help);
    }
  }
  return text;
}

int run_generate(const Arguments& arguments, const Context& context) {
  const auto found = learn::find_task(arguments.task);
  if (!found) {
    // A game that exists is answered otherwise than a slip of the keyboard.
    if (!context.registry.find(arguments.task)) return report(found.error());
    std::vector<std::string> names;
    for (const learn::Task* known : learn::tasks()) names.emplace_back(known->name());
    return report(Error{fmt::format("no data set can be made of {} yet (known: {})", arguments.task,
                                    join(names, ", "))});
  }
  const learn::Task& task = **found;
  auto read = options_of(task, arguments);
  if (!read) return report(read.error());
  learn::GenerateOptions options = *std::move(read);
  options.seed = context.seed_option ? Seed{*context.seed_option} : fresh_seed();
  if (auto status = task.check(options); !status) return report(status.error());
  fmt::print(stderr, "seed {}\n", value_of(options.seed));
  ThreadPool pool(context.thread_count());
  const auto begin = std::chrono::steady_clock::now();
  const auto status = learn::generate_file(task, options, pool, arguments.output,
                                           command_text(task, options, arguments.output));
  if (interrupted()) {
    fmt::print(stderr, "damier: interrupted; nothing was written\n");
    return kInterrupted;
  }
  if (!status) return report(status.error());
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto data = learn::DataSet::open(arguments.output);
  if (!data) return report(data.error());
  Json rows = Json::object();
  for (std::size_t i = 0; i < learn::kSplits; ++i) {
    const auto split = static_cast<learn::Split>(i);
    rows[std::string(name_of(split))] = data->rows(split).count;
  }
  if (context.json) {
    print_json("generate", {{"data", arguments.output},
                            {"task", task.name()},
                            {"game", task.game()},
                            {"rows", rows},
                            {"checksum", data->checksum()},
                            {"seed", value_of(options.seed)},
                            {"seconds", seconds}});
    return kDone;
  }
  fmt::print("{}: {} rows: {} training, {} validation, {} test; {:.2f} s\n", arguments.output,
             data->row_count(), data->rows(learn::Split::training).count,
             data->rows(learn::Split::validation).count, data->rows(learn::Split::test).count,
             seconds);
  return kDone;
}

}  // namespace

std::function<int()> setup_generate(CommandLine line, Context& context) {
  auto arguments = std::make_shared<Arguments>();
  auto& options = *arguments;
  line.add_option("TASK", options.task, "what to learn: the game, as fanorona, or a part of it")
      .required();
  line.add_option("-o,--output", options.output, "the data set to write")
      .type_name("FILE")
      .required();
  line.add_option("--oracle", options.oracle,
                  "who labels: exact (the default), or minimax:DEPTH, a search of so many plies")
      .type_name("ORACLE");
  line.add_option("--states", options.states,
                  "which positions: fanorona all, or reachable from the start; minesweeper those "
                  "met in play, or net:MODEL, in a network's play")
      .type_name("WHICH");
  line.add_option("--count", options.count, "so many of them, drawn at random").type_name("N");
  line.add_option(
          "--balance", options.balance,
          "draw evenly by phase, by class (win, draw, loss), by both, or none (the default)")
      .type_name("HOW");
  line.add_option("--target", options.target,
                  "fanorona: all-best, every best move, or one, the oracle's one move")
      .type_name("TARGET");
  line.add_option("--encoder", options.encoder, "the network's input, see below").type_name("NAME");
  line.add_option(
          "--split", options.split,
          "class: mirror images stay together; game: the positions of a game do; none: all is "
          "for training")
      .type_name("HOW");
  line.add_option("--validation", options.validation, "its share of the classes or games")
      .type_name("SHARE");
  line.add_option("--test", options.test, "its share of the classes or games").type_name("SHARE");
  line.add_option("--set", options.settings,
                  "an option that only this task has, see below; may be repeated")
      .type_name("NAME=VALUE")
      .one_at_a_time();
  line.add_notes(tasks_text());
  add_seed_option(line, context);
  add_threads_option(line, context);
  add_json_option(line, context);
  return [arguments, &context] { return run_generate(*arguments, context); };
}

}  // namespace damier::app
