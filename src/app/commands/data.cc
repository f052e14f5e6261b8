// `damier data`: what is in a data set, checked row by row; several made one.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/base/files/atomic_file.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/learn/rows/data_report.h"
#include "damier/learn/rows/join.h"

namespace damier::app {

namespace {

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
  if (context.json) {
    print_json("data", {{"data", *arguments.output}, {"rows", rows}, {"info", info}});
    return kDone;
  }
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
  line.add_option("-o,--output", arguments->output,
                  "write the rows of all FILEs, data sets of one kind, as one data set")
      .type_name("OUT");
  line.add_option("--csv", arguments->csv, "write all rows as text, too").type_name("OUT");
  add_json_option(line, context);
  return [arguments, &context] { return run_data(*arguments, context); };
}

}  // namespace damier::app
