#include "damier/play/analysis/move_quality.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/parallel/threads.h"

namespace damier::play {

namespace {

// Of the moves that are wanted.
template <class Wanted>
Estimate share_kept(const std::vector<MoveQuality>& moves, Wanted wanted) {
  std::int64_t count = 0, n = 0;
  for (const MoveQuality& move : moves) {
    if (!wanted(move)) continue;
    ++n;
    count += move.keeps();
  }
  return share_estimate(count, n);
}

}  // namespace

std::string phase_name(std::size_t phase) {
  const int first = static_cast<int>(phase) * kPhasePlies;
  return fmt::format("{}-{}", first, first + kPhasePlies - 1);
}

Estimate MoveQualities::kept_of(Verdict before) const {
  return share_kept(moves, [&](const MoveQuality& move) { return move.before.verdict == before; });
}

Estimate MoveQualities::kept_in(std::size_t phase) const {
  return share_kept(moves, [&](const MoveQuality& move) { return move.phase() == phase; });
}

std::vector<Metric> metrics_by_phase(const MoveQualities& moves) {
  std::vector<Metric> metrics = {{"kept", moves.kept()}};
  for (std::size_t phase = 0; phase < moves.phases(); ++phase) {
    const Estimate share = moves.kept_in(phase);
    if (share.n == 0) continue;
    std::string name = phase_name(phase);
    std::ranges::replace(name, '-', '_');
    metrics.emplace_back("kept_plies_" + name, share);
  }
  return metrics;
}

std::vector<Metric> metrics_by_value(const MoveQualities& moves) {
  std::vector<Metric> metrics = {{"kept", moves.kept()}};
  const auto add = [&](const char* name, const Estimate& estimate) {
    if (estimate.n > 0) metrics.emplace_back(name, estimate);
  };
  add("kept_won", moves.kept_of(Verdict::win));
  add("kept_drawn", moves.kept_of(Verdict::draw));
  add("plies_lost", moves.detours());
  return metrics;
}

Result<std::vector<OpenedPlayer>> open_programs(const Toolkit& toolkit,
                                                const std::vector<std::string>& names) {
  std::vector<OpenedPlayer> opened;
  for (const std::string& name : names) {
    auto player = TRY(open_player(toolkit, name));
    if (player.is_human()) return Error{"a human cannot be asked here; expected another player"};
    opened.push_back(std::move(player));
  }
  return opened;
}

MadePlayers made(const std::vector<OpenedPlayer>& opened) {
  MadePlayers players;
  for (const OpenedPlayer& player : opened) players.push_back(player.make());
  return players;
}

Result<std::vector<MoveQualities>> move_qualities(const QualityPlan& plan,
                                                  const std::function<KnownPositions()>& make,
                                                  ThreadPool& pool,
                                                  const std::function<void()>& on_done) {
  struct Worker {
    KnownPositions positions;
    MadePlayers players;
  };
  Workers<Worker> workers;
  const std::size_t count = plan.players.size();
  std::vector<std::vector<MoveQuality>> found(static_cast<std::size_t>(plan.positions));
  std::mutex mutex;
  workers.for_each(
      pool, found.size(),
      [&] {
        return Worker{make(), made(plan.players)};
      },
      [&](const Worker& worker, std::size_t i) {
        if (interrupted()) return;
        if (const auto position = worker.positions(i)) {
          for (std::size_t p = 0; p < count && !interrupted(); ++p) {
            RandomStream random(plan.seed, plan.stream, i);
            const games::Action action = worker.players[p]->choose(*position->session, random);
            found[i].push_back(
                {position->known, position->of_move(action), position->session->plies()});
          }
        }
        const std::lock_guard lock(mutex);
        on_done();
      });
  if (interrupted()) return interruption();
  std::vector<MoveQualities> all;
  for (std::size_t p = 0; p < count; ++p) {
    MoveQualities& one = all.emplace_back();
    one.player = plan.players[p].name;
    for (const auto& moves : found) {
      if (!moves.empty()) one.moves.push_back(moves[p]);
    }
  }
  return all;
}

namespace {

constexpr int kMaxGamesForOne = 1000;  // games until one has a position that is not lost
constexpr int kMaxPlies = 1000;
// More than any position of a game that is played from its start takes.
constexpr Ask kForAnAnswer = {.nodes = 20'000'000};

class PositionsOfGames {
 public:
  PositionsOfGames(const Toolkit& toolkit, const std::vector<OpenedPlayer>& hosts, Seed seed)
      : toolkit_(toolkit), seed_(seed), solve_(toolkit.solver()), hosts_(made(hosts)) {}

  std::optional<KnownPosition> position(std::uint64_t number) {
    RandomStream random(seed_, "kept_value", number);
    for (int attempt = 0; attempt < kMaxGamesForOne && !interrupted(); ++attempt) {
      const std::shared_ptr<const games::Session> met = met_position(random);
      const auto found = solve_(*met, kForAnAnswer);
      if (!found || !found->known.is_certain() || found->known.verdict == Verdict::loss) continue;
      known_moves_.clear();
      return KnownPosition{met, found->known,
                           [this, met](games::Action action) { return known_after(*met, action); }};
    }
    return std::nullopt;
  }

 private:
  // The position of a game between two hosts at a random ply.
  std::unique_ptr<games::Session> met_position(RandomStream& random) {
    const auto host = [&] {
      return hosts_[static_cast<std::size_t>(random.below(hosts_.size()))].get();
    };
    const std::array<Player*, 2> sides = {host(), host()};
    std::vector<std::unique_ptr<games::Session>> met;
    auto session = toolkit_.game().start(seed_);
    while (session->outcome() == games::Outcome::ongoing && session->plies() < kMaxPlies) {
      met.push_back(session->clone());
      if (interrupted()) break;
      Player& player = *sides[static_cast<std::size_t>(index(session->side_to_move()))];
      session->play(player.choose(*session, random));
    }
    return std::move(met[static_cast<std::size_t>(random.below(met.size()))]);
  }

  // Players often choose the same; unknown where the limit came first.
  Known known_after(const games::Session& before, games::Action action) {
    const auto [place, is_new] = known_moves_.try_emplace(action);
    if (is_new) place->second = known_of_move(solve_, before, action, kForAnAnswer);
    return place->second;
  }

  const Toolkit& toolkit_;
  Seed seed_;
  Toolkit::Solver solve_;
  MadePlayers hosts_;
  std::map<games::Action, Known> known_moves_;  // of the last position
};

}  // namespace

Result<std::vector<MoveQualities>> moves_in_games(const Toolkit& toolkit,
                                                  const std::vector<std::string>& players,
                                                  const std::vector<std::string>& hosts,
                                                  std::uint64_t positions, Seed seed,
                                                  ThreadPool& pool,
                                                  const std::function<void()>& on_done) {
  const std::string_view game = toolkit.game().facts().name;
  if (!toolkit.is_solved()) {
    return Error{fmt::format("{} is not solved: nothing says which moves are good", game)};
  }
  auto opened = TRY(open_programs(toolkit, players));
  const auto playing = TRY(open_programs(toolkit, hosts));
  auto all = move_qualities(
      {std::move(opened), positions, seed, "kept_value.player"},
      [&] {
        const auto source = std::make_shared<PositionsOfGames>(toolkit, playing, seed);
        return [source](std::uint64_t number) { return source->position(number); };
      },
      pool, on_done);
  if (all && (all->empty() || all->front().moves.empty())) {
    return Error{fmt::format("no game of {} had a position to look at", game)};
  }
  return all;
}

}  // namespace damier::play
