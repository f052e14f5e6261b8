// `damier reproduce`: the published experiments, listed or done again.

#include <cstdio>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "damier/app/commands/commands.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/files/atomic_file.h"
#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/columns.h"
#include "damier/base/text/language.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/lab/experiment.h"

namespace damier::app {

namespace {

struct ReproduceArguments {
  std::string name;
  std::string output;
  bool quick = false;
  bool fresh = false;
};

constexpr std::uint64_t kUsualSeed = 1;
constexpr std::string_view kKeptResult = "result.json";
constexpr std::string_view kKeptReport = "report.html";

// "18.2 %", as it was printed; nothing where the source gives no figure.
std::optional<std::string> listed_value(const lab::Published& published,
                                        const lab::ListedFigure& listed) {
  if (!listed.figure) return std::nullopt;
  return published.text(*listed.figure);
}

// A file that `reproduce` left here the last time.
Result<std::string> kept_file(const std::string& experiment, bool quick, std::string_view file) {
  constexpr std::size_t kMaxBytes = 32 << 20;
  lab::ExperimentOptions options;
  options.quick = quick;
  options.seed = Seed{kUsualSeed};
  const auto folder = TRY(lab::experiment_folder(experiment, options));
  return read_file(folder / file, kMaxBytes);
}

// What it found, in full and --quick; null where it was never done.
Json kept_result(const std::string& name, bool quick) {
  const auto text = kept_file(name, quick, kKeptResult);
  if (!text) return nullptr;
  const auto document = parse_json(*text, std::string(kKeptResult));
  return document && document->is_object() && document->contains("rows") ? *document : nullptr;
}

Json experiment_json(const lab::Published& published) {
  Json figures = Json::array();
  for (const lab::ListedFigure& listed : published.listed) {
    const auto value = listed_value(published, listed);
    figures.push_back({{"what", listed.what}, {"value", value ? Json(*value) : Json(nullptr)}});
  }
  return {{"name", published.name},
          {"title", published.title},
          {"source", published.source.text()},
          {"url", published.source.url ? Json(*published.source.url) : Json(nullptr)},
          {"published", std::move(figures)},
          {"seconds", json_of(published.seconds)},
          {"ours",
           {{"full", kept_result(published.name, false)},
            {"quick", kept_result(published.name, true)}}}};
}

void print_experiment(const lab::Published& published) {
  print_output("{}  {}\n", painted(detect_look(false), Ink::accent, published.name, true),
               published.title);
  print_output("  source     {}\n", published.source.text());
  std::string_view label = "published";
  for (const lab::ListedFigure& listed : published.listed) {
    print_output("  {:<9}  {}: {}\n", label, listed.what,
                 listed_value(published, listed).value_or("not given"));
    label = "";
  }
  print_output("  takes      about {} on two cores, {} with --quick\n\n",
               lab::about_text(published.seconds.full), lab::about_text(published.seconds.quick));
}

Result<int> list_experiments(const Context& context) {
  if (context.json) {
    const auto document = TRY(experiments_document());
    print_json("experiments", document);
    return kDone;
  }
  for (const lab::Experiment& experiment : lab::experiments()) {
    const auto published = TRY(lab::find_published(experiment.name));
    print_experiment(published);
  }
  print_output("`{} reproduce NAME` does one again and writes a report.\n", program_name());
  return kDone;
}

std::string progress_line(const lab::StudyProgress& progress, int columns) {
  constexpr int kWidth = 20, kFrame = 3;
  const std::string text =
      fmt::format("{:3.0f} %  {} left  {}/{} {}{}{}", 100 * progress.done,
                  clock_text(progress.seconds_left), progress.step, progress.steps, progress.name,
                  progress.detail.empty() ? "" : ": ", progress.detail);
  return progress_bar(progress.done, std::min(kWidth, columns - visible_width(text) - kFrame)) +
         text;
}

// A live line on a terminal, otherwise one line a step. `drawn`: the line is to be taken away.
lab::StudyHooks hooks_with(bool& drawn) {
  const bool terminal = isatty(STDERR_FILENO) == 1;
  lab::StudyHooks hooks;
  hooks.stop = [] { return interrupted(); };
  hooks.on_progress = [terminal, &drawn](const lab::StudyProgress& progress) {
    if (!terminal) return;
    draw_live_line(progress_line(progress, message_columns()));
    drawn = true;
  };
  hooks.on_step = [terminal, &drawn](const std::string& step, bool known) {
    if (std::exchange(drawn, false)) wipe_live_line();
    if (!terminal || known) print_message("{}: done{}\n", step, known ? " before" : "");
  };
  return hooks;
}

// The tables of its page.
void print_result(const lab::ExperimentResult& result) {
  for (const report::Section& section : result.report.sections) {
    for (const report::Block& block : section.blocks) {
      const auto* table = std::get_if<report::PageTable>(&block);
      if (table != nullptr) print_output("{}\n", report::plain_text(table->table));
    }
  }
}

// In the folder of the study, for those who look at it later.
Status keep_result(const std::string& name, const lab::ExperimentOptions& options,
                   const Json& document, std::string_view page) {
  const auto folder = TRY(lab::experiment_folder(name, options));
  TRY(write_file_atomically(folder / kKeptReport, page));
  return write_file_atomically(folder / kKeptResult,
                               dump_line(with_schema("reproduce", document)) + "\n");
}

Result<int> run_reproduce(const ReproduceArguments& arguments, const Context& context) {
  set_language(Language::english);  // that of the studies, and so of their pages
  if (arguments.name.empty()) {
    if (arguments.quick || arguments.fresh || !arguments.output.empty() || context.seed_option) {
      return Error{fmt::format("reproduce: which experiment? `{} reproduce` alone lists them",
                               program_name())};
    }
    return list_experiments(context);
  }
  const auto experiment = TRY(lab::find_experiment(arguments.name));
  const auto published = TRY(lab::find_published(experiment.name));
  const std::string output =
      arguments.output.empty() ? arguments.name + "-report.html" : arguments.output;
  TRY(check_output(output));

  lab::ExperimentOptions options;
  options.quick = arguments.quick;
  options.fresh = arguments.fresh;
  options.seed = Seed{context.seed_option.value_or(kUsualSeed)};
  options.command =
      kept_command(fmt::format("reproduce {}{} --seed {}", arguments.name,
                               arguments.quick ? " --quick" : "", value_of(options.seed)));
  const lab::ExperimentSeconds& seconds_of = published.seconds;
  print_message(
      "{}\nseed {}; about {} on two cores{}\n", published.title, value_of(options.seed),
      lab::about_text(arguments.quick ? seconds_of.quick : seconds_of.full),
      arguments.quick ? "" : fmt::format(" (--quick: {})", lab::about_text(seconds_of.quick)));
  const Stopwatch watch;
  ThreadPool pool(context.thread_count());
  bool drawn = false;
  const auto result =
      lab::reproduce(experiment, published, options, {context.registry, pool, hooks_with(drawn)});
  if (drawn) wipe_live_line();
  if (interrupted()) {
    print_notice("interrupted; finished steps are kept: continue with `{}{}`",
                 typed_command(options.command),
                 arguments.output.empty() ? "" : " -o " + arguments.output);
    return kInterrupted;
  }
  if (!result) return result.error();
  const std::string page = report::html(result->report);
  TRY(write_file_atomically(output, page));
  const double seconds = watch.seconds();
  Json rows = Json::array();
  for (const auto& row : result->comparisons) rows.push_back(lab::comparison_json(row));
  Json document = {{"experiment", published.name},
                   {"source", published.source.text()},
                   {"quick", arguments.quick},
                   {"rows", std::move(rows)},
                   {"report", output},
                   {"seed", value_of(options.seed)},
                   {"seconds", seconds}};
  TRY(keep_result(published.name, options, document, page));
  if (context.json) return print_json("reproduce", document);
  print_result(*result);
  print_output("{}: the report; seed {}, {:.1f} s\n", output, value_of(options.seed), seconds);
  return kDone;
}

}  // namespace

Result<std::string> kept_report(const std::string& experiment, bool quick) {
  TRY(lab::find_experiment(experiment));
  return kept_file(experiment, quick, kKeptReport);
}

Result<Json> experiments_document() {
  Json list = Json::array();
  for (const lab::Experiment& experiment : lab::experiments()) {
    const auto published = TRY(lab::find_published(experiment.name));
    list.push_back(experiment_json(published));
  }
  return Json{{"experiments", std::move(list)}};
}

Action setup_reproduce(CommandLine line, Context& context) {
  auto arguments = std::make_shared<ReproduceArguments>();
  line.add_option("NAME", arguments->name, "an experiment; without one, all are listed");
  line.add_flag("--quick", arguments->quick, "a smaller version, for a first look");
  line.add_flag("--fresh", arguments->fresh, "start over; by default finished steps are kept");
  line.add_option("-o,--output", arguments->output, "REPORT",
                  "the report (default: NAME-report.html)");
  line.add_number("--seed", context.seed_option, 0, kMaxSeed, "of the whole study (default 1)");
  add_shared_options(line, context, {"--threads", "--json"});
  return [arguments, &context] { return run_reproduce(*arguments, context); };
}

}  // namespace damier::app
