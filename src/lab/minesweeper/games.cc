#include "damier/lab/minesweeper/games.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "damier/arena/minesweeper/players.h"
#include "damier/games/minesweeper/random_play.h"
#include "damier/lab/study.h"
#include "damier/learn/data/checksum.h"
#include "damier/nn/model_file.h"

namespace damier::lab {

namespace {

using games::minesweeper::Minesweeper;
using games::minesweeper::State;

constexpr const char* kTrained = "the trained network";
constexpr int kBatch = 128;

Result<learn::PatchPlayer> make_patch_player(const nn::TensorFile& weights,
                                             const learn::PatchPlayerOptions& options) {
  auto spec = nn::model_spec(weights, kTrained);
  if (!spec) return std::move(spec).error();
  auto network = std::make_shared<nn::Network<float>>(*std::move(spec), kBatch, nn::Use::inference);
  if (auto status = nn::load_weights(*network, weights, kTrained); !status) {
    return std::move(status).error();
  }
  network->freeze();
  return learn::PatchPlayer::open(std::move(network), options);
}

PlayedGame play_at_random(const Minesweeper& game, Seed deal, RandomStream& random) {
  State state = game.deal(deal);
  while (game.outcome(state) == games::Outcome::ongoing) {
    game.play(state, games::minesweeper::random_opening(game, state, random));
  }
  return {!state.lost, game.score(state)};
}

}  // namespace

Estimate GameTally::win_rate() const { return share_estimate(wins, games); }

Estimate GameTally::mean_score() const {
  double sum = 0, squares = 0;
  for (std::size_t score = 0; score < scores.size(); ++score) {
    const auto count = static_cast<double>(scores[score]);
    const auto value = static_cast<double>(score);
    sum += count * value;
    squares += count * value * value;
  }
  return mean_estimate(EstimateKind::number, sum, squares, games);
}

Estimate GameTally::score_share() const {
  const Estimate mean = mean_score();
  const double most = scores.size() > 1 ? static_cast<double>(scores.size() - 1) : 1;
  return {mean.value / most,
          {mean.interval.low / most, std::min(1.0, mean.interval.high / most)},
          mean.n,
          EstimateKind::share};
}

std::vector<double> GameTally::values() const {
  std::vector<double> all;
  for (std::size_t score = 0; score < scores.size(); ++score) {
    all.insert(all.end(), static_cast<std::size_t>(scores[score]), static_cast<double>(score));
  }
  return all;
}

Json to_json(const GameTally& tally) {
  return {{"games", tally.games}, {"wins", tally.wins}, {"scores", tally.scores}};
}

GameTally read_tally(const Json& json) {
  return {json.at("games").get<std::int64_t>(), json.at("wins").get<std::int64_t>(),
          json.at("scores").get<std::vector<std::int64_t>>()};
}

PlayerMaker random_opener() {
  return [] {
    return [](const Minesweeper& game, std::span<const Seed> deals, std::span<RandomStream> random,
              std::span<PlayedGame> results) {
      for (std::size_t i = 0; i < deals.size(); ++i) {
        results[i] = play_at_random(game, deals[i], random[i]);
      }
    };
  };
}

Result<PlayerMaker> patch_players(std::shared_ptr<const nn::TensorFile> weights,
                                  const learn::PatchPlayerOptions& options) {
  if (auto first = make_patch_player(*weights, options); !first) return std::move(first).error();
  return PlayerMaker([weights = std::move(weights), options]() -> GamePlayer {
    // What was made once can be made again.
    auto player = std::make_shared<learn::PatchPlayer>(*make_patch_player(*weights, options));
    return [player](const Minesweeper& game, std::span<const Seed> deals,
                    std::span<RandomStream> random, std::span<PlayedGame> results) {
      for (std::size_t i = 0; i < deals.size(); ++i) {
        const auto result = player->play(game, deals[i], random[i]);
        results[i] = {result.won, result.score};
      }
    };
  });
}

Result<PlayerMaker> named_players(const std::string& player) {
  const auto factory = arena::open_minesweeper_player(player);
  if (!factory) return factory.error();
  return PlayerMaker([make = *factory]() -> GamePlayer {
    std::shared_ptr<arena::MinesweeperPlayer> made = make();
    return [made](const Minesweeper& game, std::span<const Seed> deals,
                  std::span<RandomStream> random, std::span<PlayedGame> results) {
      std::vector<arena::detail::HiddenResult> played(deals.size());
      made->play(game, deals, random, played);
      for (std::size_t i = 0; i < played.size(); ++i) {
        results[i] = {played[i].won, static_cast<int>(played[i].score)};
      }
    };
  });
}

Result<std::string> minesweeper_fingerprint(const std::string& player) {
  const auto made = arena::make_minesweeper_player(player);
  if (!made) return made.error();
  constexpr std::uint64_t kBoards = 4;
  constexpr int kOpenings = 3;
  const Minesweeper game(10, 10, 10);
  std::string seen = player;
  for (std::uint64_t i = 0; i < kBoards; ++i) {
    RandomStream random(Seed{0}, "experiment.fingerprint", i);
    State state = game.deal(Seed{i});
    for (int opening = 0; opening < kOpenings; ++opening) {
      State next = state;
      game.play(next, games::minesweeper::random_opening(game, state, random));
      if (game.outcome(next) == games::Outcome::ongoing) state = next;
    }
    for (const float risk : (*made)->risks(game.observe(state))) seen += fmt::format(" {}", risk);
  }
  return learn::checksum_of(seen);
}

Result<GameTally> play_games(const PlayerMaker& players, const GameSet& set, ThreadPool& pool,
                             const std::function<void(double)>& tell,
                             const std::function<bool()>& stop) {
  constexpr std::size_t kChunk = 64;
  const auto games = static_cast<std::size_t>(set.games);
  std::vector<PlayedGame> results(games);
  std::mutex mutex;
  std::vector<GamePlayer> idle;  // a player keeps its memory from chunk to chunk
  std::size_t done = 0;
  bool stopped = false;
  pool.for_each((games + kChunk - 1) / kChunk, [&](std::size_t chunk) {
    GamePlayer mine;
    {
      const std::lock_guard lock(mutex);
      stopped = stopped || (stop && stop());
      if (stopped) return;
      if (!idle.empty()) {
        mine = std::move(idle.back());
        idle.pop_back();
      }
    }
    if (!mine) mine = players();
    const std::size_t begin = chunk * kChunk, count = std::min(games - begin, kChunk);
    std::vector<Seed> deals;
    std::vector<RandomStream> random;
    for (std::size_t i = begin; i < begin + count; ++i) {
      deals.push_back(Seed{RandomStream(set.seed, fmt::format("{}.deal", set.name), i)()});
      random.emplace_back(set.seed, fmt::format("{}.player", set.name), i);
    }
    mine(set.game, deals, random, std::span(results).subspan(begin, count));
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(mine));
    done += count;
    if (tell) tell(static_cast<double>(done) / static_cast<double>(games));
  });
  if (stopped) return interruption();
  GameTally tally;
  tally.games = set.games;
  tally.scores.resize(static_cast<std::size_t>(set.game.cells() - set.game.bombs()) + 1);
  for (const PlayedGame& result : results) {
    tally.wins += result.won;
    ++tally.scores[static_cast<std::size_t>(result.score)];
  }
  return tally;
}

}  // namespace damier::lab
