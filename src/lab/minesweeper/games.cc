#include "damier/lab/minesweeper/games.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "damier/base/files/checksum.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/parallel/threads.h"
#include "damier/games/minesweeper/minesweeper.h"
#include "damier/games/outcome.h"
#include "damier/report/plot/plot.h"

namespace damier::lab {

namespace {

using games::HiddenResult;
using games::minesweeper::Minesweeper;
using games::minesweeper::State;

// The report's random player.
class RandomOpener final : public play::MinesweeperPlayer {
 public:
  games::minesweeper::Move choose_move(const Observation& board, RandomStream& random) override {
    std::vector<int> masked;
    for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
      if (board.cells[cell] == games::minesweeper::Code::masked) {
        masked.push_back(static_cast<int>(cell));
      }
    }
    return {games::minesweeper::Act::open,
            static_cast<std::uint16_t>(masked[random.below(masked.size())])};
  }
  HiddenResult play(const Minesweeper& game, Seed deal, RandomStream& random) override {
    State state = game.deal(deal);
    while (game.outcome(state) == games::Outcome::ongoing) {
      game.play(state, games::minesweeper::random_opening(game, state, random));
    }
    return {!state.lost, game.score(state)};
  }
};

Estimate mean_score(const GameTally& tally) {
  double sum = 0, squares = 0;
  for (std::size_t score = 0; score < tally.scores.size(); ++score) {
    const auto count = static_cast<double>(tally.scores[score]);
    const auto value = static_cast<double>(score);
    sum += count * value;
    squares += count * value * value;
  }
  return mean_estimate(EstimateKind::number, sum, squares, tally.games);
}

}  // namespace

Estimate GameTally::win_rate() const { return share_estimate(wins, games); }

Json findings_of(const GameTally& tally) {
  const Estimate score = mean_score(tally);
  const double highest = tally.scores.size() > 1 ? static_cast<double>(tally.scores.size() - 1) : 1;
  Estimate share = score;
  share.kind = EstimateKind::share;
  share.value /= highest;
  share.interval = {share.interval.low / highest, std::min(1.0, share.interval.high / highest)};
  std::vector<double> values;
  for (std::size_t i = 0; i < tally.scores.size(); ++i) {
    values.insert(values.end(), static_cast<std::size_t>(tally.scores[i]), static_cast<double>(i));
  }
  const report::BoxSummary box = report::box_summary(values);
  return {{"wins", estimate_json(tally.win_rate())},
          {"score", estimate_json(score)},
          {"share", estimate_json(share)},
          {"quartiles",
           fmt::format("{:g} / {:g} / {:g}", box.lower_quartile, box.median, box.upper_quartile)},
          {"values", values}};
}

Result<play::MinesweeperFactory> minesweeper_players(const std::string& player) {
  if (player != "random") return play::open_minesweeper_player(player);
  return play::MinesweeperFactory([] { return std::make_unique<RandomOpener>(); });
}

std::string minesweeper_fingerprint(const std::string& player,
                                    const play::MinesweeperFactory& players) {
  const auto made = players();
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
    for (const float probability : made->probabilities(game.observe(state)))
      seen += fmt::format(" {}", probability);
  }
  return learn::checksum_of(seen);
}

Result<GameTally> play_games(const play::MinesweeperFactory& players, const GameSet& set,
                             ThreadPool& pool, const std::function<void(double)>& tell,
                             const std::function<bool()>& stop) {
  constexpr std::size_t kChunk = 64;
  const auto games = static_cast<std::size_t>(set.games);
  std::vector<HiddenResult> results(games);
  std::mutex mutex;
  std::size_t done = 0;  // guarded by mutex
  bool stopped = false;  // guarded by mutex
  Workers<std::unique_ptr<play::MinesweeperPlayer>> workers;
  const auto play_chunk = [&](const std::unique_ptr<play::MinesweeperPlayer>& mine,
                              std::size_t chunk) {
    {
      const std::lock_guard lock(mutex);
      stopped = stopped || (stop && stop());
      if (stopped) return;
    }
    const std::size_t begin = chunk * kChunk, count = std::min(games - begin, kChunk);
    std::vector<Seed> deals;
    std::vector<RandomStream> random;
    for (std::size_t i = begin; i < begin + count; ++i) {
      deals.push_back(Seed{RandomStream(set.seed, fmt::format("{}.deal", set.name), i)()});
      random.emplace_back(set.seed, fmt::format("{}.player", set.name), i);
    }
    std::ranges::copy(mine->play_all(set.game, deals, random),
                      results.begin() + static_cast<std::ptrdiff_t>(begin));
    const std::lock_guard lock(mutex);
    stopped = stopped || interrupted();  // games may have been cut short
    done += count;
    if (tell) tell(static_cast<double>(done) / static_cast<double>(games));
  };
  workers.for_each(pool, (games + kChunk - 1) / kChunk, players, play_chunk);
  if (stopped) return interruption();
  GameTally tally;
  tally.games = set.games;
  tally.scores.resize(static_cast<std::size_t>(set.game.cells() - set.game.bombs()) + 1);
  for (const HiddenResult& result : results) {
    tally.wins += result.won;
    ++tally.scores[static_cast<std::size_t>(result.score)];
  }
  return tally;
}

}  // namespace damier::lab
