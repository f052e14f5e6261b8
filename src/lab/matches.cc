#include "damier/lab/matches.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "damier/base/files/checksum.h"
#include "damier/base/files/interrupt.h"

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

Result<MatchFindings> play(Study& study, const play::Contest& contest) {
  play::GameRows rows;
  std::int64_t done = 0;
  play::play_contest(contest, rows, study.pool(), [&](const GameRow&) {
    ++done;
    study.tell(static_cast<double>(done) / static_cast<double>(contest.total_games()),
               fmt::format("game {}/{}", done, contest.total_games()));
    return !study.stopped();
  });
  if (study.stopped() || interrupted()) return interruption();
  return summary_of(contest, rows);
}

}  // namespace

Estimate MatchFindings::score_second() const {
  const play::Record& first = moving_first;
  return score_estimate(play::Record{record.wins - first.wins, record.draws - first.draws,
                                     record.losses - first.losses});
}

void add_match(Study& study, MatchStep match, MatchFindings& into) {
  const Json config = {{"measure", "match"},
                       {"players", std::move(match.players)},
                       {"games", match.games},
                       {"opening", match.opening_plies}};
  study.measure<MatchFindings>(
      std::move(match.info), [config] { return config; },
      [&study, open = std::move(match.open)]() -> Result<MatchFindings> {
        const auto contest = open();
        if (!contest) return contest.error();
        return play(study, *contest);
      },
      into);
}

void add_match(Study& study, const play::Contest& contest, const std::string& fingerprint,
               MatchFindings& into) {
  const auto& players = contest.players;
  add_match(study,
            {.info = {fmt::format("{} against {}", players[0], players[1])},
             .players = {players[0], fingerprint, players[1]},
             .games = contest.games,
             .opening_plies = contest.opening_plies,
             .open = [contest] { return contest; }},
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

Estimate lost_games(const MatchFindings& match) {
  Estimate lost = share_estimate(match.record.losses, match.record.games());
  const auto games = static_cast<double>(match.record.games());
  lost.kind = EstimateKind::count;
  lost.value = static_cast<double>(match.record.losses);
  lost.interval = {games * lost.interval.low, games * lost.interval.high};
  return lost;
}

report::Table matches_table(const std::string& player, std::span<const std::string> opponents,
                            std::span<const MatchFindings> matches, std::string note) {
  report::Table table;
  table.caption = fmt::format("The games of {}", player);
  table.columns = {{"Against"},
                   {"Won", report::Align::right},
                   {"Drawn", report::Align::right},
                   {"Lost", report::Align::right},
                   {"Score", report::Align::right},
                   {"Different games", report::Align::right},
                   {"Plies a game", report::Align::right}};
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const MatchFindings& match = matches[i];
    const auto score = score_estimate(match.pairs);
    const double games = static_cast<double>(std::max<std::int64_t>(1, match.record.games()));
    table.rows.push_back(
        {{opponents[i], fmt::format("{}", match.record.wins), fmt::format("{}", match.record.draws),
          fmt::format("{}", match.record.losses),
          fmt::format("{:.1f} % [{:.1f}, {:.1f}]", 100 * score.value, 100 * score.interval.low,
                      100 * score.interval.high),
          fmt::format("{}", match.different),
          fmt::format("{:.1f}", static_cast<double>(match.plies) / games)}});
  }
  table.note = std::move(note);
  return table;
}

report::Figure matches_figure(const std::string& player, std::span<const std::string> opponents,
                              std::span<const MatchFindings> matches) {
  report::BarChart chart;
  chart.y = {.label = "Games"};
  chart.categories = {opponents.begin(), opponents.end()};
  chart.categories_label = "Against";
  chart.series = {{"won"}, {"drawn"}, {"lost"}};
  for (const MatchFindings& match : matches) {
    const std::array<std::int64_t, 3> counts = {match.record.wins, match.record.draws,
                                                match.record.losses};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      chart.series[i].bars.push_back({static_cast<double>(counts[i])});
    }
  }
  return {fmt::format("How the games of {} ended", player), "", chart};
}

}  // namespace damier::lab
