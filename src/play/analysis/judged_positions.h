// Positions whose exact answer is known: the moves that keep what each is worth. Where a game is
// solved, but not at hand, they tell how good the moves of a player are.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/numbers/estimate.h"
#include "damier/base/parallel/threads.h"
#include "damier/play/players/players.h"

namespace damier::play {

struct JudgedPosition {
  std::unique_ptr<games::Session> session;
  Verdict value = Verdict::unknown;    // for the side to move
  int distance = 0;                    // plies to the end, where a win is known so far
  std::vector<games::Action> keeping;  // the moves that keep it: some, not all
  std::vector<int> distances;          // after each of these, this move included; or 0
};

// A file of positions/, lines of games/judged_line.h; `source` names it in errors. Of a file that
// says what every move is worth those that are left where a move can be a mistake.
Result<std::vector<JudgedPosition>> read_judged(std::string_view text, std::string_view source,
                                                const games::AnyGame& game);
// Those that ship, by game; empty where there are none.
std::span<const std::pair<std::string_view, std::string_view>> builtin_judged();
std::string_view judged_of(std::string_view game);
inline constexpr std::size_t kMaxJudgedBytes = 64 << 20;

// So many of them, spread evenly over the list; all where there are no more.
std::vector<JudgedPosition> some_of(std::vector<JudgedPosition> all, std::size_t count);

// How many moves of one player keep the value.
struct JudgedMoves {
  std::string player;
  std::int64_t won = 0, won_kept = 0;  // positions that are won
  std::int64_t drawn = 0, drawn_kept = 0;
  std::vector<double> plies_lost;  // by moves that keep a win whose distance is known

  Estimate all() const { return share_estimate(won_kept + drawn_kept, won + drawn); }
  Estimate wins() const { return share_estimate(won_kept, won); }
  Estimate draws() const { return share_estimate(drawn_kept, drawn); }
  Estimate lost() const { return mean_estimate(EstimateKind::number, plies_lost); }
};

// "kept", and where there are such positions "kept_won", "kept_drawn" and "plies_lost".
std::vector<Metric> metrics_of(const JudgedMoves& moves);

// By player. `on_done` hears of every position, one at a time. Chance follows from the seed and a
// position's number alone.
Result<std::vector<JudgedMoves>> judged_moves(const Toolkit& toolkit,
                                              const std::vector<std::string>& players,
                                              const std::vector<JudgedPosition>& positions,
                                              Seed seed, ThreadPool& pool,
                                              const std::function<void()>& on_done);

// Won positions whose distance is known, played out.
struct Conversions {
  std::string player;
  std::int64_t positions = 0, won = 0;
  std::vector<double> ratios;  // of the games that were won: plies over the exact distance

  Estimate wins() const { return share_estimate(won, positions); }
  Estimate ratio() const { return mean_estimate(EstimateKind::number, ratios); }
};

// "converted" and "plies_over_distance"; none without such positions.
std::vector<Metric> metrics_of(const Conversions& conversions);

// Each player plays them out against `defender`. Chance as above.
Result<std::vector<Conversions>> conversions_of(const Toolkit& toolkit,
                                                const std::vector<std::string>& players,
                                                const std::string& defender,
                                                const std::vector<JudgedPosition>& positions,
                                                Seed seed, ThreadPool& pool,
                                                const std::function<void()>& on_done);

}  // namespace damier::play
