// `damier match`: one player against another, in pairs of games with the sides swapped.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/contest/options.h"
#include "damier/app/contest/results.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/standard_streams.h"
#include "damier/play/players/shown_players.h"

namespace damier::app {

namespace {

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
  Json json = match_json(contest, score, test ? &*test : nullptr);
  TRY(run.finish(json));
  if (context.json) {
    json["seed"] = value_of(contest.seed);
    json["seconds"] = run.seconds();
    if (run.name()) json["run"] = *run.name();
    print_json("match", json);
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
          "--sprt", arguments->sprt,
          "stop as soon as the games tell two Elo differences apart, with error rates alpha "
          "and beta")
      .type_name("ELO0,ELO1[,ALPHA,BETA]");
  add_contest_options(line, arguments->contest, context);
  return [arguments, &context] { return run_match(*arguments, context); };
}

}  // namespace damier::app
