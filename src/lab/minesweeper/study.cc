// The steps of the experiment on minesweeper: trainings, sets of games, and the choice between
// settings.
//
// The one thing to know: the weights of the network with flags are in the journal, and every step
// that plays with them has their checksum in its configuration.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "damier/base/version.h"
#include "damier/lab/minesweeper/tasks.h"
#include "damier/lab/minesweeper/weights.h"
#include "damier/learn/data/checksum.h"

namespace damier::lab {

namespace {

// Of what the steps find: a change of their code that changes a result counts it up.
constexpr int kRevision = 1;

// Names of sets of games: what was chosen on one is measured on another.
constexpr const char* kMeasured = "experiment.measure";
constexpr const char* kChosenOn = "experiment.choose";

using games::minesweeper::Minesweeper;
using published::Player;

class MinesweeperStudy {
 public:
  MinesweeperStudy(Study& study, const MinesweeperPlan& plan, const ExperimentOptions& options,
                   const ExperimentContext& context, MinesweeperTasks tasks, PlayerMaker ours,
                   std::string fingerprint)
      : study_(study),
        plan_(plan),
        seed_(options.seed),
        pool_(context.pool),
        tasks_(std::move(tasks)),
        ours_(std::move(ours)),
        fingerprint_(std::move(fingerprint)) {
    found_.plan = plan;
    found_.quick = options.quick;
    found_.seed = options.seed;
    found_.command = options.command;
    study_.plan(planned_steps(plan, tasks_));
  }

  Status run() {
    Status status = play_random();
    if (status) status = train(published::kFirst);
    if (status) status = sweep(tasks_.shares, found_.shares);
    if (status) status = sweep(tasks_.orders, found_.orders);
    // The next ones share their rows.
    if (status) status = train(published::kMany);
    if (status) status = sweep(tasks_.batches, found_.batches);
    if (status) status = train(published::kTrained);
    if (status) status = train(published::kWide);
    if (status) status = sweep(tasks_.patches, found_.patches);
    if (status) status = train_epochs();
    if (status) status = count_duplicates();
    if (status) status = train(published::kDistinct);
    if (status) status = train(published::kFlags);
    if (status) status = tune();
    if (status) status = play_boards();
    return status;
  }

  const std::string& reading() const { return reading_; }
  MinesweeperFindings take() { return std::move(found_); }

 private:
  Status play_random();
  Status train(Player player);
  Status sweep(const std::vector<SweepTask>& tasks, std::vector<PatchPoint>& into);
  Status train_epochs();
  Status count_duplicates();
  Status tune();
  Status try_grid(std::size_t number);
  Result<BoardFindings> play_board(const published::Board& board);
  Status play_boards();

  Result<PatchNetwork> trained(const PatchTask& task, bool keeps_weights);
  Result<Json> examine(const PatchTask& task, bool keeps_weights,
                       const learn::TrainingResult& result, const learn::DataSet& data);
  Result<GameTally> play(const PlayerMaker& players, const Minesweeper& game, std::int64_t games,
                         const char* set, double from = 0, double to = 1);
  // Games as a step of their own; `config` says who plays.
  Result<GameTally> tally_step(const std::string& name, Json config, const PlayerMaker& players,
                               const published::Board& board, std::int64_t games);
  // The player with flags of the report, trained here.
  Result<PlayerMaker> flag_players(double playful, double threshold) const;
  Json flag_config(double playful, double threshold) const {
    return {{"weights", weights_sum_}, {"playful", playful}, {"threshold", threshold}};
  }
  Json config() const {
    return {{"damier", version()}, {"revision", kRevision}, {"seed", value_of(seed_)}};
  }

  Study& study_;
  const MinesweeperPlan& plan_;
  Seed seed_;
  ThreadPool& pool_;
  MinesweeperTasks tasks_;
  PlayerMaker ours_;
  std::string fingerprint_;
  DataCache cache_;
  std::string reading_;  // the step whose result is being read
  MinesweeperFindings found_;
  std::shared_ptr<const nn::TensorFile> weights_;  // of the network with flags
  std::string weights_sum_;
  std::map<std::string, BoardFindings> boards_;  // a board of both tables is played once
};

Result<GameTally> MinesweeperStudy::play(const PlayerMaker& players, const Minesweeper& game,
                                         std::int64_t games, const char* set, double from,
                                         double to) {
  return play_games(
      players, {game, games, seed_, set}, pool_,
      [&](double share) {
        study_.tell(from + share * (to - from),
                    fmt::format("game {:.0f}/{}", share * static_cast<double>(games), games));
      },
      [&] { return study_.stopped(); });
}

Result<GameTally> MinesweeperStudy::tally_step(const std::string& name, Json config,
                                               const PlayerMaker& players,
                                               const published::Board& board, std::int64_t games) {
  reading_ = name;
  config["games"] = games;
  config["board"] = board_text(board);
  config.update(this->config());
  const auto json = study_.step(name, config, [&]() -> Result<Json> {
    const auto tally = play(players, board_of(board), games, kMeasured);
    if (!tally) return tally.error();
    return to_json(*tally);
  });
  if (!json) return json.error();
  return read_tally(*json);
}

Status MinesweeperStudy::play_random() {
  auto tally = tally_step(kRandomStep, Json::object(), random_opener(), kUsualBoard, plan_.games);
  if (!tally) return std::move(tally).error();
  found_.random = *std::move(tally);
  return Done{};
}

Result<Json> MinesweeperStudy::examine(const PatchTask& task, bool keeps_weights,
                                       const learn::TrainingResult& result,
                                       const learn::DataSet& data) {
  const auto errors = examine_patches(result, data, task.test, plan_.fresh);
  if (!errors) return errors.error();
  learn::PatchPlayerOptions options;
  options.flags = task.test == PatchTest::fresh_flags;
  options.playful = 1;
  options.threshold = 0;
  options.unlimited_flags = true;
  const auto players = patch_players(std::make_shared<const nn::TensorFile>(result.model), options);
  if (!players) return players.error();
  // The training is done; these games are the last bit of the step.
  const auto tally = play(*players, board_of(kUsualBoard), plan_.games, kMeasured, 1, 1);
  if (!tally) return tally.error();
  Json found = {{"errors", to_json(*errors)}, {"games", to_json(*tally)}};
  if (keeps_weights) {
    auto text = weights_text(result.model);
    if (!text) return std::move(text).error();
    found["weights"] = *std::move(text);
  }
  return found;
}

Result<PatchNetwork> MinesweeperStudy::trained(const PatchTask& task, bool keeps_weights) {
  reading_ = task.step;
  // What `examine` does follows from the recipe, and from these.
  learn::Checksum sum;
  sum.add(fmt::format("{} {} {}", kRevision, plan_.games, plan_.fresh));
  const int revision = static_cast<int>(sum.value() >> 33);
  auto network = train_step(study_,
                            {task.step, task.recipe, seed_, revision,
                             [&](const learn::TrainingResult& result, const learn::DataSet& data) {
                               return examine(task, keeps_weights, result, data);
                             }},
                            cache_, pool_);
  if (!network) return std::move(network).error();
  PatchNetwork found;
  found.errors = read_errors(network->found.at("errors"));
  found.games = read_tally(network->found.at("games"));
  found.network = *std::move(network);
  return found;
}

Status MinesweeperStudy::train(Player player) {
  const bool flags = player == published::kFlags;
  auto network = trained(tasks_.chain[player], flags);
  if (!network) return std::move(network).error();
  if (flags) {
    const auto text = network->network.found.at("weights").get<std::string>();
    auto weights = read_weights(text);
    if (!weights) return study_.broken(reading_);
    weights_ = std::make_shared<const nn::TensorFile>(*std::move(weights));
    weights_sum_ = learn::checksum_of(text);
  }
  network->network.found = nullptr;  // it has been read
  found_.networks[player] = *std::move(network);
  return Done{};
}

Status MinesweeperStudy::sweep(const std::vector<SweepTask>& tasks, std::vector<PatchPoint>& into) {
  for (const SweepTask& point : tasks) {
    // A point that is a network of the chain is not trained twice.
    const auto same = std::find_if(
        tasks_.chain.begin(), tasks_.chain.end(),
        [&](const PatchTask& task) { return task.recipe.json == point.task.recipe.json; });
    const auto place = static_cast<std::size_t>(same - tasks_.chain.begin());
    if (same != tasks_.chain.end() && found_.networks[place].games.games > 0) {
      into.push_back({point.name, point.x, found_.networks[place]});
      continue;
    }
    auto network = trained(point.task, false);
    if (!network) return std::move(network).error();
    network->network.found = nullptr;
    into.push_back({point.name, point.x, *std::move(network)});
  }
  return Done{};
}

Status MinesweeperStudy::train_epochs() {
  auto network = train_step(
      study_, {tasks_.epochs.step, tasks_.epochs.recipe, seed_, kRevision, {}}, cache_, pool_);
  if (!network) return std::move(network).error();
  found_.epochs = *std::move(network);
  return Done{};
}

Status MinesweeperStudy::count_duplicates() {
  reading_ = kDuplicatesStep;
  Json config = this->config();
  config["patches"] = plan_.duplicates_of;
  const auto json = study_.step(reading_, config, [&]() -> Result<Json> {
    return Json{{"safe", duplicate_share(false, plan_.duplicates_of, seed_)},
                {"bomb", duplicate_share(true, plan_.duplicates_of, seed_)}};
  });
  if (!json) return json.error();
  found_.safe_duplicates = json->at("safe").get<double>();
  found_.bomb_duplicates = json->at("bomb").get<double>();
  return Done{};
}

Result<PlayerMaker> MinesweeperStudy::flag_players(double playful, double threshold) const {
  learn::PatchPlayerOptions options;
  options.flags = true;
  options.playful = playful;
  options.threshold = threshold;
  options.unlimited_flags = true;
  return patch_players(weights_, options);
}

Status MinesweeperStudy::try_grid(std::size_t number) {
  const MinesweeperPlan::Grid& grid = plan_.grids[number];
  reading_ = grid_step(number);
  Json config = this->config();
  config.update({{"weights", weights_sum_},
                 {"playful", grid.playful},
                 {"threshold", grid.threshold},
                 {"games", plan_.grid_games}});
  const auto json = study_.step(reading_, config, [&]() -> Result<Json> {
    Json wins = Json::array();
    const auto settings = static_cast<double>(grid.playful.size() * grid.threshold.size());
    double done = 0;
    for (const double playful : grid.playful) {
      wins.push_back(Json::array());
      Json& row = wins.back();
      for (const double threshold : grid.threshold) {
        const auto players = flag_players(playful, threshold);
        if (!players) return players.error();
        const auto tally = play(*players, board_of(kUsualBoard), plan_.grid_games, kChosenOn,
                                done / settings, (done + 1) / settings);
        if (!tally) return tally.error();
        row.push_back(tally->wins);
        ++done;
      }
    }
    return wins;
  });
  if (!json) return json.error();
  found_.grids.push_back({grid, json->get<std::vector<std::vector<std::int64_t>>>()});
  return Done{};
}

Status MinesweeperStudy::tune() {
  for (std::size_t i = 0; i < plan_.grids.size(); ++i) {
    if (auto status = try_grid(i); !status) return status;
  }
  // The most wins; of as many, the first.
  found_.chosen_wins = -1;
  for (const GridFindings& tried : found_.grids) {
    for (std::size_t p = 0; p < tried.grid.playful.size(); ++p) {
      for (std::size_t t = 0; t < tried.grid.threshold.size(); ++t) {
        const std::int64_t wins = tried.wins.at(p).at(t);
        if (wins <= found_.chosen_wins) continue;
        found_.chosen_wins = wins;
        found_.playful = tried.grid.playful[p];
        found_.threshold = tried.grid.threshold[t];
      }
    }
  }
  const auto players = flag_players(published::kPlayful, published::kThreshold);
  if (!players) return players.error();
  auto tally =
      tally_step(kReportSettingStep, flag_config(published::kPlayful, published::kThreshold),
                 *players, kUsualBoard, plan_.games);
  if (!tally) return std::move(tally).error();
  found_.report_setting = *std::move(tally);
  return Done{};
}

Result<BoardFindings> MinesweeperStudy::play_board(const published::Board& board) {
  const auto known = boards_.find(board_text(board));
  if (known != boards_.end()) return known->second;
  const auto copy = flag_players(found_.playful, found_.threshold);
  if (!copy) return copy.error();
  BoardFindings found{board, {}, {}};
  auto tally = tally_step(copy_step(board), flag_config(found_.playful, found_.threshold), *copy,
                          board, plan_.games);
  if (!tally) return std::move(tally).error();
  found.copy = *std::move(tally);
  tally =
      tally_step(ours_step(plan_, board), {{"player", plan_.player}, {"fingerprint", fingerprint_}},
                 ours_, board, plan_.player_games);
  if (!tally) return std::move(tally).error();
  found.ours = *std::move(tally);
  boards_[board_text(board)] = found;
  return found;
}

Status MinesweeperStudy::play_boards() {
  auto usual = play_board(kUsualBoard);
  if (!usual) return std::move(usual).error();
  found_.tuned = std::move(usual->copy);
  found_.ours = std::move(usual->ours);
  const auto table = [&](const std::vector<published::Board>& boards,
                         std::vector<BoardFindings>& into) -> Status {
    for (const published::Board& board : boards) {
      auto found = play_board(board);
      if (!found) return std::move(found).error();
      into.push_back(*std::move(found));
      into.back().board = board;
    }
    return Done{};
  };
  if (auto status = table(plan_.sizes, found_.sizes); !status) return status;
  return table(plan_.densities, found_.densities);
}

}  // namespace

Result<MinesweeperFindings> study_minesweeper(const MinesweeperPlan& plan,
                                              const ExperimentOptions& options,
                                              const ExperimentContext& context) {
  // Whatever is wrong is told before the work.
  auto tasks = minesweeper_tasks(plan, options.seed);
  if (!tasks) return std::move(tasks).error();
  auto ours = named_players(plan.player);
  if (!ours) return std::move(ours).error();
  auto fingerprint = minesweeper_fingerprint(plan.player);
  if (!fingerprint) return std::move(fingerprint).error();
  auto study = Study::open(experiment_folder("minesweeper", options), options.fresh, context.hooks);
  if (!study) return std::move(study).error();
  MinesweeperStudy work(*study, plan, options, context, *std::move(tasks), *std::move(ours),
                        *std::move(fingerprint));
  try {
    if (auto status = work.run(); !status) return std::move(status).error();
  } catch (const Json::Mismatch&) {
    return study->broken(work.reading());
  }
  return work.take();
}

}  // namespace damier::lab
