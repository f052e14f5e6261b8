#include "damier/app/contest/results.h"

#include <cmath>

namespace damier::app {

namespace {

Json side_json(const std::string& player, const play::Record& record) {
  return {{"player", player},
          {"wins", record.wins},
          {"draws", record.draws},
          {"losses", record.losses},
          {"score", record.score()}};
}

}  // namespace

Json match_json(const play::ContestPlan& contest, const play::Score& score,
                const play::SequentialTest* test) {
  const auto& record = score.tally.record();
  const auto estimate = score_estimate(score.tally);
  const auto& pairs = score.tally.pairs().count;
  Json json = {{"game", contest.toolkit->game().facts().name},
               {"games", record.games()},
               {"a", side_json(contest.players[0], record)},
               {"b", side_json(contest.players[1], record.reversed())},
               {"interval", interval_json(estimate.interval)},
               {"elo", play::elo_json(play::elo_difference(estimate))},
               {"pairs", pairs}};
  if (test != nullptr) {
    json["sprt"] = {{"llr", test->state().log_likelihood_ratio},
                    {"decision", decision_text(test->state().decision)}};
  }
  return json;
}

Json ratings_json(const play::RatingTable& table) {
  Json players = Json::array();
  for (const auto& rating : table.ratings) {
    players.push_back({{"player", rating.player},
                       {"elo", number_json(rating.elo)},
                       {"interval", interval_json(rating.interval)},
                       {"games", rating.record.games()},
                       {"score", rating.record.score()}});
  }
  return players;
}

Json tournament_json(const play::ContestPlan& contest, const play::RatingTable& table) {
  return {{"game", contest.toolkit->game().facts().name}, {"players", ratings_json(table)}};
}

std::vector<RatingRow> rating_rows(const play::ContestPlan& contest, const play::RatingTable& table,
                                   RunId run) {
  const auto end = [](double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  };
  std::vector<RatingRow> rows;
  for (const auto& rating : table.ratings) {
    rows.push_back({std::string(contest.toolkit->game().facts().name), rating.player, rating.elo,
                    end(rating.interval.low), end(rating.interval.high), rating.record.games(),
                    run});
  }
  return rows;
}

}  // namespace damier::app
