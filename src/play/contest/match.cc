#include "damier/play/contest/match.h"

namespace damier::play {

Result<MatchResult> play_match(const Registry& registry, std::string_view game,
                               const Entrant& player, const Entrant& opponent,
                               const MatchOptions& options) {
  auto made = TRY(registry.make(game, options.rules));
  ContestPlan plan;
  plan.toolkit = registry.toolkit(std::move(made));
  plan.games = options.games;
  plan.opening_plies = options.opening_plies;
  plan.seed = options.seed;
  std::vector<OpenedPlayer> players;
  for (const Entrant* entrant : {&player, &opponent}) {
    if (const auto* opened = std::get_if<OpenedPlayer>(entrant)) {
      players.push_back(*opened);
    } else {
      auto named = TRY(open_player(*plan.toolkit, std::get<std::string>(*entrant)));
      players.push_back(std::move(named));
    }
  }
  const auto contest = TRY(open_contest(std::move(plan), std::move(players)));

  GameRows rows;
  ThreadPool pool(options.threads);
  play_contest(contest, rows, pool, [&](const GameRow& row) {
    return options.on_game == nullptr || options.on_game(row);
  });
  const Score score = score_between(contest, rows, 0, 1);
  MatchResult result;
  result.record = score.tally.record();
  result.score = score_estimate(score.tally);
  result.elo = elo_difference(result.score);
  for (auto& row : rows) {
    if (row) result.games.push_back(*std::move(row));
  }
  return result;
}

}  // namespace damier::play
