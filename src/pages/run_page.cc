#include "damier/pages/run_page.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "damier/base/numbers/estimate.h"
#include "damier/base/text/language.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"
#include "damier/pages/board_drawing.h"
#include "damier/pages/recipe_words.h"
#include "damier/play/players/player_text.h"

namespace damier::pages {

namespace {

double number_or_missing(const Json& json, std::string_view key) {
  return number_in(json, key).value_or(report::kMissing);
}

// The figure at `key` with the interval beside it ("interval").
Estimate estimate_at(const Json& json, std::string_view key, EstimateKind kind) {
  return estimate_in({{"value", number_json(number_or_missing(json, key))},
                      {"interval", json["interval"]},
                      {"kind", kind_text(kind)}})
      .value_or(Estimate{});
}

std::string elo_end(double elo) {
  return std::isfinite(elo) ? fmt::format("{:+.0f}", elo) : std::string("–");
}

std::string elo_interval(const Interval& interval) {
  return fmt::format("[{}, {}]", elo_end(interval.low), elo_end(interval.high));
}

// "a training, fanorona"
std::string kind_text(const RunRequest& request) {
  const std::string kind = request.kind == "train"        ? tr("a training")
                           : request.kind == "match"      ? tr("a match")
                           : request.kind == "tournament" ? tr("a tournament")
                           : request.kind == "eval"       ? tr("an evaluation")
                                                          : request.kind;
  return request.game.empty() ? kind : fmt::format("{}, {}", kind, request.game);
}

std::string when(const std::string& time) {
  return time.size() < 16 ? time : time.substr(0, 10) + " " + time.substr(11, 5);
}

// --- training -------------------------------------------------------------------------------

void add_metrics(report::Table& table, const std::string& set, const Json& json) {
  for (const Metric& metric : metrics_in(json)) {
    table.rows.push_back({{set, metric.name, figure_text(metric), interval_text(metric),
                           figure_text(EstimateKind::count, static_cast<double>(metric.n))}});
  }
}

report::Table metrics_table(std::string caption, const std::string& first_column) {
  return report::headed_table(std::move(caption), {first_column, tr("Figure")},
                              {tr("Value"), tr("95 % interval"), tr("Of")});
}

void add_training(const Run& run, report::Page& report) {
  const auto& sets = run.summary["metrics"].items();
  if (sets.empty()) return;
  report::Table table = metrics_table(tr("The kept weights, evaluated"), tr("Set"));
  for (const auto& [set, metrics] : sets) add_metrics(table, set, metrics);
  report.sections.push_back({tr("Figures"), {report::PageTable{std::move(table)}}});
  const auto number = [&](const char* key) { return number_or_missing(run.summary, key); };
  report.lead = tr_format("{:.0f} parameters; the weights after {} {:.0f} of {:.0f}; {:.1f} s.",
                          number("parameters"), tr(counted_unit(run)), number("kept_epoch"),
                          number("epochs"), number("seconds"));
}

// --- games ----------------------------------------------------------------------------------

void add_match(const Run& run, report::Page& report) {
  const Json* a = run.summary.find("a");
  const Json* b = run.summary.find("b");
  if (a == nullptr || b == nullptr) return;
  report::Table table =
      report::headed_table(tr("Score"), {tr("Player")},
                           {tr("Won"), tr("Drawn"), tr("Lost"), tr("Score"), tr("95 % interval")});
  report::BarChart bars;
  bars.y = {.label = tr("Games")};
  bars.categories = {tr("won"), tr("drawn"), tr("lost")};
  const auto names = play::shown_players(std::vector{text_in(*a, "player"), text_in(*b, "player")});
  for (const Json* side : {a, b}) {
    const std::string& name = names[side == a ? 0 : 1];
    std::vector<report::Bar> counts;
    report::Row row{{name}};
    for (const char* key : {"wins", "draws", "losses"}) {
      counts.push_back({number_or_missing(*side, key)});
      row.cells.push_back(fmt::format("{:.0f}", counts.back().value));
    }
    row.cells.push_back(figure_text(estimate_at(*side, "score", EstimateKind::share)));
    if (side == a) {
      row.cells.push_back(interval_text(estimate_at(run.summary, "", EstimateKind::share)));
    }
    table.rows.push_back(std::move(row));
    bars.series.push_back({name, std::move(counts)});
  }
  if (const Json* elo = run.summary.find("elo")) {
    const Estimate difference = estimate_at(*elo, "difference", EstimateKind::number);
    table.note = std::isnan(difference.value)
                     ? tr("All games ended alike: the Elo difference has no end.")
                     : tr_format("Elo difference of the first: {} {}.", elo_end(difference.value),
                                 elo_interval(difference.interval));
  }
  report.sections.push_back({tr("Result"),
                             {report::PageTable{std::move(table)},
                              report::PageFigure{{tr("How the games ended"), "", bars}}}});
}

std::vector<std::string> names_in(const Json& players) {
  std::vector<std::string> names;
  for (const Json& player : players) names.push_back(text_in(player, "player"));
  return play::shown_players(names);
}

void add_tournament(const Run& run, report::Page& report) {
  const Json& players = run.summary["players"];
  if (!players.is_array()) return;
  report::Table table = report::headed_table(
      tr("Ratings"), {tr("Player")}, {"Elo", tr("95 % interval"), tr("Games"), tr("Score")});
  report::BarChart bars;
  bars.y = {.label = tr("Rating"), .unit = "Elo"};
  bars.series = {{"Elo"}};
  const auto names = names_in(players);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Json& player = players[i];
    const Estimate elo = estimate_at(player, "elo", EstimateKind::number);
    table.rows.push_back({{names[i], elo_end(elo.value), elo_interval(elo.interval),
                           fmt::format("{:.0f}", number_or_missing(player, "games")),
                           figure_text(estimate_at(player, "score", EstimateKind::share))}});
    bars.categories.push_back(names[i]);
    bars.series[0].bars.push_back(report::bar_of(elo));
  }
  report.sections.push_back(
      {tr("Result"),
       {report::PageTable{std::move(table)}, report::PageFigure{{tr("Ratings"), "", bars}}}});
}

// The moves of players of a solved game: how many keep the value, by the plies played before.
void add_kept_moves(const Json& players, report::Page& report) {
  report::Table table =
      metrics_table(tr("Moves that keep the value of the position"), tr("Player"));
  report::LineChart chart;
  chart.x = {.label = tr("Plies played")};
  chart.y = {.label = tr("Moves that keep the value"), .unit = "%", .high = 100};
  const auto names = names_in(players);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Json& metrics = players[i]["metrics"];
    if (!metrics.is_object()) continue;
    add_metrics(table, names[i], metrics);
    report::Curve curve{names[i]};
    for (const Metric& metric : metrics_in(metrics)) {
      constexpr std::string_view kPhase = "kept_plies_";
      if (!metric.name.starts_with(kPhase)) continue;
      const auto ply = std::strtod(metric.name.c_str() + kPhase.size(), nullptr);
      curve.points.push_back(report::point_of(ply, metric));
    }
    chart.curves.push_back(std::move(curve));
  }
  report.sections.push_back({tr("Result"),
                             {report::PageFigure{{tr("How good moves are"), "", std::move(chart)}},
                              report::PageTable{std::move(table)}}});
}

void add_evaluation(const Run& run, report::Page& report) {
  const Json &players = run.summary["players"], &metrics = run.summary["metrics"];
  if (players.is_array()) return add_kept_moves(players, report);
  if (!metrics.is_object()) return;
  report::Table table = metrics_table(tr("Figures"), tr("Player"));
  add_metrics(table, text_in(run.summary, "player"), metrics);
  report::Section section{tr("Result"), {report::PageTable{std::move(table)}}};
  report::BarChart shares, scores;
  shares.y = {.label = tr("Share of games"), .unit = "%", .low = 0, .high = 100};
  scores.y = {.label = tr("Score")};
  shares.series = {{tr("share")}};
  scores.series = {{tr("score")}};
  for (const Metric& metric : metrics_in(metrics)) {
    if (is_speed(metric.name)) continue;
    report::BarChart& chart = metric.kind == EstimateKind::share ? shares : scores;
    chart.categories.push_back(metric.name);
    chart.series[0].bars.push_back(report::bar_of(metric));
  }
  for (const auto& [title, chart] :
       {std::pair(tr("Shares"), &shares), std::pair(tr("Scores"), &scores)}) {
    if (chart->categories.empty()) continue;
    section.blocks.push_back(report::PageFigure{{title, "", *chart}});
  }
  report.sections.push_back(std::move(section));
}

constexpr std::size_t kMaxGames = 4;
constexpr std::size_t kMaxBoards = 8;

// `most` of `count` places, spread evenly, the first and the last among them.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> places;
  const std::size_t taken = std::min(count, most);
  for (std::size_t i = 0; i < taken; ++i) {
    places.push_back(taken == 1 ? count - 1 : i * (count - 1) / (taken - 1));
  }
  return places;
}

// The positions after each move, and what was played; empty if a move is wrong.
std::vector<report::Diagram> boards_of(const games::AnyGame& game, const GameRow& row) {
  const auto moves = split(row.moves, ' ');
  const auto places = spread(moves.size(), kMaxBoards);
  std::vector<report::Diagram> boards;
  auto session = game.start(Seed{1});
  if (!row.start.empty()) {
    auto from = game.start_from(row.start);
    if (!from) return {};
    session = *std::move(from);
  }
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto action = session->parse_move(moves[i]);
    if (!action || session->outcome() != games::Outcome::ongoing) return {};
    session->play(*action);
    if (std::ranges::find(places, i) == places.end()) continue;
    boards.push_back({board_drawing(session->picture()), fmt::format("{}. {}", i + 1, moves[i])});
  }
  return boards;
}

std::string result_of(const GameRow& row, const games::Facts& facts) {
  if (row.outcome == "draw") return tr("a draw");
  const std::size_t winner = row.outcome == "first" ? 0 : 1;
  return tr_format("{} wins", tr(facts.sides[winner]));
}

// A few games from the first to the last, each with a few of its positions; games that cannot be
// replayed are passed over. None when there is nothing to see.
std::optional<report::Section> games_section(const games::AnyGame& game,
                                             std::span<const GameRow> games) {
  if (game.facts().players != 2) return std::nullopt;
  report::Section section{tr("Some games")};
  for (const std::size_t place : spread(games.size(), kMaxGames)) {
    const GameRow& row = games[place];
    if (row.moves.empty()) continue;
    report::Diagrams boards;
    boards.diagrams = boards_of(game, row);
    if (boards.diagrams.empty()) continue;
    const std::string players =
        row.first == row.second ? row.first : fmt::format("{} – {}", row.first, row.second);
    boards.caption = fmt::format("{}: {}, {}", players, tr_counted(row.plies, "move"),
                                 result_of(row, game.facts()));
    section.blocks.push_back(std::move(boards));
  }
  if (section.blocks.empty()) return std::nullopt;
  return section;
}

}  // namespace

std::vector<std::string> players_of(const Run& run) {
  std::vector<std::string> texts;
  for (const Json& player : run.request.config["players"]) {
    if (player.is_string()) texts.push_back(player.text());
  }
  return texts;
}

report::Page run_page(const Run& run, const std::vector<MetricRow>& metrics,
                      std::span<const GameRow> games, const games::AnyGame* game) {
  report::Page report;
  report.title = tr_format("Run {}: {}", run.name, kind_text(run.request));
  report.subtitle = join(play::shown_players(players_of(run)), ", ");
  const bool is_training = run.request.kind == "train";
  if (is_training) report.subtitle = text_in(run.request.config, "recipe");
  report.facts = {tr_format("started {}", when(run.started)), tr(status_text(run.status)),
                  tr_format("seed {}", value_of(run.seed)), tr_format("Damier {}", run.version)};
  if (!games.empty() && !is_training) report.facts.push_back(tr_counted(games.size(), "game"));
  if (run.status != RunStatus::done) {
    report.lead = tr("The run is not done: what follows is what there is so far.");
  }
  if (const Json* recipe = run.request.config.find("settings")) {
    report.sections.push_back({tr("Recipe"), {report::Facts{recipe_words(*recipe)}}});
  }
  // What a contest found stands before its games.
  const std::string& kind = run.request.kind;
  if (kind == "match") add_match(run, report);
  if (kind == "tournament") add_tournament(run, report);
  if (kind == "eval") add_evaluation(run, report);
  if (auto curves = training_curves(run, metrics, games); !curves.blocks.empty()) {
    report.sections.push_back(std::move(curves));
  }
  if (auto some = game == nullptr ? std::nullopt : games_section(*game, games)) {
    report.sections.push_back(*std::move(some));
  }
  if (is_training) add_training(run, report);
  report::Section asked{tr("What was asked for")};
  if (const std::string command = text_in(run.request.config, "command"); !command.empty()) {
    asked.blocks.push_back(report::Preformatted{command});
  }
  asked.blocks.push_back(report::Preformatted{dump_pretty({{"game", run.request.game},
                                                           {"rules", run.request.options},
                                                           {"asked", run.request.config}})});
  report.sections.push_back(std::move(asked));
  report.footer = tr_format("Made by `{}`.", kept_command("report " + run.name));
  return report;
}

report::Page trainings_page(std::span<const StoredTraining> trainings) {
  report::Page report;
  report.title = tr("Trainings compared");
  std::vector<std::string> names;
  report::Table table = report::headed_table("", {tr("Training"), tr("Status")}, {tr("Seed")});
  report::Table kept = metrics_table(tr("The kept weights, evaluated"), tr("Training"));
  report::Section asked{tr("What was asked for")};
  for (const StoredTraining& training : trainings) {
    const Run& run = training.run;
    names.push_back(run.name);
    table.rows.push_back(
        {{training.name(), tr(status_text(run.status)), fmt::format("{}", value_of(run.seed))}});
    for (const auto& [set, metrics] : run.summary["metrics"].items()) {
      add_metrics(kept, fmt::format("{}, {}", training.name(), set), metrics);
    }
    if (const std::string command = text_in(run.request.config, "command"); !command.empty()) {
      asked.blocks.push_back(report::Preformatted{command});
    }
  }
  asked.blocks.insert(asked.blocks.begin(), report::PageTable{std::move(table)});
  if (auto curves = compared_curves(trainings); !curves.blocks.empty()) {
    report.sections.push_back(std::move(curves));
  }
  if (!kept.rows.empty()) {
    report.sections.push_back({tr("Figures"), {report::PageTable{std::move(kept)}}});
  }
  report.sections.push_back(std::move(asked));
  report.footer = tr_format("Made by `{}`.", kept_command("report " + join(names, " ")));
  return report;
}

}  // namespace damier::pages
