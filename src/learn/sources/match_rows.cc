#include "damier/learn/sources/match_rows.h"

#include "damier/base/text/text.h"
#include "damier/games/outcome.h"

namespace damier::learn {

void add_match_rows(const MatchCounts& match, const std::string& network,
                    const std::string& opponent, int epoch, std::vector<GameRow>& rows) {
  constexpr std::int64_t kMaxInAnEpoch = 1'000'000;
  for (const MatchedGame& game : match.played) {
    GameRow row;
    row.number = epoch * kMaxInAnEpoch + std::ssize(rows);
    row.pair = row.number / 2;
    row.first = game.network_first ? network : opponent;
    row.second = game.network_first ? opponent : network;
    row.outcome = games::outcome_word(game.outcome);
    row.plies = std::ssize(game.moves);
    row.moves = join(game.moves, " ");
    rows.push_back(std::move(row));
  }
}

}  // namespace damier::learn
