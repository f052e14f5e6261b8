// The steps of the experiment on minesweeper: trainings, sets of games, and the choice between
// settings.

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

// A network that is trained in this study, with options of the player.
struct PatchTask {
  std::string name;
  learn::Recipe recipe;
  Seed seed = Seed{1};
  PatchTest test = PatchTest::fresh;
};

Contestant trained_player(const PatchTask& task, const TrainedNetwork& trained,
                          std::function<std::string()> options) {
  return {[task, options] {
            return Json{{"recipe", task.recipe.json},
                        {"training", value_of(task.seed)},
                        {"options", options()}};
          },
          [&trained, options] {
            return minesweeper_players("net:" + play::player_value(trained.model) + options());
          }};
}

PatchTest test_of(PatchLink link) {
  if (link == kFlags) return PatchTest::fresh_flags;
  return link >= kDistinct ? PatchTest::held_out : PatchTest::fresh;
}

// "alternate:5" -> "alternate 5"
std::string order_name(const std::string& order) {
  if (order == "mixed") return "random";
  std::string name = order;
  for (const char sign : {':', '-'}) std::replace(name.begin(), name.end(), sign, ' ');
  return name;
}

double game_seconds(std::int64_t games, const Minesweeper& board, double rate) {
  const double size = board.cells() / 100.0;
  return static_cast<double>(games) * size * size / rate;
}

class MinesweeperSteps {
 public:
  MinesweeperSteps(const Published& published, const MinesweeperPlan& plan, Seed seed,
                   MinesweeperFindings& found)
      : plan_(plan),
        seed_(seed),
        found_(found),
        playful_(published.value("tuned.playful")),
        threshold_(published.value("tuned.threshold")) {}

  // Reads all recipes and boards, so that a study with an error does no work.
  Status prepare();
  void list(Study& study, const play::MinesweeperFactory& players);

 private:
  PatchTask take(const std::string& name, Result<learn::Recipe> recipe, Seed seed,
                 PatchTest test = PatchTest::fresh) {
    if (recipe) return {name, *std::move(recipe), seed, test};
    if (!error_) error_ = std::move(recipe).error();
    return {};
  }

  void add_link(Study& study, PatchLink link);
  void add_sweep(Study& study, PatchSweep sweep);
  void add_look(Study& study, const PatchTask& task, const TrainedNetwork& trained,
                const std::string& options, PatchLook& into);
  void add_games(Study& study, const std::string& name, Contestant who, const std::string& board,
                 std::int64_t games, double rate, GameTally& into);
  void add_grid(Study& study, std::size_t number);
  void add_boards(Study& study, const play::MinesweeperFactory& players);

  // How a network of the chain plays in its own row.
  std::string own_options(PatchLink link) const {
    if (link == kFlags) return flags_text(1, 0);
    return link == kPlay ? flags_text(playful_, threshold_) : "";
  }
  std::string chosen_options() const {
    const GridChoice chosen = best_of(found_.grids);
    return flags_text(chosen.row, chosen.column);
  }
  Result<GameTally> play(Study& study, const Result<play::MinesweeperFactory>& players,
                         const std::string& board, std::int64_t games, const char* set,
                         double from = 0, double to = 1);

  const MinesweeperPlan& plan_;
  Seed seed_;
  MinesweeperFindings& found_;
  double playful_, threshold_;  // the report's setting
  std::optional<Error> error_;
  std::array<std::vector<PatchTask>, kLinks> links_;  // by seed
  std::array<std::vector<PatchTask>, kSweeps> sweeps_;
  PatchTask epochs_;
  std::map<std::string, Minesweeper> boards_;
};

Status MinesweeperSteps::prepare() {
  for (std::size_t i = 0; i < kLinks; ++i) {
    const auto link = static_cast<PatchLink>(i);
    for (int k = 0; k < plan_.links[i].seeds; ++k) {
      const Seed seed{value_of(seed_) + static_cast<std::uint64_t>(k)};
      const std::string name =
          std::string(link_name(link)) + (k == 0 ? "" : fmt::format(", seed {}", value_of(seed)));
      links_[i].push_back(take(name, link_recipe(plan_, link, seed), seed, test_of(link)));
    }
  }
  for (std::size_t i = 0; i < kSweeps; ++i) {
    const auto sweep = static_cast<PatchSweep>(i);
    for (const Json& value : plan_.sweeps[i].values) {
      const std::string name =
          value.is_string() ? order_name(value.text()) : fmt::format("{}", value.get<double>());
      found_.sweeps[i].push_back({name, value.is_string() ? 0 : value.get<double>(), {}, {}});
      sweeps_[i].push_back(take(fmt::format(fmt::runtime(kSweepSteps[i]), name),
                                sweep_recipe(plan_, sweep, value, seed_), seed_));
    }
  }
  epochs_ = take("epoch by epoch", epoch_recipe(plan_, seed_), seed_);
  std::set<std::string> boards = {kUsualBoard};
  boards.insert(plan_.sizes.begin(), plan_.sizes.end());
  boards.insert(plan_.densities.begin(), plan_.densities.end());
  for (const std::string& board : boards) {
    const auto game = Minesweeper::make({{"board", board}});
    if (!game) return game.error();
    boards_.emplace(board, *game);
    found_.boards[board] = {};
  }
  if (error_) return *error_;
  return Done{};
}

Result<GameTally> MinesweeperSteps::play(Study& study,
                                         const Result<play::MinesweeperFactory>& players,
                                         const std::string& board, std::int64_t games,
                                         const char* set, double from, double to) {
  if (!players) return players.error();
  return play_games(
      *players, {boards_.at(board), games, seed_, set}, study.pool(),
      [&](double share) {
        study.tell(from + share * (to - from),
                   fmt::format("game {:.0f}/{}", share * static_cast<double>(games), games));
      },
      [&] { return study.stopped(); });
}

void MinesweeperSteps::add_games(Study& study, const std::string& name, Contestant who,
                                 const std::string& board, std::int64_t games, double rate,
                                 GameTally& into) {
  study.measure<GameTally>(
      {name, game_seconds(games, boards_.at(board), rate)},
      [=] {
        return Json{
            {"measure", "games"}, {"player", who.identity()}, {"board", board}, {"games", games}};
      },
      [=, this, &study] { return play(study, who.open(), board, games, kMeasured); }, into);
}

void MinesweeperSteps::add_look(Study& study, const PatchTask& task, const TrainedNetwork& trained,
                                const std::string& options, PatchLook& into) {
  study.measure<PatchLook>(
      {"look at " + task.name, 2},
      [=, this] {
        return Json{{"measure", "look"},
                    {"recipe", task.recipe.json},
                    {"training", value_of(task.seed)},
                    {"options", options},
                    {"test", static_cast<int>(task.test)},
                    {"fresh", plan_.fresh},
                    {"games", plan_.games}};
      },
      [=, this, &study, &trained]() -> Result<PatchLook> {
        Study::SharedData rows;
        if (task.test == PatchTest::held_out) rows = TRY(study.data(task.recipe));
        auto errors = TRY(evaluate_patches(trained.model, rows.get(), task.test, plan_.fresh));
        auto games = TRY(
            play(study, minesweeper_players("net:" + play::player_value(trained.model) + options),
                 kUsualBoard, plan_.games, kMeasured));
        return PatchLook{std::move(errors), std::move(games)};
      },
      into);
}

// The network, what it says and how it plays; then the same with other seeds.
void MinesweeperSteps::add_link(Study& study, PatchLink link) {
  PatchNetwork& network = found_.links[link];
  const std::vector<PatchTask>& tasks = links_[link];
  const std::string options = own_options(link);
  network.others.resize(tasks.size() - 1);
  if (link == kFlags) network.tuned.resize(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    TrainedNetwork& trained = i == 0 ? network.trained : network.others[i - 1].trained;
    study.train("train " + tasks[i].name, tasks[i].recipe, tasks[i].seed, trained);
    if (i == 0) {
      add_look(study, tasks[i], trained, options, network.look);
    } else {
      add_games(study, "games of " + tasks[i].name,
                trained_player(tasks[i], trained, [options] { return options; }), kUsualBoard,
                plan_.games, kCopyRate, network.others[i - 1].games);
    }
    if (link != kFlags) continue;
    const std::string tuned = flags_text(playful_, threshold_);
    add_games(study, fmt::format("{} at the report's setting", tasks[i].name),
              trained_player(tasks[i], trained, [tuned] { return tuned; }), kUsualBoard,
              plan_.games, kCopyRate, network.tuned[i]);
  }
}

void MinesweeperSteps::add_sweep(Study& study, PatchSweep sweep) {
  for (std::size_t i = 0; i < sweeps_[sweep].size(); ++i) {
    const PatchTask& task = sweeps_[sweep][i];
    PatchPoint& point = found_.sweeps[sweep][i];
    study.train("train " + task.name, task.recipe, task.seed, point.trained);
    add_look(study, task, point.trained, "", point.look);
  }
}

void MinesweeperSteps::add_grid(Study& study, std::size_t number) {
  const FlagSettings& settings = plan_.grids[number];
  const auto tried = static_cast<std::int64_t>(settings.playful.size() * settings.threshold.size());
  const PatchTask& task = links_[kFlags].front();
  study.measure<Grid>(
      {fmt::format("settings of flags {}", number + 1),
       game_seconds(tried * plan_.grid_games, boards_.at(kUsualBoard), kCopyRate)},
      [=, this] {
        return Json{{"measure", "grid"},
                    {"recipe", task.recipe.json},
                    {"training", value_of(task.seed)},
                    {"playful", settings.playful},
                    {"threshold", settings.threshold},
                    {"games", plan_.grid_games}};
      },
      [=, this, &study]() -> Result<Grid> {
        Grid grid{settings.playful, settings.threshold, plan_.grid_games, {}};
        double done = 0;
        for (const double playful : grid.rows) {
          auto& row = grid.successes.emplace_back();
          for (const double threshold : grid.columns) {
            const auto all = static_cast<double>(tried);
            const auto tally =
                TRY(play(study,
                         minesweeper_players(
                             "net:" + play::player_value(found_.links[kFlags].trained.model) +
                             flags_text(playful, threshold)),
                         kUsualBoard, plan_.grid_games, kChosenOn, done / all, (done + 1) / all));
            row.push_back(tally.wins);
            ++done;
          }
        }
        return grid;
      },
      found_.grids[number]);
}

void MinesweeperSteps::add_boards(Study& study, const play::MinesweeperFactory& players) {
  const std::string fingerprint = minesweeper_fingerprint(plan_.player, players);
  const Contestant ours = {[this, fingerprint] {
                             return Json{{"text", plan_.player}, {"fingerprint", fingerprint}};
                           },
                           [players] { return players; }};
  const Contestant copy = trained_player(links_[kFlags].front(), found_.links[kFlags].trained,
                                         [this] { return chosen_options(); });
  std::vector<std::string> order = {kUsualBoard};
  order.insert(order.end(), plan_.sizes.begin(), plan_.sizes.end());
  order.insert(order.end(), plan_.densities.begin(), plan_.densities.end());
  std::set<std::string> known;
  for (const std::string& board : order) {
    if (!known.insert(board).second) continue;
    add_games(study, "tuned flags on " + board, copy, board, plan_.games, kCopyRate,
              found_.boards.at(board).copy);
    add_games(study, fmt::format("{} on {}", plan_.player, board), ours, board, plan_.player_games,
              kOurRate, found_.boards.at(board).ours);
  }
}

void MinesweeperSteps::list(Study& study, const play::MinesweeperFactory& players) {
  add_games(study, "random player",
            {[] { return Json("random"); }, [] { return minesweeper_players("random"); }},
            kUsualBoard, plan_.games, kCopyRate, found_.random);
  add_link(study, kFirst);
  add_sweep(study, kShares);
  add_sweep(study, kOrders);
  // The next ones share their rows.
  add_link(study, kMany);
  add_sweep(study, kBatches);
  add_link(study, kTrained);
  add_link(study, kWide);
  add_sweep(study, kPatches);
  study.train("train " + epochs_.name, epochs_.recipe, epochs_.seed, found_.epochs);
  study.measure<Duplicates>(
      {"duplicates"},
      [this] {
        return Json{{"measure", "duplicates"}, {"patches", plan_.duplicates_of}};
      },
      [this]() -> Result<Duplicates> {
        return Duplicates{duplicate_share(false, plan_.duplicates_of, seed_),
                          duplicate_share(true, plan_.duplicates_of, seed_)};
      },
      found_.duplicates);
  add_link(study, kDistinct);
  add_link(study, kFlags);
  add_link(study, kPlay);
  found_.grids.resize(plan_.grids.size());
  for (std::size_t i = 0; i < plan_.grids.size(); ++i) add_grid(study, i);
  add_boards(study, players);
}

}  // namespace

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

Result<Json> study_minesweeper(const Published& published, const MinesweeperPlan& plan,
                               const ExperimentOptions& options, const ExperimentContext& context) {
  // Whatever is wrong is told before the work.
  MinesweeperFindings found;
  MinesweeperSteps steps(published, plan, options.seed, found);
  TRY(steps.prepare());
  // Once and for all: the study's own trainings may change what the player's text means.
  const auto players = TRY(minesweeper_players(plan.player));
  auto study = TRY(open_study("minesweeper", kRevision, options, context));
  steps.list(study, players);
  TRY(study.run());
  found.chosen = best_of(found.grids);
  return document_of(found, plan);
}

}  // namespace damier::lab
