// Positions whose exact answer a file has. Where a game is solved, but not at hand, they tell how
// good the moves of a player are (move_quality.h), and whether it wins what is won.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "damier/play/analysis/move_quality.h"

namespace damier::play {

struct JudgedPosition {
  std::shared_ptr<const games::Session> session;
  Known known;
  std::vector<MoveAnswer> moves;  // those of which something is known

  Known of_move(games::Action action) const {
    const auto at = std::ranges::find(moves, action, &MoveAnswer::move);
    return at == moves.end() ? Known{} : at->known;
  }
};

// A file of positions/, lines of games/judged_line.h; `source` names it in errors. Of a file that
// says what every move is worth those that are left where a move can be a mistake.
Result<std::vector<JudgedPosition>> read_judged(std::string_view text, std::string_view source,
                                                const games::AnyGame& game);
// Those that ship, by game; empty where there are none.
std::span<const std::pair<std::string_view, std::string_view>> builtin_judged();
std::string_view judged_of(std::string_view game);
inline constexpr std::size_t kMaxJudgedBytes = 64 << 20;

// `count` of them, spread evenly over the list; all where there are no more.
std::vector<JudgedPosition> some_of(std::vector<JudgedPosition> all, std::size_t count);

// By player. `on_done` is told of every position, one at a time. Chance follows from the seed and a
// position's number alone.
Result<std::vector<MoveQualities>> judged_moves(const Toolkit& toolkit,
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
