// `damier report`: a page of a stored run, of several trainings, a data set or a model.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/base/files/atomic_file.h"
#include "damier/base/files/files.h"
#include "damier/base/text/language.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/model/library.h"
#include "damier/pages/file_page.h"
#include "damier/pages/run_page.h"
#include "damier/store/store.h"

namespace damier::app {

namespace {

struct ReportArguments {
  std::vector<std::string> subjects;
  std::optional<std::string> output;
};

struct Page {
  std::string kind;  // "run", "runs", "data" or "model"
  report::Page report;
};

bool claims_to_be_data(const nn::TensorHeader& header) {
  for (const auto& [key, value] : header.metadata) {
    if (key == learn::kDataKey) return true;
  }
  return false;
}

Result<Page> page_of_file(const std::string& path) {
  const auto data = learn::DataSet::open(path);
  if (data) {
    TRY(learn::check_data_set(*data));
    const auto summary = TRY(learn::summarize(*data));
    return Page{"data", pages::data_page(*data, summary)};
  }
  // Only the header is read of a file that is neither.
  bool is_data = false;
  const auto file = nn::read_safetensors(path, [&](const nn::TensorHeader& header) -> Status {
    is_data = claims_to_be_data(header);
    if (is_data) return data.error();
    return model::check_model_header(header, path);
  });
  if (is_data) return data.error();
  if (!file) {
    return Error{"is neither a data set nor a model: " + file.error().message, {path}};
  }
  auto page = TRY(pages::model_page(*file, path));
  return Page{"model", std::move(page)};
}

Result<pages::StoredTraining> stored(Store& store, const Run& run) {
  DamagedRows damaged;
  auto metrics = TRY(store.metrics(run.id, {}, &damaged));
  auto games = TRY(store.finished_games(run.id, &damaged));
  report_damaged(damaged);
  return pages::StoredTraining{run, std::move(metrics), std::move(games)};
}

// A run, or a model that ships.
Result<Page> page_of_name(const std::string& name, const Context& context) {
  auto store = TRY(Store::open_default());
  const auto run = store.find_run(name);
  if (!run) {
    if (const auto model = model::model_path(name)) return page_of_file(*model);
    return Error{
        fmt::format("{} is no file and no model, and {}", in_quotes(name), run.error().message)};
  }
  const auto all = TRY(stored(store, *run));
  // Without its game the page has no boards, and no other error.
  const auto game = game_of_run(context, *run);
  return Page{"run", pages::run_page(*run, all.metrics, all.games, game ? game->get() : nullptr)};
}

Result<Page> page_of_trainings(const std::vector<std::string>& names) {
  auto store = TRY(Store::open_default());
  std::vector<pages::StoredTraining> trainings;
  for (const std::string& name : names) {
    const auto run = TRY(store.find_run(name));
    if (run.request.kind != "train") {
      return Error{
          fmt::format("run {} is a {}; expected trainings to compare", run.name, run.request.kind)};
    }
    auto training = TRY(stored(store, run));
    trainings.push_back(std::move(training));
  }
  return Page{"runs", pages::trainings_page(trainings)};
}

Result<Page> page_of(const std::vector<std::string>& subjects, const Context& context) {
  if (subjects.size() > 1) return page_of_trainings(subjects);
  const std::filesystem::path path = subjects.front();
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return Error{"is a folder; expected a run, a data set or a model", {path.string()}};
  }
  if (std::filesystem::exists(path, ignored)) return page_of_file(path.string());
  return page_of_name(path.string(), context);
}

Result<int> run_report(const ReportArguments& arguments, const Context& context) {
  const std::filesystem::path path = arguments.subjects.front();
  const std::string output = arguments.output.value_or(path.stem().string() + "-report.html");
  TRY(check_output(output));
  const auto page = TRY(page_of(arguments.subjects, context));
  if (auto status = write_file_atomically(output, report::html(page.report)); !status)
    return status.error();
  if (context.json) {
    print_json(
        "report",
        {{"subject", join(arguments.subjects, " ")}, {"kind", page.kind}, {"report", output}});
    return kDone;
  }
  print_about_file(output, tr(page.report.title));
  return kDone;
}

}  // namespace

Action setup_report(CommandLine line, Context& context) {
  auto arguments = std::make_shared<ReportArguments>();
  line.add_option("RUN|FILE", arguments->subjects,
                  "a run (`{program} runs` lists them), a data set or a model; or several "
                  "trainings to compare")
      .required();
  line.add_option("-o,--output", arguments->output,
                  "the page to write (default: its name with -report.html)")
      .type_name("PAGE");
  add_json_option(line, context);
  return [arguments, &context] { return run_report(*arguments, context); };
}

}  // namespace damier::app
