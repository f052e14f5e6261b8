// `damier runs` and `damier ratings`: what is in the run store.

#include <map>
#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/documents.h"
#include "damier/app/terminal/run_text.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/text/language.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/pages/run_page.h"
#include "damier/play/players/shown_players.h"
#include "damier/play/ratings/statistics.h"
#include "damier/store/store.h"

namespace damier::app {

namespace {

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

// A run's metrics by name, each as a curve over its steps.
std::map<std::string, std::vector<std::pair<double, double>>> curves_of(
    const std::vector<MetricRow>& metrics) {
  std::map<std::string, std::vector<std::pair<double, double>>> curves;
  for (const MetricRow& row : metrics) {
    curves[row.name].emplace_back(static_cast<double>(row.step), row.value);
  }
  return curves;
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
  for (const auto& [metric, points] : curves_of(metrics)) json["metrics"][metric] = points;
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
  add_json_option(line, context);
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
  add_json_option(line, context);
  return [game, &context] { return show_ratings(*game, context); };
}

}  // namespace damier::app
