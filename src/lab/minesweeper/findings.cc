// The findings on minesweeper as one document, for the words of the study.

#include <algorithm>

#include <fmt/format.h>

#include "damier/games/minesweeper/minesweeper.h"
#include "damier/lab/minesweeper/experiment.h"

namespace damier::lab {

namespace {

constexpr std::array<PatchLink, 4> kCompared = {kFirst, kMany, kTrained, kDistinct};
constexpr const char* kTuned = "flags, tuned";

std::string name_of(PatchLink link) { return std::string(link_name(link)); }

// The shares of errors by tenths: {"0.0–0.1": share}.
Json shares_of(const std::array<std::int64_t, kErrorBins>& bins) {
  std::int64_t all = 0;
  for (const std::int64_t count : bins) all += count;
  Json shares = Json::object();
  for (std::size_t bin = 0; bin < kErrorBins; ++bin) {
    const auto low = static_cast<double>(bin) / 10, high = static_cast<double>(bin + 1) / 10;
    shares[fmt::format("{:.1f}–{:.1f}", low, high)] =
        all == 0 ? Json(nullptr) : Json(share_estimate(bins[bin], all).value);
  }
  return shares;
}

Json findings_of(const PatchErrors& errors) {
  constexpr std::int64_t kMinCount = 50;
  Json json = json_of(errors);
  for (const char* key : {"count", "mean", "quartiles", "bins", "sample"}) json.erase(key);
  json.update({{"bins", shares_of(errors.bins)},
               {"first_quartile", errors.quartiles[0]},
               {"median", errors.quartiles[1]},
               {"third_quartile", errors.quartiles[2]},
               {"by_open_cells", Json::array()},
               {"sample", Json::array()},
               {"scattered", Json::array()}});
  for (std::size_t open = 0; open < kMaxUncovered; ++open) {
    if (errors.count[open] < kMinCount) continue;
    json["by_open_cells"].push_back(Json::array({open, errors.mean[open]}));
  }
  // A little aside, so that they do not hide each other.
  for (std::size_t i = 0; i < errors.sample.size(); ++i) {
    const PatchErrors::Point& point = errors.sample[i];
    const double aside = 0.1 * (static_cast<double>(i % 7) - 3);
    json["sample"].push_back(point.error);
    json["scattered"].push_back(Json::array({point.uncovered + aside, point.error}));
  }
  return json;
}

Json findings_of(const PatchTraining& training, const TrainedNetwork& trained) {
  Json json = findings_of(trained);
  json.update({{"rows", training.rows}, {"batch", training.batch}, {"passes", training.epochs}});
  return json;
}

// Trainings that differ in their seed alone.
Json spread_of(std::span<const GameTally* const> by_seed) {
  std::vector<double> wins;
  for (const GameTally* tally : by_seed) wins.push_back(tally->win_rate().value);
  const auto [low, high] = std::minmax_element(wins.begin(), wins.end());
  const auto bare = [](double value) {
    return estimate_json(bare_estimate(EstimateKind::share, value, 0));
  };
  return {{"trainings", wins.size()},
          {"mean", estimate_json(mean_estimate(EstimateKind::share, wins))},
          {"lowest", bare(*low)},
          {"highest", bare(*high)}};
}

Json seeds_of(const MinesweeperFindings& findings) {
  Json seeds = Json::object();
  for (std::size_t i = 0; i < kLinks; ++i) {
    const PatchNetwork& network = findings.links[i];
    std::vector<const GameTally*> tallies = {&network.look.games};
    for (const OtherSeed& other : network.others) tallies.push_back(&other.games);
    seeds[name_of(static_cast<PatchLink>(i))] = spread_of(tallies);
  }
  std::vector<const GameTally*> tuned;
  for (const GameTally& tally : findings.links[kFlags].tuned) tuned.push_back(&tally);
  Json& setting = seeds["flags at the report's setting"] = spread_of(tuned);
  setting["is_setting"] = true;
  return seeds;
}

// One that was played here, and by which names the report's figures of it go.
Json player(const GameTally& tally, const std::string& published) {
  Json json = findings_of(tally);
  json["theirs"] = {{"wins", fmt::format("players.{}.wins", published)},
                    {"mean", fmt::format("players.{}.mean", published)},
                    {"quartiles", fmt::format("players.{}.quartiles", published)}};
  json["in_chain"] = true;
  return json;
}

Json players_of(const MinesweeperFindings& findings) {
  Json players = {{"random", player(findings.random, "random")}};
  for (std::size_t i = 0; i < kPlay; ++i) {
    const std::string name = name_of(static_cast<PatchLink>(i));
    players[name] = player(findings.links[i].look.games, name);
  }
  players[kTuned] = player(findings.usual().copy, kTuned);
  Json& fresh = players["its weights on fresh boards"] =
      findings_of(findings.links[kFlags].tuned.front());
  fresh["theirs"] = {{"wins", "tuned.fresh"}};
  fresh["in_chain"] = true;
  Json& played = players[name_of(kPlay)] = findings_of(findings.links[kPlay].look.games);
  played["in_chain"] = true;
  Json& ours = players["our network"] = findings_of(findings.usual().ours);
  ours["is_ours"] = true;
  return players;
}

// {POINT: what is known of its network}, and the lowest and the highest mean error.
Json sweep_of(const std::vector<PatchPoint>& points, const PatchSweepPlan& plan) {
  Json sweep = {{"rows", plan.training.rows}, {"points", Json::object()}};
  const auto error = [](const PatchPoint& point) { return point.look.errors.absolute.value; };
  for (const PatchPoint& point : points) {
    Json& json = sweep["points"][point.name] = findings_of(point.look.errors);
    json["wins"] = estimate_json(point.look.games.win_rate());
  }
  const auto [low, high] =
      std::minmax_element(points.begin(), points.end(),
                          [&](const auto& a, const auto& b) { return error(a) < error(b); });
  for (const auto& [name, at] : {std::pair("lowest", low), {"highest", high}}) {
    sweep[name] = {{"point", at->name}, {"error", error(*at)}};
  }
  return sweep;
}

Json grid_map(const Grid& grid) {
  Json map = {{"rows", grid.rows},
              {"columns", grid.columns},
              {"first", grid.columns.front()},
              {"last", grid.columns.back()},
              {"values", Json::array()}};
  for (const auto& successes : grid.successes) {
    Json row = Json::array();
    for (const std::int64_t won : successes) {
      row.push_back(static_cast<double>(won) / static_cast<double>(grid.trials));
    }
    map["values"].push_back(std::move(row));
  }
  return map;
}

// The boards of a table of the report; `place` is where a board stands on the axis of a drawing.
Json boards_of(const MinesweeperFindings& findings, const std::vector<std::string>& names,
               int (games::minesweeper::Minesweeper::*place)() const) {
  Json boards = Json::object();
  for (const std::string& name : names) {
    // The study has read them all.
    const auto game = games::minesweeper::Minesweeper::make({{"board", name}}).value();
    const BoardFindings& found = findings.boards.at(name);
    boards[name] = {{"copy", findings_of(found.copy)},
                    {"ours", findings_of(found.ours)},
                    {"bombs", 100.0 * game.bombs() / game.cells()},
                    {"place", (game.*place)()},
                    {"is_usual", &found == &findings.usual()}};
  }
  return boards;
}

// The epoch of the lowest error.
int best_epoch(const TrainedNetwork& network) {
  const TrainedCurve* losses = network.curve("validation_loss");
  if (losses == nullptr) losses = network.curve("training_loss");
  if (losses == nullptr) return 0;
  return std::min_element(losses->by_epoch.begin(), losses->by_epoch.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

Json document_of(const MinesweeperFindings& findings, const MinesweeperPlan& plan) {
  using games::minesweeper::Minesweeper;
  const auto duplicates = [&](double share) {
    return estimate_json(
        bare_estimate(EstimateKind::share, share, static_cast<std::int64_t>(plan.duplicates_of)));
  };
  Json json = {
      {"games", plan.games},
      {"player", plan.player},
      {"player_games", plan.player_games},
      {"grid_games", plan.grid_games},
      {"fresh", plan.fresh},
      {"pool", plan.pool},
      {"players", players_of(findings)},
      {"networks", Json::object()},
      {"compared", Json::object()},
      {"seeds", seeds_of(findings)},
      {"duplicates",
       {{"of", plan.duplicates_of},
        {"kinds",
         {{"safe", {{"name", "safe centre"}, {"share", duplicates(findings.duplicates.safe)}}},
          {"bomb",
           {{"name", "bomb in the centre"}, {"share", duplicates(findings.duplicates.bomb)}}}}}}},
      {"epochs", findings_of(plan.epochs, findings.epochs)},
      {"grids", Json::array()},
      {"chosen",
       {{"playful", findings.chosen.row},
        {"threshold", findings.chosen.column},
        {"wins", findings.chosen.successes}}}};
  for (std::size_t i = 0; i < kLinks; ++i) {
    const PatchNetwork& network = findings.links[i];
    Json& one = json["networks"][name_of(static_cast<PatchLink>(i))] =
        findings_of(plan.links[i], network.trained);
    one["errors"] = findings_of(network.look.errors);
    one["games"] = findings_of(network.look.games);
  }
  for (const PatchLink link : kCompared) {
    json["compared"][name_of(link)] = json["networks"][name_of(link)];
  }
  for (const PatchLink link : {kTrained, kWide}) {
    json["widths"][name_of(link)] = json["networks"][name_of(link)];
  }
  constexpr std::array<const char*, kSweeps> kNames = {"shares", "orders", "patches", "batches"};
  for (std::size_t i = 0; i < kSweeps; ++i) {
    json["sweeps"][kNames[i]] = sweep_of(findings.sweeps[i], plan.sweeps[i]);
  }
  // The same training but for the order.
  json["orders_of_first"] = plan.links[kFirst].rows == plan.sweeps[kOrders].training.rows;
  json["epochs"]["best"] = best_epoch(findings.epochs);
  for (const Grid& grid : findings.grids) json["grids"].push_back(grid_map(grid));
  json["boards"] = {{"size of the board",
                     {{"table", "sizes"},
                      {"number", 3},
                      {"axis", "Rows and columns, with one bomb in ten cells"},
                      {"boards", boards_of(findings, plan.sizes, &Minesweeper::rows)}}},
                    {"number of bombs",
                     {{"table", "densities"},
                      {"number", 4},
                      {"axis", "Bombs on 10x10"},
                      {"boards", boards_of(findings, plan.densities, &Minesweeper::bombs)}}}};
  return json;
}

}  // namespace damier::lab
