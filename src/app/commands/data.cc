// `damier generate` and `data`: a data set of a game, and what is in one, checked row by row;
// several made one.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/base/files/atomic_file.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/language.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/learn/rows/data_report.h"
#include "damier/learn/rows/join.h"
#include "damier/learn/task.h"

namespace damier::app {

namespace {

// --- generate ---

// Options that many tasks declare have a flag of their own; it is short for --set NAME=VALUE.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kFlags = {{
    {"teacher", "who labels: exact, or a player, as minimax:4 or net:MODEL"},
    {"states", "which positions"},
    {"target", "which moves are taught"},
    {"encoder", "what the network sees"},
    {"balance", "how the positions are drawn"},
    {"from", "a file of games or positions to read, instead of playing"},
    {"engine", "another engine that labels, as stockfish"},
}};

// What is not given is as the task has it.
struct GenerateArguments {
  std::string task;
  std::string output;
  std::array<std::optional<std::string>, kFlags.size()> flags;
  std::optional<std::string> split;
  std::optional<std::uint64_t> count;
  std::optional<double> validation, test;
  std::vector<std::string> settings;
};

std::string plain_text(const Json& value) {
  return value.is_string() ? value.text() : dump_line(value);
}

bool has_flag(std::string_view option) {
  return std::ranges::any_of(kFlags, [&](const auto& flag) { return flag.first == option; });
}

// What gives the same file again.
std::string command_text(const learn::Task& task, const learn::GenerateOptions& o,
                         const std::string& output) {
  std::string text = fmt::format("generate {}", task.name());
  const Json all = to_json(task, o);
  for (const learn::TaskOption& option : task.options()) {
    const std::string& name = option.name_in_files();
    const Json& value = all[name];
    if (value == "") continue;
    if (has_flag(option.name)) {
      text += fmt::format(" --{} {}", name, plain_text(value));
    } else if (!(value == option.default_value)) {
      text += fmt::format(" --set {}={}", name, plain_text(value));
    }
  }
  if (o.count > 0) text += fmt::format(" --count {}", o.count);
  text += fmt::format(" --split {}", o.split);
  if (o.split != "none") text += fmt::format(" --validation {} --test {}", o.validation, o.test);
  return kept_command(text + fmt::format(" --seed {} -o {}", value_of(o.seed), output));
}

// Options of the task, "name=value" each. A value is a text where the option is one.
Result<Json> read_settings(const learn::Task& task, const std::vector<std::string>& settings) {
  Json more = Json::object();
  const std::vector<learn::TaskOption> options = task.options();
  for (const std::string& setting : settings) {
    const auto wrong = [&](std::string_view message) {
      return Error{fmt::format("--set {}: {}", in_quotes(setting), message)};
    };
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) return wrong("expected name=value");
    const std::string name = setting.substr(0, equals), text = setting.substr(equals + 1);
    const bool is_text = task.option({}, name).is_string();
    auto value = parse_json(text, "--set");
    more[name] = is_text || !value ? Json(text) : *std::move(value);
    if (auto status = task.check_more(more); !status) return wrong(status.error().message);
  }
  return more;
}

Result<learn::GenerateOptions> options_of(const learn::Task& task,
                                          const GenerateArguments& arguments) {
  learn::GenerateOptions options = task.defaults();
  const auto take = [](const auto& from, auto& to) {
    if (from) to = *from;
  };
  take(arguments.count, options.count);
  take(arguments.split, options.split);
  take(arguments.validation, options.validation);
  take(arguments.test, options.test);
  options.more = TRY(read_settings(task, arguments.settings));
  for (std::size_t i = 0; i < kFlags.size(); ++i) {
    if (arguments.flags[i]) options.more[kFlags[i].first] = *arguments.flags[i];
  }
  return options;
}

std::string values_text(const learn::TaskOption& option) {
  if (!option.choices.empty()) return fmt::format(" ({})", join(option.choices, ", "));
  if (!std::isfinite(option.low)) return "";
  return fmt::format(" ({})", tr_format("{} to {}", option.low, option.high));
}

// What each task declares, with what it is by default.
std::string tasks_text(const learn::Tasks& tasks) {
  std::string text = tr("Tasks and their options (--set NAME=VALUE; = is the default):") + "\n";
  for (const auto& task : tasks.all()) {
    const auto defaults = task->defaults();
    text += fmt::format("  {}: --split {} --validation {} --test {}", task->name(), defaults.split,
                        defaults.validation, defaults.test);
    text += defaults.count > 0 ? fmt::format(" --count {}\n", defaults.count) : "\n";
    for (const learn::TaskOption& option : task->options()) {
      text += fmt::format("    {}={}  {}{}\n", option.name, plain_text(option.default_value),
                          option.help.shown(), values_text(option));
    }
  }
  return text;
}

Result<int> run_generate(const GenerateArguments& arguments, const Context& context) {
  const auto found = TRY(context.registry.tasks().find(arguments.task));
  const learn::Task& task = *found;
  learn::GenerateOptions options = TRY(options_of(task, arguments));
  options.seed = context.seed();
  TRY(task.check(options));
  print_message("seed {}\n", value_of(options.seed));
  ThreadPool pool(context.thread_count());
  const Stopwatch watch;
  const auto info =
      learn::generate_file(task, options, pool, arguments.output,
                           command_text(task, options, arguments.output), *context.ranks);
  if (!info && interrupted()) {
    print_notice("{}; nothing was written", interruption_text(context));
    return kInterrupted;
  }
  if (!info) return info.error();
  const double seconds = watch.seconds();
  const Json& rows = (*info)["rows"];
  if (context.json)
    return print_json("generate", {{"data", arguments.output},
                                   {"task", task.name()},
                                   {"game", task.game()},
                                   {"rows", rows},
                                   {"checksum", (*info)["checksum"]},
                                   {"seed", value_of(options.seed)},
                                   {"seconds", seconds}});
  std::array<std::uint64_t, learn::kSplits> counts = {};
  for (std::size_t i = 0; i < learn::kSplits; ++i) {
    counts[i] = rows[name_of(static_cast<learn::Split>(i))].get<std::uint64_t>();
  }
  print_about_file(arguments.output,
                   fmt::format("{}: {} training, {} validation, {} test; {:.2f} s",
                               counted(counts[0] + counts[1] + counts[2], "row"), counts[0],
                               counts[1], counts[2], seconds));
  return kDone;
}

// --- data ---

struct DataArguments {
  std::vector<std::string> files;
  std::optional<std::string> output;
  std::optional<std::string> csv;
  std::optional<std::string> format;
};

void print_summary(const learn::DataSet& data, const learn::DataSummary& summary) {
  print_output("{}: {}, checksum {}\n\n", data.source(), counted(data.row_count(), "row"),
               printable(data.checksum()));
  for (const auto& [key, value] : data.info().items()) {
    if (key == "rows" || key == "checksum" || (value.is_object() && value.empty())) continue;
    const std::string text = value.is_string() ? value.get<std::string>() : dump_line(value);
    print_output("  {:<15}  {}\n", printable(key), printable(text));
  }
  print_output("\n{:<12} {:>10} {:>10}\n", "split", "rows", "groups");
  for (std::size_t i = 0; i < learn::kSplits; ++i) {
    print_output("{:<12} {:>10} {:>10}\n", name_of(static_cast<learn::Split>(i)), summary.rows[i],
                 summary.groups[i]);
  }
  print_output("no group is in two splits\n\n{:<12} {:<5} {:>6} {:>12} {:>12} {:>12}\n", "column",
               "type", "width", "mean", "lowest", "highest");
  for (const auto& column : summary.columns) {
    print_output("{:<12} {:<5} {:>6} {:>12.5g} {:>12.5g} {:>12.5g}\n",
                 printable(column.column.name), nn::name_of(column.column.dtype),
                 column.column.width, column.mean, column.lowest, column.highest);
  }
  for (const auto& column : summary.columns) {
    if (column.values.empty()) continue;
    print_output("\n{:<12} {:>10} {:>10} {:>10}\n", printable(column.column.name), "training",
                 "validation", "test");
    for (const auto& [value, counts] : column.values) {
      print_output("{:<12g} {:>10} {:>10} {:>10}\n", value, counts[0], counts[1], counts[2]);
    }
  }
}

// The formats that games of this program have for files of their own.
std::vector<std::string> formats_of(const Context& context) {
  std::vector<std::string> formats;
  for (const auto& game : context.games.all()) {
    if (!game->data_format().empty()) formats.emplace_back(game->data_format());
  }
  return formats;
}

// What `joined` says of itself once all parts are in it.
Result<Json> join_files(const std::vector<std::string>& files, const std::string& joined) {
  std::vector<learn::DataSet> parts;
  for (const std::string& file : files) {
    auto part = TRY(learn::DataSet::open(file));
    TRY(learn::check_data_set(part));
    parts.push_back(std::move(part));
  }
  return learn::join_data_sets(parts, joined);
}

Result<int> run_join(const DataArguments& arguments, const Context& context) {
  if (arguments.format || arguments.csv) {
    return Error{"-o: joins data sets; expected neither --format nor --csv with it"};
  }
  const auto info = TRY(join_files(arguments.files, *arguments.output));
  const Json& rows = info["rows"];
  if (context.json)
    return print_json("data", {{"data", *arguments.output}, {"rows", rows}, {"info", info}});
  print_output("{}: {} parts, {} training, {} validation, {} test\n", *arguments.output,
               arguments.files.size(), rows["training"].get<std::uint64_t>(),
               rows["validation"].get<std::uint64_t>(), rows["test"].get<std::uint64_t>());
  return kDone;
}

Result<int> run_data(const DataArguments& arguments, const Context& context) {
  if (arguments.output) return run_join(arguments, context);
  if (arguments.files.size() > 1) {
    return Error{
        "several files; expected one, or -o with the name of the file that is to "
        "hold the rows of all of them"};
  }
  const std::string& given = arguments.files.front();
  if (arguments.format && arguments.csv) {
    return Error{"--csv: is for data sets; expected no --format with it"};
  }
  if (arguments.csv) TRY(check_output(*arguments.csv));
  for (const auto& game : context.games.all()) {
    if (arguments.csv) break;  // of data sets alone
    const auto code = game->data({given, arguments.format, context.json});
    if (code) return *code;
  }
  const auto data = TRY(learn::DataSet::open(given));
  TRY(learn::check_data_set(data));
  if (arguments.csv) {
    // Rows of a task that is not of this program are plain numbers.
    const auto task = context.registry.tasks().find(text_in(data.info(), "task"));
    TRY(task ? (*task)->write_text(data, *arguments.csv) : learn::write_csv(data, *arguments.csv));
  }
  const auto summary = TRY(learn::summarize(data));
  if (!context.json) {
    print_summary(data, summary);
    return kDone;
  }
  Json json = {{"data", given}, {"checksum", data.checksum()}};
  json.update(to_json(summary));
  json["info"] = data.info();
  print_json("data", json);
  return kDone;
}

}  // namespace

Action setup_generate(CommandLine line, Context& context) {
  auto arguments = std::make_shared<GenerateArguments>();
  auto& options = *arguments;
  line.add_option("TASK", options.task, "what to learn: a game, as fanorona, or a part of it")
      .required();
  line.add_option("-o,--output", options.output, "FILE", "the data set to write").required();
  for (std::size_t i = 0; i < kFlags.size(); ++i) {
    line.add_option(fmt::format("--{}", kFlags[i].first).c_str(), options.flags[i], "WORD",
                    Text::of("{}; see below", Text(kFlags[i].second)));
  }
  line.add_option("--oracle", options.flags[0], "").hidden();
  line.add_number("--count", options.count, 1, 1'000'000'000, "number of rows, drawn at random");
  line.add_option(
      "--split", options.split, "HOW",
      "class: mirror images stay together; game: the positions of a game do; none: all is "
      "for training");
  line.add_number("--validation", options.validation, 0, 0.9, "share of the classes or games")
      .type_name("SHARE");
  line.add_number("--test", options.test, 0, 0.9, "share of the classes or games")
      .type_name("SHARE");
  line.add_option("--set", options.settings, "NAME=VALUE",
                  "an option of the task, see below; may be repeated")
      .one_at_a_time();
  line.add_notes(tasks_text(context.registry.tasks()));
  add_shared_options(line, context, {"--seed", "--threads", "--json"});
  return [arguments, &context] { return run_generate(*arguments, context); };
}

Action setup_data(CommandLine line, Context& context) {
  auto arguments = std::make_shared<DataArguments>();
  const auto formats = formats_of(context);
  line.add_option("FILE", arguments->files,
                  formats.empty() ? Text("a data set, as `{program} generate` writes it")
                                  : Text::of("a data set, as `{program} generate` writes it, or "
                                             "games as {}",
                                             join(formats, ", ")))
      .required();
  if (!formats.empty()) {
    line.add_option("--format", arguments->format,
                    "the format of FILE if its name does not show it; FILE may then be - for "
                    "standard input")
        .one_of(formats);
  }
  line.add_option("-o,--output", arguments->output, "OUT",
                  "write the rows of all FILEs, data sets of one kind, as one data set");
  line.add_option("--csv", arguments->csv, "OUT", "write all rows as text, too");
  add_shared_options(line, context, {"--json"});
  return [arguments, &context] { return run_data(*arguments, context); };
}

}  // namespace damier::app
