// How good moves are: in positions whose worth is known, how many moves of a player keep it, by the
// value of the position and by how far the game has come. What is known comes from a solver, a
// table or a file; where positions come from is the caller's.
//
// "Value kept" and "value lost" are shares of the moves, "regret" is the mean loss of value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "damier/base/numbers/estimate.h"
#include "damier/base/parallel/threads.h"
#include "damier/play/players/players.h"

namespace damier::play {

inline constexpr int kPhasePlies = 4;  // plies of a phase

// One move, and the position that it was chosen in.
struct MoveQuality {
  Known before = {};  // for the side that moves
  Known after = {};   // of the move; unknown counts as value lost
  int plies = 0;      // played before

  std::size_t phase() const { return static_cast<std::size_t>(plies / kPhasePlies); }
  bool keeps() const { return after.verdict == before.verdict; }
  // And wins as fast, or resists as long, as possible.
  bool is_best() const { return after == before; }
  double loss() const { return value_of(before.verdict) - value_of(after.verdict); }
  // How much longer a win takes than it must, where that is known.
  std::optional<int> detour() const {
    if (before.verdict != Verdict::win || !keeps() || !before.plies || !after.plies) return {};
    return *after.plies - *before.plies;
  }
};

std::string phase_name(std::size_t phase);  // "0-3", "4-7", …

// The moves of one player.
struct MoveQualities {
  std::string player;
  std::vector<MoveQuality> moves;

  Estimate kept() const {
    return share_estimate(std::ranges::count_if(moves, &MoveQuality::keeps), std::ssize(moves));
  }
  // the share of moves that do not keep the value
  Estimate lost() const {
    return share_estimate(std::ssize(moves) - std::ranges::count_if(moves, &MoveQuality::keeps),
                          std::ssize(moves));
  }
  Estimate kept_of(Verdict before) const;  // in positions of that value
  Estimate kept_in(std::size_t phase) const;
  // up to the last one with a move
  std::size_t phases() const {
    std::size_t count = 0;
    for (const MoveQuality& move : moves) count = std::max(count, move.phase() + 1);
    return count;
  }
  // plies, of moves that keep a win
  Estimate detours() const {
    std::vector<double> plies;
    for (const MoveQuality& move : moves) {
      if (const auto detour = move.detour()) plies.push_back(*detour);
    }
    return mean_estimate(EstimateKind::number, plies);
  }
};

// "kept", by phase "kept_plies_0_3", …, where there was a position.
std::vector<Metric> metrics_by_phase(const MoveQualities& moves);
// "kept", and where there are such positions "kept_won", "kept_drawn" and "plies_lost".
std::vector<Metric> metrics_by_value(const MoveQualities& moves);

// A position, and who knows what its moves are worth.
struct KnownPosition {
  std::shared_ptr<const games::Session> session;
  Known known;
  std::function<Known(games::Action)> of_move;
};

// Gives position number i, for one thread; nothing where there is none, or after an interrupt.
using KnownPositions = std::function<std::optional<KnownPosition>(std::uint64_t)>;

struct QualityPlan {
  std::vector<OpenedPlayer> players;  // whose moves are looked at
  std::uint64_t positions = 0;
  Seed seed = Seed{1};
  std::string stream;  // of the players' chance, with the seed and the number of the position
};

// By player. `make` is called for every thread, `on_done` is told of every position, one at a time.
// The result follows from the plan and the positions alone. An error only after an interrupt.
Result<std::vector<MoveQualities>> move_qualities(const QualityPlan& plan,
                                                  const std::function<KnownPositions()>& make,
                                                  ThreadPool& pool,
                                                  const std::function<void()>& on_done);

// Players that are programs.
Result<std::vector<OpenedPlayer>> open_programs(const Toolkit& toolkit,
                                                const std::vector<std::string>& names);
using MadePlayers = std::vector<std::unique_ptr<Player>>;
MadePlayers made(const std::vector<OpenedPlayer>& opened);

// Of players in a game that is solved: positions that are not lost, one from each of many games
// between players drawn from `hosts`, at a random ply; the solver knows what the moves are worth.
// They follow from the seed alone.
Result<std::vector<MoveQualities>> moves_in_games(const Toolkit& toolkit,
                                                  const std::vector<std::string>& players,
                                                  const std::vector<std::string>& hosts,
                                                  std::uint64_t positions, Seed seed,
                                                  ThreadPool& pool,
                                                  const std::function<void()>& on_done);

}  // namespace damier::play
