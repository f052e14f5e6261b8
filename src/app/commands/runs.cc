// `damier runs`, `ratings` and `report`: what is in the run store; and a page of a stored run, of
// several trainings, a data set or a model.

#include <map>
#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/terminal/run_text.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/files/atomic_file.h"
#include "damier/base/files/files.h"
#include "damier/base/text/language.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/model/library.h"
#include "damier/pages/file_page.h"
#include "damier/pages/run_page.h"
#include "damier/play/players/player_text.h"
#include "damier/play/ratings/statistics.h"
#include "damier/store/store.h"

namespace damier::app {

namespace {

// --- runs ---

// The store has looked at its form.
std::string when(const std::string& time) { return time.substr(0, 10) + " " + time.substr(11, 5); }

std::string subject(const Run& run) {
  std::string text = printable(run.request.game);
  for (const std::string& player : play::shown_players(pages::players_of(run))) {
    text += " " + player;
  }
  return text;
}

Json run_json(const Run& run) {
  return {{"run", run.name},
          {"kind", run.request.kind},
          {"game", run.request.game},
          {"options", run.request.options},
          {"config", run.request.config},
          {"seed", value_of(run.seed)},
          {"version", run.version},
          {"started", run.started},
          {"finished", run.finished ? Json(*run.finished) : Json(nullptr)},
          {"status", status_text(run.status)},
          {"summary", run.summary}};
}

Result<int> list_runs(Store& store, const Context& context) {
  DamagedRows damaged;
  if (context.json) {
    const auto document = TRY(runs_document(store, &damaged));
    report_damaged(damaged);
    print_json("runs", document);
    return kDone;
  }
  const auto runs = TRY(store.runs({}, &damaged));
  report_damaged(damaged);
  if (runs.empty() && damaged.empty())
    print_output("No runs yet; `{0} match` and `{0} tournament` make some.\n", program_name());
  const Look look = detect_look(false);
  for (const Run& run : runs) {
    print_output("{}  {}  {:<10}  {:<7}  {}\n", painted(look, Ink::accent, run.name, true),
                 when(run.started), run.request.kind, status_text(run.status), subject(run));
  }
  return kDone;
}

Result<int> show_run(Store& store, const std::string& name, const Context& context) {
  DamagedRows damaged;
  if (context.json) {
    const auto document = TRY(run_document(store, name, &damaged));
    report_damaged(damaged);
    print_json("run", document);
    return kDone;
  }
  const auto run = TRY(store.find_run(name));
  const auto games = TRY(store.finished_games(run.id, &damaged));
  const auto metrics = TRY(store.metrics(run.id, {}, &damaged));
  report_damaged(damaged);
  set_language(Language::english);  // that of everything this command says
  const Look look = detect_look(false);
  write_output(run_text(run, metrics, games, context, look, terminal_columns()));
  return kDone;
}

Result<int> show_ratings(const std::string& game, const Context& context) {
  TRY(context.registry.find(game));
  auto store = TRY(Store::open_default());
  DamagedRows damaged;
  const auto ratings = TRY(store.latest_ratings(game, &damaged));
  report_damaged(damaged);
  if (context.json) {
    Json list = Json::array();
    for (const RatingRow& row : ratings) {
      list.push_back(
          {{"player", row.player},
           {"elo", row.elo},
           {"interval",
            {row.low ? Json(*row.low) : Json(nullptr), row.high ? Json(*row.high) : Json(nullptr)}},
           {"games", row.games}});
    }
    print_json("ratings", {{"game", game}, {"players", std::move(list)}});
    return kDone;
  }
  if (ratings.empty()) {
    print_output("No ratings yet; `{} tournament {} PLAYERS…` makes some.\n", program_name(), game);
  }
  const auto end = [](const std::optional<double>& value, std::string_view otherwise) {
    return value ? play::elo_text(*value) : std::string(otherwise);
  };
  std::vector<std::string> players;
  for (const RatingRow& row : ratings) players.push_back(row.player);
  players = play::shown_players(players);
  for (std::size_t i = 0; i < players.size(); ++i) {
    const RatingRow& row = ratings[i];
    print_output("{:>6}  {:>16}  {:>6} {:<5}  {}\n", play::elo_text(row.elo),
                 fmt::format("[{}, {}]", end(row.low, "-inf"), end(row.high, "+inf")), row.games,
                 plural(static_cast<std::uint64_t>(row.games), "game"), players[i]);
  }
  return kDone;
}

// --- report ---

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
  TRY(write_file_atomically(output, report::html(page.report)));
  if (context.json)
    return print_json(
        "report",
        {{"subject", join(arguments.subjects, " ")}, {"kind", page.kind}, {"report", output}});
  print_about_file(output, tr(page.report.title));
  return kDone;
}

}  // namespace

Result<Json> runs_document(Store& store, DamagedRows* damaged) {
  const auto runs = TRY(store.runs({}, damaged));
  Json list = Json::array();
  for (const Run& run : runs) list.push_back(run_json(run));
  return Json{{"runs", std::move(list)}};
}

Result<Json> run_document(Store& store, const std::string& name, DamagedRows* damaged) {
  const auto run = TRY(store.find_run(name));
  const auto games = TRY(store.finished_games(run.id, damaged));
  const auto metrics = TRY(store.metrics(run.id, {}, damaged));
  Json json = run_json(run);
  json["games"] = games.size();
  std::map<std::string, Json> curves;  // each over the steps
  for (const MetricRow& row : metrics) {
    curves[row.name].push_back(Json::array({static_cast<double>(row.step), row.value}));
  }
  for (auto& [metric, points] : curves) json["metrics"][metric] = std::move(points);
  return json;
}

Action setup_runs(CommandLine line, Context& context) {
  struct RunsArguments {
    std::optional<std::string> verb;
    std::optional<std::string> run;
  };
  auto arguments = std::make_shared<RunsArguments>();
  line.add_option("VERB", arguments->verb, "'show', or nothing to list all runs");
  line.add_option("RUN", arguments->run, "the run's name, or a beginning of it");
  add_shared_options(line, context, {"--json"});
  return [arguments, &context]() -> Result<int> {
    if (arguments->verb && *arguments->verb != "show") {
      return Error{fmt::format("runs: unexpected argument {}; expected 'show RUN' or nothing",
                               in_quotes(*arguments->verb))};
    }
    if (arguments->verb && !arguments->run) {
      return Error{fmt::format("runs show: which run? `{} runs` lists them", program_name())};
    }
    auto store = TRY(Store::open_default());
    return arguments->run ? show_run(store, *arguments->run, context) : list_runs(store, context);
  };
}

Action setup_ratings(CommandLine line, Context& context) {
  auto game = std::make_shared<std::string>();
  line.add_option("GAME", *game, "the game").required();
  add_shared_options(line, context, {"--json"});
  return [game, &context] { return show_ratings(*game, context); };
}

Action setup_report(CommandLine line, Context& context) {
  auto arguments = std::make_shared<ReportArguments>();
  line.add_option("RUN|FILE", arguments->subjects,
                  "a run (`{program} runs` lists them), a data set or a model; or several "
                  "trainings to compare")
      .required();
  line.add_option("-o,--output", arguments->output, "PAGE",
                  "the page to write (default: its name with -report.html)");
  add_shared_options(line, context, {"--json"});
  return [arguments, &context] { return run_report(*arguments, context); };
}

}  // namespace damier::app
