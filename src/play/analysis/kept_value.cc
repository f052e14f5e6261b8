#include "damier/play/analysis/kept_value.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/parallel/workers.h"
#include "damier/search/report.h"

namespace damier::play {

namespace {

constexpr int kTries = 1000;  // games until one has a position that is not lost
constexpr int kMaxPlies = 1000;
// More than any position of a game that is played from its start takes.
constexpr SolveLimits kForAnAnswer = {.nodes = 20'000'000};

// What a thread needs.
struct KeptWorker {
  Toolkit::Solver solve;
  std::vector<std::unique_ptr<Player>> players, hosts;
};

// What one position said.
struct KeptPosition {
  int plies = 0;
  std::vector<std::uint8_t> kept;  // by player
};

// The position of a game between two hosts at a ply drawn by lot.
std::unique_ptr<games::Session> met_position(const KeptPlan& plan, KeptWorker& worker,
                                             RandomStream& random) {
  const auto host = [&] {
    return worker.hosts[static_cast<std::size_t>(random.below(worker.hosts.size()))].get();
  };
  const std::array<Player*, 2> sides = {host(), host()};
  std::vector<std::unique_ptr<games::Session>> met;
  auto session = plan.toolkit->game().start(plan.seed);
  while (session->outcome() == games::Outcome::ongoing && session->plies() < kMaxPlies) {
    met.push_back(session->clone());
    if (interrupted()) break;
    Player& player = *sides[static_cast<std::size_t>(index(session->side_to_move()))];
    session->play(player.choose(*session, random));
  }
  return std::move(met[static_cast<std::size_t>(random.below(met.size()))]);
}

// For the side that moved; unknown where the limit came first.
Verdict value_after(const KeptWorker& worker, const games::Session& before, games::Action action) {
  const auto after = before.clone();
  after->play(action);
  const games::Side mover = before.side_to_move();
  if (after->outcome() != games::Outcome::ongoing) {
    return search::proof_of(after->outcome(), mover);
  }
  const auto found = worker.solve(*after, kForAnAnswer);
  if (!found) return Verdict::unknown;
  return after->side_to_move() == mover ? found->value : games::opposite(found->value);
}

std::optional<KeptPosition> look_at(const KeptPlan& plan, KeptWorker& worker, std::uint64_t item) {
  RandomStream random(plan.seed, "kept_value", item);
  for (int attempt = 0; attempt < kTries && !interrupted(); ++attempt) {
    const auto session = met_position(plan, worker, random);
    const auto found = worker.solve(*session, kForAnAnswer);
    if (!found || found->value == Verdict::unknown || found->value == Verdict::loss) continue;
    KeptPosition position{session->plies(), {}};
    std::vector<std::pair<games::Action, Verdict>> known;  // players often choose the same
    for (const auto& player : worker.players) {
      RandomStream own(plan.seed, "kept_value.player", item);
      const games::Action action = player->choose(*session, own);
      auto at = std::find_if(known.begin(), known.end(),
                             [&](const auto& one) { return one.first == action; });
      if (at == known.end()) {
        at = known.insert(known.end(), {action, value_after(worker, *session, action)});
      }
      position.kept.push_back(at->second == found->value ? 1 : 0);
    }
    return position;
  }
  return std::nullopt;
}

Result<std::vector<OpenedPlayer>> opened_players(const Toolkit& toolkit,
                                                 const std::vector<std::string>& names) {
  std::vector<OpenedPlayer> opened;
  for (const std::string& name : names) {
    auto player = open_player(toolkit, name);
    if (!player) return std::move(player).error();
    if (player->is_human()) return Error{"a human cannot be asked here; expected another player"};
    opened.push_back(*std::move(player));
  }
  return opened;
}

}  // namespace

Estimate KeptMoves::share(std::size_t first_phase, std::size_t end_phase) const {
  std::int64_t successes = 0, n = 0;
  for (std::size_t i = first_phase; i < std::min(end_phase, kept.size()); ++i) {
    successes += kept[i];
    n += looked_at[i];
  }
  return share_estimate(successes, n);
}

std::string phase_name(std::size_t phase) {
  const int first = static_cast<int>(phase) * kPhasePlies;
  return fmt::format("{}-{}", first, first + kPhasePlies - 1);
}

std::vector<Metric> metrics_of(const KeptMoves& moves) {
  std::vector<Metric> metrics = {{"kept", moves.all()}};
  for (std::size_t i = 0; i < moves.kept.size(); ++i) {
    if (moves.looked_at[i] == 0) continue;
    std::string name = phase_name(i);
    std::replace(name.begin(), name.end(), '-', '_');
    metrics.emplace_back("kept_plies_" + name, moves.phase(i));
  }
  return metrics;
}

Result<std::vector<KeptMoves>> kept_moves(const KeptPlan& plan, ThreadPool& pool,
                                          const std::function<void()>& on_done) {
  const std::string_view game = plan.toolkit->game().facts().name;
  if (!plan.toolkit->is_solved()) {
    return Error{fmt::format("{} is not solved: nothing says which moves are good", game)};
  }
  const auto players = opened_players(*plan.toolkit, plan.players);
  if (!players) return players.error();
  const auto hosts = opened_players(*plan.toolkit, plan.hosts);
  if (!hosts) return hosts.error();
  Workers<std::unique_ptr<KeptWorker>> workers;
  std::vector<std::optional<KeptPosition>> positions(static_cast<std::size_t>(plan.positions));
  std::mutex mutex;
  workers.for_each(
      pool, positions.size(),
      [&] {
        auto worker = std::make_unique<KeptWorker>();
        worker->solve = plan.toolkit->solver();
        for (const OpenedPlayer& player : *players) worker->players.push_back(player.make());
        for (const OpenedPlayer& host : *hosts) worker->hosts.push_back(host.make());
        return worker;
      },
      [&](const std::unique_ptr<KeptWorker>& worker, std::size_t i) {
        if (interrupted()) return;
        positions[i] = look_at(plan, *worker, i);
        const std::lock_guard lock(mutex);
        on_done();
      });
  if (interrupted()) return interruption();
  std::vector<KeptMoves> all;
  for (const OpenedPlayer& player : *players) all.push_back({player.name, {}, {}});
  for (const auto& position : positions) {
    if (!position) continue;
    const auto phase = static_cast<std::size_t>(position->plies / kPhasePlies);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].kept.size() <= phase) {
        all[i].kept.resize(phase + 1);
        all[i].looked_at.resize(phase + 1);
      }
      all[i].kept[phase] += position->kept[i];
      ++all[i].looked_at[phase];
    }
  }
  if (all.empty() || all[0].kept.empty()) {
    return Error{fmt::format("no game of {} had a position to look at", game)};
  }
  return all;
}

}  // namespace damier::play
