// How networks of patches are evaluated, and the findings on minesweeper as one document, for the
// words of the study.

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "damier/games/minesweeper/minesweeper.h"
#include "damier/lab/found.h"
#include "damier/lab/minesweeper/experiment.h"
#include "damier/learn/minesweeper/patches.h"
#include "damier/model/model.h"

namespace damier::lab {

namespace {

using learn::EvaluatedPatch;

constexpr int kEvaluatedBatch = 512;
constexpr std::size_t kSample = 800;
constexpr const char* kEncoder = "patch-5";

// The share of the patches for which it holds. A patch that is "right" counts as one whose bomb was
// found, so that the evaluation of patches, which knows of groups, gives the interval.
template <class Holds>
Estimate share_where(const std::vector<EvaluatedPatch>& patches, const Holds& holds) {
  std::vector<EvaluatedPatch> marked = patches;
  for (EvaluatedPatch& patch : marked) {
    patch.probability = holds(patch.error()) ? 1.0f : 0.0f;
    patch.bomb = true;
  }
  return *find_metric(learn::patch_metrics(std::move(marked)), "accuracy");
}

std::size_t bin_of(double error) {
  const auto bin = static_cast<std::size_t>(error * static_cast<double>(kErrorBins));
  return std::min(bin, kErrorBins - 1);
}

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
Json spread_of(const std::vector<PatchNetwork>& by_seed, auto win_rate) {
  std::vector<double> wins;
  for (const PatchNetwork& network : by_seed) wins.push_back(win_rate(network).value);
  const auto [low, high] = std::ranges::minmax_element(wins);
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
    seeds[name_of(static_cast<PatchLink>(i))] = spread_of(
        findings.links[i], [](const auto& network) { return network.look.games.win_rate(); });
  }
  Json& setting = seeds["flags at the report's setting"] = spread_of(
      findings.links[kFlags], [](const auto& network) { return network.tuned.win_rate(); });
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
    players[name] = player(findings.links[i].front().look.games, name);
  }
  players[kTuned] = player(findings.usual().copy, kTuned);
  Json& fresh = players["its weights on fresh boards"] =
      findings_of(findings.links[kFlags].front().tuned);
  fresh["theirs"] = {{"wins", "tuned.fresh"}};
  fresh["in_chain"] = true;
  Json& played = players[name_of(kPlay)] = findings_of(findings.links[kPlay].front().look.games);
  played["in_chain"] = true;
  Json& ours = players["our network"] = findings_of(findings.usual().ours);
  ours["is_ours"] = true;
  return players;
}

// {POINT: what is known of its network}, and the lowest and the highest mean error.
Json sweep_of(const std::vector<PatchNetwork>& points, const PatchSweepPlan& plan) {
  Json sweep = {{"rows", plan.training.rows}, {"points", Json::object()}};
  const auto error = [](const PatchNetwork& point) { return point.look.errors.absolute.value; };
  for (const PatchNetwork& point : points) {
    Json& json = sweep["points"][point.name] = findings_of(point.look.errors);
    json["wins"] = estimate_json(point.look.games.win_rate());
  }
  const auto [low, high] = std::ranges::minmax_element(points, {}, error);
  for (const auto& [name, at] : {std::pair("lowest", low), {"highest", high}}) {
    sweep[name] = {{"point", at->name}, {"error", error(*at)}};
  }
  return sweep;
}

Json grid_map(const Grid& grid) {
  Json map = map_of(grid.rows, grid.columns, [&](std::size_t row, std::size_t column) {
    return static_cast<double>(grid.successes[row][column]) / static_cast<double>(grid.trials);
  });
  map["first"] = grid.columns.front();
  map["last"] = grid.columns.back();
  return map;
}

// The boards of a table of the report; `place` is where a board stands on the axis of a drawing.
Json boards_of(const MinesweeperFindings& findings, const std::vector<std::string>& names,
               int (games::minesweeper::Minesweeper::*place)() const) {
  Json boards = Json::object();
  for (const std::string& name : names) {
    const BoardFindings& found = findings.boards.at(name);
    boards[name] = {{"copy", findings_of(found.copy)},
                    {"ours", findings_of(found.ours)},
                    {"bombs", 100.0 * found.game.bombs() / found.game.cells()},
                    {"place", (found.game.*place)()},
                    {"is_usual", &found == &findings.usual()}};
  }
  return boards;
}

// The epoch of the lowest error.
int best_epoch(const TrainedNetwork& network) {
  ByEpoch losses = network.curve("validation_loss");
  if (losses.empty()) losses = network.curve("training_loss");
  return losses.empty() ? 0
                        : std::ranges::min_element(losses, {}, &ByEpoch::value_type::second)->first;
}

}  // namespace

PatchErrors errors_of(std::vector<EvaluatedPatch> patches) {
  PatchErrors found;
  if (patches.empty()) return found;
  std::vector<double> sorted;
  for (const EvaluatedPatch& patch : patches) {
    const double error = patch.error();
    sorted.push_back(error);
    ++found.bins[bin_of(error)];
    const std::size_t open = std::min<std::size_t>(patch.uncovered, kMaxUncovered - 1);
    ++found.count[open];
    found.mean[open] += error;
  }
  for (std::size_t open = 0; open < kMaxUncovered; ++open) {
    if (found.count[open] > 0) found.mean[open] /= static_cast<double>(found.count[open]);
  }
  const std::size_t shown = std::min(kSample, patches.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const EvaluatedPatch& patch = patches[i * patches.size() / shown];
    found.sample.push_back({patch.uncovered, patch.error()});
  }
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < found.quartiles.size(); ++i) {
    found.quartiles[i] = sorted[(i + 1) * (sorted.size() - 1) / 4];
  }
  found.below_01 = share_where(patches, [](double error) { return error < 0.1; });
  found.from_01_to_02 =
      share_where(patches, [](double error) { return error >= 0.1 && error <= 0.2; });
  found.above_02 = share_where(patches, [](double error) { return error > 0.2; });
  found.above_06 = share_where(patches, [](double error) { return error > 0.6; });
  found.above_09 = share_where(patches, [](double error) { return error > 0.9; });
  const auto metrics = learn::patch_metrics(std::move(patches));
  found.absolute = *find_metric(metrics, "mean_absolute_error");
  found.squared = *find_metric(metrics, "mean_squared_error");
  return found;
}

Result<PatchErrors> evaluate_patches(const std::string& path, const learn::DataSet* data,
                                     PatchTest test, std::uint64_t fresh) {
  const auto model = TRY(model::open_model(path));
  const auto evaluated = predict_with(model, kEvaluatedBatch);
  if (test == PatchTest::held_out) {
    auto patches = TRY(learn::evaluate_patches(*evaluated, kEncoder, *data, learn::Split::test));
    return errors_of(std::move(patches));
  }
  ThreadPool alone(1);
  auto options = learn::fresh_patches(kEncoder, test == PatchTest::fresh_flags);
  options.count = fresh;
  const auto rows = TRY(learn::generate_in_memory(learn::minesweeper_patch_task(), options, alone));
  auto patches = TRY(learn::evaluate_patches(*evaluated, kEncoder, rows, learn::Split::training));
  return errors_of(std::move(patches));
}

double duplicate_share(bool bomb, std::uint64_t patches, Seed seed) {
  constexpr int kSide = 10, kBombs = 10;
  const learn::PatchMaker maker(model::patch_diameter(kEncoder), kSide, kSide, kBombs);
  std::unordered_set<std::uint64_t> seen;
  RandomStream random(seed, bomb ? "experiment.duplicates.bomb" : "experiment.duplicates.safe");
  learn::Patch patch;
  for (std::uint64_t i = 0; i < patches; ++i) {
    maker.make(bomb ? learn::Centre::bomb : learn::Centre::safe, random, patch);
    seen.insert(model::hash_of(patch));
  }
  return patches == 0 ? 0 : 1 - static_cast<double>(seen.size()) / static_cast<double>(patches);
}

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
    const PatchNetwork& network = findings.links[i].front();
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
