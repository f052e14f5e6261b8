// `damier match` and `tournament`: one player against another, and everybody against everybody, in
// pairs of games with the sides swapped.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/contest/options.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/play/players/player_text.h"

namespace damier::app {

namespace {

// --- match ---

struct MatchArguments {
  ContestArguments contest;
  std::string a;
  std::string b;
  std::optional<std::string> sprt;
};

void print_match(const play::Contest& contest, const play::Score& score, const Look& look) {
  const auto& facts = contest.toolkit->game().facts();
  const auto& record = score.tally.record();
  const auto estimate = score_estimate(score.tally);
  const auto players = play::shown_players(contest.players);
  const std::size_t width =
      std::max({play::width_of(players), facts.sides[0].size() + 3, facts.sides[1].size() + 3});
  const auto row = [&](std::string_view name, const play::Record& r, bool strong) {
    print_output("  {}  {:>6} {:>6} {:>6}   {:5.1f} %\n",
                 painted(look, strong ? Ink::accent : Ink::faint,
                         fmt::format("{:<{}}", name, width), strong),
                 r.wins, r.draws, r.losses, 100 * r.score());
  };
  print_output("  {:<{}}  {:>6} {:>6} {:>6}   {:>7}\n", "", width, "wins", "draws", "losses",
               "score");
  row(players[0], record, true);
  const play::Record& first = score.moving_first;
  row(fmt::format("as {}", facts.sides[0]), first, false);
  row(fmt::format("as {}", facts.sides[1]),
      {record.wins - first.wins, record.draws - first.draws, record.losses - first.losses}, false);
  row(players[1], record.reversed(), true);
  print_output("\nscore of {}: {:.1f} % [{:.1f}, {:.1f}], Elo {}\n", players[0],
               100 * estimate.value, 100 * estimate.interval.low, 100 * estimate.interval.high,
               play::elo_text(play::elo_difference(estimate)));
  const auto& pairs = score.tally.pairs().count;
  print_output("pairs of games by points: 0: {}, ½: {}, 1: {}, 1½: {}, 2: {}\n", pairs[0], pairs[1],
               pairs[2], pairs[3], pairs[4]);
}

Result<int> run_match(const MatchArguments& arguments, const Context& context) {
  std::optional<play::Sprt> sprt;
  if (arguments.sprt) sprt = TRY(play::parse_sprt(*arguments.sprt).in("--sprt"));
  auto contest = TRY(make_contest(arguments.contest, context, {arguments.a, arguments.b}));
  Json config = Json::object();
  if (sprt) config["sprt"] = play::sprt_text(*sprt);
  auto run =
      TRY(ContestRun::begin(contest, arguments.contest, context, "match", std::move(config)));
  print_message("seed {}\n", value_of(contest.seed));
  std::optional<play::SequentialTest> test;
  if (sprt) test.emplace(contest, *sprt);
  const auto enough = [&](const play::GameRows& rows) { return test && test->advance(rows); };
  TRY(run.play(context, enough));
  // Games that other threads were still playing when the test was decided do not count.
  if (test && enough(run.rows())) run.rows().resize(static_cast<std::size_t>(test->games()));
  const play::Score score = score_between(contest, run.rows(), 0, 1);
  const Json json = match_json(contest, score, test ? &*test : nullptr);
  TRY(run.finish(json));
  if (context.json) {
    run.print(json);
  } else if (score.tally.record().games() > 0) {
    print_match(contest, score, detect_look(false));
    if (test) {
      print_output("SPRT {}: log-likelihood ratio {:.2f} in ({:.2f}, {:.2f}), {}\n",
                   play::sprt_text(*sprt), test->state().log_likelihood_ratio, sprt->lower_bound(),
                   sprt->upper_bound(), decision_text(test->state().decision));
    }
    print_output("{} games, seed {}, {:.1f} s{}\n", score.tally.record().games(),
                 value_of(contest.seed), run.seconds(),
                 run.name() ? fmt::format(", run {}", *run.name()) : "");
  }
  return interrupted() ? report_interrupted(run, context, "match", contest) : kDone;
}

// --- tournament ---

struct TournamentArguments {
  ContestArguments contest;
  std::vector<std::string> players;
  std::optional<std::string> anchor;
};

// "random=0" or "random".
Result<std::optional<play::Anchor>> parse_anchor(const std::optional<std::string>& given,
                                                 const std::vector<std::string>& players) {
  if (!given) return std::optional<play::Anchor>();
  const std::string& text = *given;
  // A player's own options may hold an equals sign: the whole text first.
  if (std::ranges::find(players, text) != players.end()) {
    return std::optional(play::Anchor{text, 0});
  }
  const auto equals = text.rfind('=');
  const std::string player = text.substr(0, equals);
  if (equals == std::string::npos || std::ranges::find(players, player) == players.end()) {
    return unknown_name("player", player, players);
  }
  const auto elo = TRY(parse_integer(text.substr(equals + 1), -100000, 100000, "--anchor's Elo"));
  return std::optional(play::Anchor{player, static_cast<double>(elo)});
}

// The ratings, and the scores of the players against each other.
void print_tournament(const play::Contest& contest, const play::GameRows& rows,
                      const play::RatingTable& table) {
  constexpr std::size_t kRatingColumns = 48, kScoreColumns = 7;
  const Look look = detect_look(false);
  const auto shown = play::shown_players(contest.players);
  const std::size_t width = std::max(play::width_of(shown), std::size_t{7});
  std::vector<std::size_t> places;  // of the rated players in the list
  for (const play::Rating& rating : table.ratings) {
    places.push_back(static_cast<std::size_t>(std::ranges::find(contest.players, rating.player) -
                                              contest.players.begin()));
  }
  const auto print_places = [&] {
    for (std::size_t i = 0; i < places.size(); ++i) print_output("  {:>5}", i + 1);
  };
  const auto print_scores = [&](std::size_t place) {
    for (const std::size_t other : places) {
      const auto score = score_between(contest, rows, place, other);
      const auto& record = score.tally.record();
      print_output("  {:>5}",
                   record.games() == 0 ? "" : fmt::format("{:.0f} %", 100 * record.score()));
    }
    print_output("\n");
  };
  // A narrow terminal has the scores against each other below.
  const bool beside = kRatingColumns + width + kScoreColumns * places.size() <=
                      static_cast<std::size_t>(line_limit());
  print_output("{:>3}  {:<{}}  {:>6}  {:>16}  {:>6}  {:>7}", "", "player", width, "Elo", "95 %",
               "games", "score");
  if (beside) print_places();
  print_output("\n");
  for (std::size_t i = 0; i < places.size(); ++i) {
    const play::Rating& rating = table.ratings[i];
    print_output("{:>3}  {}  {:>6}  {:>16}  {:>6}  {:5.1f} %", i + 1,
                 painted(look, Ink::accent, fmt::format("{:<{}}", shown[places[i]], width), true),
                 play::elo_text(rating.elo),
                 rating.interval.low == rating.interval.high
                     ? "anchor"
                     : fmt::format("[{}, {}]", play::elo_text(rating.interval.low),
                                   play::elo_text(rating.interval.high)),
                 rating.record.games(), 100 * rating.record.score());
    beside ? print_scores(places[i]) : print_output("\n");
  }
  if (beside) return;
  print_output("\n{:>3}  {:<{}}", "", "against", width);
  print_places();
  print_output("\n");
  for (std::size_t i = 0; i < places.size(); ++i) {
    print_output("{:>3}  {:<{}}", i + 1, shown[places[i]], width);
    print_scores(places[i]);
  }
}

Result<int> run_tournament(const TournamentArguments& arguments, const Context& context) {
  auto contest = TRY(make_contest(arguments.contest, context, arguments.players));
  const auto anchor = TRY(parse_anchor(arguments.anchor, contest.players).in("--anchor"));
  auto run =
      TRY(ContestRun::begin(contest, arguments.contest, context, "tournament", Json::object()));
  print_message("seed {}\n", value_of(contest.seed));
  const auto table = TRY(run.play_and_rate(context, anchor));
  if (context.json) {
    run.print(tournament_json(contest, table));
  } else {
    print_tournament(contest, run.rows(), table);
    print_output("\n{} games a pairing in pairs with the sides swapped, seed {}, {:.1f} s{}\n",
                 contest.games, value_of(contest.seed), run.seconds(),
                 run.name() ? fmt::format(", run {}", *run.name()) : "");
  }
  return interrupted() ? report_interrupted(run, context, "tournament", contest) : kDone;
}

}  // namespace

Action setup_match(CommandLine line, Context& context) {
  auto arguments = std::make_shared<MatchArguments>();
  line.add_option("GAME", arguments->contest.choice.game, "the game").required();
  line.add_option("A", arguments->a, "a player, as uct:1000; see `{program} help players`")
      .required();
  line.add_option("B", arguments->b, "the other player").required();
  arguments->contest.games = 100;
  line.add_number("--games", arguments->contest.games, 2, 10'000'000,
                  "games in all, half of them with the sides swapped (default 100)");
  line.add_option(
      "--sprt", arguments->sprt, "ELO0,ELO1[,ALPHA,BETA]",
      "stop as soon as the games tell two Elo differences apart, with error rates alpha "
      "and beta");
  add_contest_options(line, arguments->contest, context);
  return [arguments, &context] { return run_match(*arguments, context); };
}

Action setup_tournament(CommandLine line, Context& context) {
  auto arguments = std::make_shared<TournamentArguments>();
  line.add_option("GAME", arguments->contest.choice.game, "the game").required();
  line.add_option("PLAYERS", arguments->players, "two players or more").required().count(2, 64);
  arguments->contest.games = 100;
  line.add_number("--games", arguments->contest.games, 2, 10'000'000,
                  "games of every pairing (default 100)");
  line.add_option("--anchor", arguments->anchor, "PLAYER[=ELO]",
                  "the player whose rating is fixed (at 0 by default); without one the mean is 0");
  line.add_number(
      "--neighbours", arguments->contest.neighbours, 1, 63,
      "each player meets only the next N in the list; list them by strength (default: all)");
  line.add_flag("--gauntlet", arguments->contest.gauntlet,
                "the first player alone meets all others: how strong it is, in fewer games");
  add_contest_options(line, arguments->contest, context);
  return [arguments, &context] { return run_tournament(*arguments, context); };
}

}  // namespace damier::app
