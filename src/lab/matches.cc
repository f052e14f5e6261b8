#include "damier/lab/matches.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "damier/base/files/checksum.h"
#include "damier/base/files/interrupt.h"
#include "damier/play/players/player_text.h"

namespace damier::lab {

namespace {

MatchFindings summary_of(const play::Contest& contest, const play::GameRows& rows) {
  const play::Score score = play::score_between(contest, rows, 0, 1);
  MatchFindings match{score.tally.record(), score.moving_first, score.tally.pairs()};
  std::set<std::pair<bool, std::string_view>> different;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i]) continue;
    const bool first = play::slot_of(contest, static_cast<std::int64_t>(i)).first == 0;
    different.emplace(first, rows[i]->moves);
    match.plies += rows[i]->plies;
  }
  match.different = static_cast<std::int64_t>(different.size());
  return match;
}

// Games lost; the interval follows from that of their share.
Estimate lost_games(const MatchFindings& match) {
  Estimate lost = share_estimate(match.record.losses, match.record.games());
  const auto games = static_cast<double>(match.record.games());
  lost.kind = EstimateKind::count;
  lost.value = static_cast<double>(match.record.losses);
  lost.interval = {games * lost.interval.low, games * lost.interval.high};
  return lost;
}

}  // namespace

Estimate MatchFindings::score_second() const {
  const play::Record& first = moving_first;
  return score_estimate(play::Record{record.wins - first.wins, record.draws - first.draws,
                                     record.losses - first.losses});
}

MatchPlayer player_of(SharedToolkit toolkit, const std::string& text) {
  return {text, [toolkit, text] { return play::open_player(*toolkit, text); }, text};
}

MatchPlayer network_player(SharedToolkit toolkit, std::string name, const TrainedNetwork& trained,
                           Json identity) {
  return {std::move(name),
          [toolkit, &trained] {
            return play::open_player(*toolkit, "net:" + play::player_value(trained.model));
          },
          std::move(identity)};
}

Result<play::Contest> open_match(const Study& study, SharedToolkit toolkit,
                                 std::span<const MatchPlayer> players, std::int64_t games,
                                 int opening_plies) {
  std::vector<play::OpenedPlayer> opened;
  for (const MatchPlayer& player : players) {
    auto one = TRY(player.open());
    one.name = player.name;  // where a model's file lies does not change the games
    opened.push_back(std::move(one));
  }
  play::ContestPlan plan;
  plan.toolkit = std::move(toolkit);
  plan.games = games;
  plan.opening_plies = opening_plies;
  plan.seed = study.seed();
  return play::open_contest(std::move(plan), std::move(opened));
}

Result<play::GameRows> play_games(Study& study, const play::Contest& contest) {
  play::GameRows rows;
  std::int64_t done = 0;
  play::play_contest(contest, rows, study.pool(), [&](const GameRow&) {
    ++done;
    study.tell(static_cast<double>(done) / static_cast<double>(contest.total_games()),
               fmt::format("game {}/{}", done, contest.total_games()));
    return !study.stopped();
  });
  if (study.stopped() || interrupted()) return interruption();
  return rows;
}

void add_match(Study& study, SharedToolkit toolkit, MatchStep match, MatchFindings& into) {
  const auto& players = match.players;
  study.measure<MatchFindings>(
      {fmt::format("{} against {}", players[0].name, players[1].name), match.seconds},
      Json{{"measure", "match"},
           {"players", Json::array({match.players[0].identity, match.players[1].identity})},
           {"games", match.games},
           {"opening", match.opening_plies}},
      [&study, toolkit, match]() -> Result<MatchFindings> {
        const auto contest =
            TRY(open_match(study, toolkit, match.players, match.games, match.opening_plies));
        const auto rows = TRY(play_games(study, contest));
        return summary_of(contest, rows);
      },
      into);
}

std::string player_fingerprint(const play::Toolkit& toolkit, const play::OpenedPlayer& player) {
  const auto made = player.make();
  constexpr std::uint64_t kGames = 2;
  constexpr int kPlies = 8;
  std::string seen;
  for (std::uint64_t game = 0; game < kGames; ++game) {
    const auto session = toolkit.game().start(Seed{0});
    RandomStream walk(Seed{0}, "experiment.fingerprint.walk", game);
    for (int ply = 0; ply < kPlies && session->outcome() == games::Outcome::ongoing; ++ply) {
      RandomStream random(Seed{0}, "experiment.fingerprint");
      for (const play::MoveAnswer& move :
           made->answer(*session, {.every_move = true, .random = &random}).moves) {
        seen += fmt::format("{} {} {}\n", games::index(move.move), move.prior.value_or(0),
                            move.value.value_or(0));
      }
      const auto actions = session->legal_actions();
      session->play(actions[static_cast<std::size_t>(walk.below(actions.size()))]);
    }
  }
  return learn::checksum_of(seen);
}

Json findings_of(const MatchFindings& match) {
  Json json = json_of(match);
  json.update(
      {{"games", match.record.games()},
       {"score", estimate_json(match.score())},
       {"score_first", estimate_json(match.score_first())},
       {"score_second", estimate_json(match.score_second())},
       {"lost", estimate_json(lost_games(match))},
       {"length", static_cast<double>(match.plies) /
                      static_cast<double>(std::max<std::int64_t>(1, match.record.games()))}});
  return json;
}

}  // namespace damier::lab
