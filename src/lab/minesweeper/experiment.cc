// The experiment on minesweeper: the recipes of its trainings, its sets of games, and the choice
// between settings.

#include "damier/lab/minesweeper/experiment.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "damier/lab/minesweeper/games.h"
#include "damier/play/players/player_text.h"

namespace damier::lab {

namespace {

constexpr int kRevision = 2;
constexpr const char* kUsualBoard = "10x10x10";

// Names of sets of games: what was chosen on one is measured on another.
constexpr const char* kMeasured = "experiment.measure";
constexpr const char* kChosenOn = "experiment.choose";

constexpr const char* kFirstRecipe = "minesweeper-report-first";
constexpr const char* kDistinctRecipe = "minesweeper-report";
constexpr const char* kFlagsRecipe = "minesweeper-report-flags";
constexpr std::uint64_t kMasks = 10;  // of each patch

// The study evaluates the networks itself; the task's own sets would only cost time.
learn::Settings settings_of(const PatchTraining& training, Seed seed) {
  return {fmt::format("data.generate.count={}", training.rows),
          fmt::format("data.generate.seed={}", value_of(seed)),
          fmt::format("batch={}", training.batch), fmt::format("epochs={}", training.epochs),
          "evaluation.sets=[]"};
}

// The rows of a training and, beside them, those that are held out.
void hold_out(learn::Settings& settings, const char* split, std::uint64_t rows,
              std::uint64_t held_out) {
  const auto all = rows + held_out;
  settings.emplace_back("data.generate.split=class");
  settings.push_back(fmt::format("data.generate.count={}", all));
  settings.emplace_back("data.generate.validation=0");
  settings.emplace_back("data.generate.test=0");
  settings.push_back(fmt::format("data.generate.{}={:.6f}", split,
                                 static_cast<double>(held_out) / static_cast<double>(all)));
}

std::string layers_text(const std::vector<int>& widths) {
  std::string text;
  for (const int width : widths) {
    text += fmt::format(R"({}{{"type":"dense","units":{}}},{{"type":"relu"}})",
                        text.empty() ? "" : ",", width);
  }
  return fmt::format("network.layers=[{}]", text);
}

// What the steps of a sweep are called, by the name of the point.
constexpr std::array<const char*, kSweeps> kSweepSteps = {"bomb share {}", "order {}", "{} patches",
                                                          "batch {}"};

constexpr double kCopyRate = 1500, kOurRate = 250;  // games on 10x10x10 in a second

using games::minesweeper::Minesweeper;

// The report's player with flags.
std::string flags_text(double playful, double threshold) {
  return fmt::format(",flags,pl={:g},ft={:g}", playful, threshold);
}

// Who plays a set of games: what decides how, and the players, opened when the games begin.
struct Contestant {
  std::function<Json()> identity;
  std::function<Result<play::MinesweeperFactory>()> open;
};

Contestant trained_player(const PatchNetwork& network, std::function<std::string()> options) {
  return {
      [&network, options] {
        return Json{{"recipe", network.recipe.json},
                    {"training", value_of(network.seed)},
                    {"options", options()}};
      },
      [&network, options] {
        return minesweeper_players("net:" + play::player_value(network.trained.model) + options());
      }};
}

GridChoice best_of(std::span<const Grid> grids) {
  GridChoice best;
  for (const Grid& grid : grids) {
    for (std::size_t i = 0; i < grid.rows.size(); ++i) {
      for (std::size_t j = 0; j < grid.columns.size(); ++j) {
        if (grid.successes[i][j] <= best.successes) continue;
        best = {grid.rows[i], grid.columns[j], grid.successes[i][j]};
      }
    }
  }
  return best;
}

PatchTest test_of(PatchLink link) {
  if (link == kFlags) return PatchTest::fresh_flags;
  return link >= kDistinct ? PatchTest::held_out : PatchTest::fresh;
}

// "alternate:5" -> "alternate 5"
std::string order_name(const std::string& order) {
  if (order == "mixed") return "random";
  std::string name = order;
  for (const char sign : {':', '-'}) std::ranges::replace(name, sign, ' ');
  return name;
}

double game_seconds(std::int64_t games, const Minesweeper& board, double rate) {
  const double size = board.cells() / 100.0;
  return static_cast<double>(games) * size * size / rate;
}

// Reads all recipes and boards, so that a study with an error does no work.
Status prepare(const MinesweeperPlan& plan, Seed study_seed, MinesweeperFindings& found) {
  for (std::size_t i = 0; i < kLinks; ++i) {
    const auto link = static_cast<PatchLink>(i);
    for (int k = 0; k < plan.links[i].seeds; ++k) {
      const Seed seed{value_of(study_seed) + static_cast<std::uint64_t>(k)};
      const std::string name(link_name(link));
      const auto recipe = TRY(link_recipe(plan, link, seed));
      found.links[i].push_back({name,
                                k == 0 ? name : fmt::format("{}, seed {}", name, value_of(seed)),
                                recipe, seed, test_of(link)});
    }
  }
  for (std::size_t i = 0; i < kSweeps; ++i) {
    for (const Json& value : plan.sweeps[i].values) {
      const std::string name =
          value.is_string() ? order_name(value.text()) : fmt::format("{}", value.get<double>());
      const auto recipe = TRY(sweep_recipe(plan, static_cast<PatchSweep>(i), value, study_seed));
      found.sweeps[i].push_back(
          {name, fmt::format(fmt::runtime(kSweepSteps[i]), name), recipe, study_seed});
    }
  }
  found.epochs_recipe = TRY(epoch_recipe(plan, study_seed));
  std::set<std::string> boards = {kUsualBoard};
  boards.insert(plan.sizes.begin(), plan.sizes.end());
  boards.insert(plan.densities.begin(), plan.densities.end());
  for (const std::string& board : boards) {
    const auto game = TRY(Minesweeper::make({{"board", board}}));
    found.boards.emplace(board, BoardFindings{game, {}, {}});
  }
  return Done{};
}

class MinesweeperSteps {
 public:
  MinesweeperSteps(const Published& published, const MinesweeperPlan& plan, Study& study,
                   MinesweeperFindings& found)
      : plan_(plan),
        study_(study),
        found_(found),
        playful_(published.value("tuned.playful")),
        threshold_(published.value("tuned.threshold")) {}

  void list(const play::MinesweeperFactory& players) {
    add_games("random player",
              {[] { return Json("random"); }, [] { return minesweeper_players("random"); }},
              kUsualBoard, plan_.games, kCopyRate, found_.random);
    add_link(kFirst);
    add_sweep(kShares);
    add_sweep(kOrders);
    // The next ones share their rows.
    add_link(kMany);
    add_sweep(kBatches);
    add_link(kTrained);
    add_link(kWide);
    add_sweep(kPatches);
    study_.train("train epoch by epoch", found_.epochs_recipe, study_.seed(), found_.epochs);
    study_.measure<Duplicates>(
        {"duplicates"}, Json{{"measure", "duplicates"}, {"patches", plan_.duplicates_of}},
        [this]() -> Result<Duplicates> {
          return Duplicates{duplicate_share(false, plan_.duplicates_of, study_.seed()),
                            duplicate_share(true, plan_.duplicates_of, study_.seed())};
        },
        found_.duplicates);
    add_link(kDistinct);
    add_link(kFlags);
    add_link(kPlay);
    found_.grids.resize(plan_.grids.size());
    for (std::size_t i = 0; i < plan_.grids.size(); ++i) add_grid(i);
    add_boards(players);
  }

 private:
  // How a network of the chain plays in its own row.
  std::string own_options(PatchLink link) const {
    if (link == kFlags) return flags_text(1, 0);
    return link == kPlay ? flags_text(playful_, threshold_) : "";
  }
  std::string chosen_options() const {
    const GridChoice chosen = best_of(found_.grids);
    return flags_text(chosen.row, chosen.column);
  }
  Result<GameTally> play(const Contestant& who, const std::string& board, std::int64_t games,
                         const char* set, double from = 0, double to = 1) {
    const auto players = TRY(who.open());
    return play_games(
        players, {found_.boards.at(board).game, games, study_.seed(), set}, study_.pool(),
        [&](double share) {
          study_.tell(from + share * (to - from),
                      fmt::format("game {:.0f}/{}", share * static_cast<double>(games), games));
        },
        [&] { return study_.stopped(); });
  }

  void add_games(const std::string& name, Contestant who, const std::string& board,
                 std::int64_t games, double rate, GameTally& into) {
    study_.measure<GameTally>(
        {name, game_seconds(games, found_.boards.at(board).game, rate)},
        [=] {
          return Json{
              {"measure", "games"}, {"player", who.identity()}, {"board", board}, {"games", games}};
        },
        [=, this] { return play(who, board, games, kMeasured); }, into);
  }

  void add_look(PatchNetwork& network, const std::string& options) {
    study_.measure<PatchLook>(
        {"look at " + network.task, 2},
        Json{{"measure", "look"},
             {"recipe", network.recipe.json},
             {"training", value_of(network.seed)},
             {"options", options},
             {"test", static_cast<int>(network.test)},
             {"fresh", plan_.fresh},
             {"games", plan_.games}},
        [=, this, &network]() -> Result<PatchLook> {
          Study::SharedData rows;
          if (network.test == PatchTest::held_out) rows = TRY(study_.data(network.recipe));
          auto errors =
              TRY(evaluate_patches(network.trained.model, rows.get(), network.test, plan_.fresh));
          const Contestant who = trained_player(network, [options] { return options; });
          auto games = TRY(play(who, kUsualBoard, plan_.games, kMeasured));
          return PatchLook{std::move(errors), std::move(games)};
        },
        network.look);
  }

  // The network, what it says and how it plays; then the same with other seeds.
  void add_link(PatchLink link) {
    const std::string options = own_options(link), tuned = flags_text(playful_, threshold_);
    const auto add = [&](const std::string& name, PatchNetwork& network, const std::string& how,
                         GameTally& into) {
      add_games(name, trained_player(network, [how] { return how; }), kUsualBoard, plan_.games,
                kCopyRate, into);
    };
    for (PatchNetwork& network : found_.links[link]) {
      study_.train("train " + network.task, network.recipe, network.seed, network.trained);
      if (&network == &found_.links[link].front()) {
        add_look(network, options);
      } else {
        add("games of " + network.task, network, options, network.look.games);
      }
      if (link != kFlags) continue;
      add(network.task + " at the report's setting", network, tuned, network.tuned);
    }
  }

  void add_sweep(PatchSweep sweep) {
    for (PatchNetwork& network : found_.sweeps[sweep]) {
      study_.train("train " + network.task, network.recipe, network.seed, network.trained);
      add_look(network, "");
    }
  }

  void add_grid(std::size_t number) {
    const FlagSettings& settings = plan_.grids[number];
    const auto tried =
        static_cast<std::int64_t>(settings.playful.size() * settings.threshold.size());
    const PatchNetwork& network = found_.links[kFlags].front();
    study_.measure<Grid>(
        {fmt::format("settings of flags {}", number + 1),
         game_seconds(tried * plan_.grid_games, found_.usual().game, kCopyRate)},
        Json{{"measure", "grid"},
             {"recipe", network.recipe.json},
             {"training", value_of(network.seed)},
             {"playful", settings.playful},
             {"threshold", settings.threshold},
             {"games", plan_.grid_games}},
        [=, this, &network]() -> Result<Grid> {
          Grid grid{settings.playful, settings.threshold, plan_.grid_games, {}};
          double done = 0;
          for (const double playful : grid.rows) {
            auto& row = grid.successes.emplace_back();
            for (const double threshold : grid.columns) {
              const auto all = static_cast<double>(tried);
              const Contestant who =
                  trained_player(network, [&] { return flags_text(playful, threshold); });
              const auto tally = TRY(play(who, kUsualBoard, plan_.grid_games, kChosenOn, done / all,
                                          (done + 1) / all));
              row.push_back(tally.wins);
              ++done;
            }
          }
          return grid;
        },
        found_.grids[number]);
  }

  void add_boards(const play::MinesweeperFactory& players) {
    const std::string fingerprint = minesweeper_fingerprint(plan_.player, players);
    const Contestant ours = {[this, fingerprint] {
                               return Json{{"text", plan_.player}, {"fingerprint", fingerprint}};
                             },
                             [players] { return players; }};
    const Contestant copy =
        trained_player(found_.links[kFlags].front(), [this] { return chosen_options(); });
    std::vector<std::string> order = {kUsualBoard};
    order.insert(order.end(), plan_.sizes.begin(), plan_.sizes.end());
    order.insert(order.end(), plan_.densities.begin(), plan_.densities.end());
    std::set<std::string> known;
    for (const std::string& board : order) {
      if (!known.insert(board).second) continue;
      add_games("tuned flags on " + board, copy, board, plan_.games, kCopyRate,
                found_.boards.at(board).copy);
      add_games(fmt::format("{} on {}", plan_.player, board), ours, board, plan_.player_games,
                kOurRate, found_.boards.at(board).ours);
    }
  }

  const MinesweeperPlan& plan_;
  Study& study_;
  MinesweeperFindings& found_;
  double playful_, threshold_;  // the report's setting
};

}  // namespace

std::string_view link_name(PatchLink link) {
  constexpr std::array<std::string_view, kLinks> kNames = {
      "first",         "more patches", "batch and epochs", "wider network",
      "no duplicates", "flags",        "patches from play"};
  return kNames[link];
}

Result<learn::Recipe> link_recipe(const MinesweeperPlan& plan, PatchLink link, Seed seed) {
  const PatchTraining& training = plan.links[link];
  learn::Settings settings = settings_of(training, seed);
  if (link == kWide) settings.push_back(layers_text(plan.wide));
  if (link < kDistinct) return learn::find_recipe(kFirstRecipe, settings);
  hold_out(settings, "test", training.rows, plan.held_out);
  if (link == kPlay) {
    settings.emplace_back("data.generate.source=play");
    settings.emplace_back("data.generate.duplicates=true");
    settings.emplace_back("data.generate.pool=0");
  } else {
    settings.push_back(fmt::format("data.generate.pool={}", plan.pool));
  }
  return learn::find_recipe(link == kDistinct ? kDistinctRecipe : kFlagsRecipe, settings);
}

Result<learn::Recipe> sweep_recipe(const MinesweeperPlan& plan, PatchSweep sweep, const Json& value,
                                   Seed seed) {
  PatchTraining training = plan.sweeps[sweep].training;
  if (sweep == kPatches) training.rows = kMasks * value.get<std::uint64_t>();
  if (sweep == kBatches) training.batch = value.get<int>();
  learn::Settings settings = settings_of(training, seed);
  if (sweep == kShares) {
    settings.push_back(fmt::format("data.generate.bomb_share={}", value.get<double>()));
  }
  if (sweep == kOrders) {
    settings.push_back("data.generate.order=" + value.text());
    settings.emplace_back("order=stored");
  }
  return learn::find_recipe(kFirstRecipe, settings);
}

// Validation rows tell of each epoch.
Result<learn::Recipe> epoch_recipe(const MinesweeperPlan& plan, Seed seed) {
  learn::Settings settings = settings_of(plan.epochs, seed);
  hold_out(settings, "validation", plan.epochs.rows, plan.held_out);
  return learn::find_recipe(kFirstRecipe, settings);
}

Result<Json> study_minesweeper(const Published& published, const MinesweeperPlan& plan,
                               const ExperimentOptions& options, const ExperimentContext& context) {
  // Whatever is wrong is told before the work.
  MinesweeperFindings found;
  TRY(prepare(plan, options.seed, found));
  // Once and for all: the study's own trainings may change what the player's text means.
  const auto players = TRY(minesweeper_players(plan.player));
  auto study = TRY(open_study("minesweeper", kRevision, options, context));
  MinesweeperSteps steps(published, plan, study, found);
  steps.list(players);
  TRY(study.run());
  found.chosen = best_of(found.grids);
  return document_of(found, plan);
}

}  // namespace damier::lab
