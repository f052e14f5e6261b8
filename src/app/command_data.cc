// `damier data`: what is in a data set, checked row by row.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands.h"
#include "damier/base/atomic_file.h"
#include "damier/base/standard_streams.h"
#include "damier/base/text.h"
#include "damier/learn/data/data_report.h"

namespace damier::app {

namespace {

struct DataArguments {
  std::string file;
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

int run_data(const DataArguments& arguments, const Context& context) {
  if (arguments.format && arguments.csv) {
    return report(Error{"--csv: goes with data sets; expected no --format beside it"});
  }
  if (arguments.csv) {
    if (auto status = check_output(*arguments.csv); !status) return report(status.error());
  }
  for (const auto& game : context.games.all()) {
    if (arguments.csv) break;  // of data sets alone
    const auto code = game->data({arguments.file, arguments.format, context.json});
    if (code) return *code;
  }
  const auto data = learn::DataSet::open(arguments.file);
  if (!data) return report(data.error());
  if (auto status = learn::check_data_set(*data); !status) return report(status.error());
  if (arguments.csv) {
    // Rows of a task that is not of this program are plain numbers.
    const auto task = context.registry.tasks().find(text_in(data->info(), "task"));
    const auto status =
        task ? (*task)->write_text(*data, *arguments.csv) : learn::write_csv(*data, *arguments.csv);
    if (!status) return report(status.error());
  }
  const auto summary = learn::summarize(*data);
  if (!summary) return report(summary.error());
  if (!context.json) {
    print_summary(*data, *summary);
    return kDone;
  }
  Json json = {{"data", arguments.file}, {"checksum", data->checksum()}};
  json.update(to_json(*summary));
  json["info"] = data->info();
  print_json("data", json);
  return kDone;
}

}  // namespace

std::function<int()> setup_data(CommandLine line, Context& context) {
  auto arguments = std::make_shared<DataArguments>();
  const auto formats = formats_of(context);
  line.add_option("FILE", arguments->file,
                  "a data set, as `{program} generate` writes it" +
                      (formats.empty() ? "" : ", or games as " + join(formats, ", ")))
      .required();
  if (!formats.empty()) {
    line.add_option("--format", arguments->format,
                    "what FILE is, where its name does not tell; - is standard input then")
        .one_of(formats);
  }
  line.add_option("--csv", arguments->csv, "write all rows as text, too").type_name("OUT");
  add_json_option(line, context);
  return [arguments, &context] { return run_data(*arguments, context); };
}

}  // namespace damier::app
