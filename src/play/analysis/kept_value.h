// How good single moves are: in how many positions that are not lost a player's move keeps what the
// position is worth, by the exact solver. The positions come from games of other players.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "damier/base/json/json.h"
#include "damier/base/numbers/estimate.h"
#include "damier/base/parallel/threads.h"
#include "damier/play/players/players.h"

namespace damier::play {

struct KeptPlan {
  std::shared_ptr<const Toolkit> toolkit;  // of a game that is solved
  std::vector<std::string> players;        // whose moves are looked at
  std::vector<std::string> hosts;          // whose games give the positions
  std::uint64_t positions = 0;             // one a game
  Seed seed = Seed{1};
};

inline constexpr int kPhasePlies = 4;  // plies of a phase

// The moves of one player, by phase: how many plies were played before.
struct KeptMoves {
  std::string player;
  std::vector<std::int64_t> looked_at;  // by phase
  std::vector<std::int64_t> kept;

  Estimate share(std::size_t first_phase, std::size_t end_phase) const;
  Estimate phase(std::size_t phase) const { return share(phase, phase + 1); }
  Estimate all() const { return share(0, kept.size()); }
};

// "0-3", "4-7", …
std::string phase_name(std::size_t phase);

// "kept", and by phase "kept_plies_0_3", … where there was a position.
std::vector<Metric> metrics_of(const KeptMoves& moves);

// By player. `on_done` hears of every position, one at a time. An error when the game is not
// solved, a player cannot be opened, or no position is found; the positions follow from the seed
// alone.
Result<std::vector<KeptMoves>> kept_moves(const KeptPlan& plan, ThreadPool& pool,
                                          const std::function<void()>& on_done);

}  // namespace damier::play
