// `damier tournament`: everybody against everybody, and the Elo ratings that follow from it.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/contest/options.h"
#include "damier/app/contest/results.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/play/players/shown_players.h"

namespace damier::app {

namespace {

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
  if (std::find(players.begin(), players.end(), text) != players.end()) {
    return std::optional(play::Anchor{text, 0});
  }
  const auto equals = text.rfind('=');
  const std::string player = text.substr(0, equals);
  if (equals == std::string::npos ||
      std::find(players.begin(), players.end(), player) == players.end()) {
    return unknown_name("player", player, players);
  }
  const auto elo = TRY(parse_integer(text.substr(equals + 1), -100000, 100000, "--anchor's Elo"));
  return std::optional(play::Anchor{player, static_cast<double>(elo)});
}

// What the players of a table are called, and their scores against each other.
class TournamentTable {
 public:
  TournamentTable(const play::Contest& contest, const play::GameRows& rows,
                  const play::RatingTable& table, const Look& look)
      : contest_(contest),
        rows_(rows),
        table_(table),
        look_(look),
        shown_(play::shown_players(contest.players)),
        width_(std::max(play::width_of(shown_), std::size_t{7})) {}

  void print() const {
    // A narrow terminal has the scores against each other below.
    const auto columns = kRatingColumns + width_ + kScoreColumns * table_.ratings.size();
    const bool beside = columns <= static_cast<std::size_t>(line_limit());
    print_output("{:>3}  {:<{}}  {:>6}  {:>16}  {:>6}  {:>7}", "", "player", width_, "Elo", "95 %",
                 "games", "score");
    if (beside) print_places();
    print_output("\n");
    for (std::size_t i = 0; i < table_.ratings.size(); ++i) {
      print_rating(i);
      if (beside) print_scores(i);
      print_output("\n");
    }
    if (beside) return;
    print_output("\n{:>3}  {:<{}}", "", "against", width_);
    print_places();
    print_output("\n");
    for (std::size_t i = 0; i < table_.ratings.size(); ++i) {
      print_output("{:>3}  {:<{}}", i + 1, shown_[place(i)], width_);
      print_scores(i);
      print_output("\n");
    }
  }

 private:
  static constexpr std::size_t kRatingColumns = 48, kScoreColumns = 7;

  std::size_t place(std::size_t rank) const {
    const auto& players = contest_.players;
    return static_cast<std::size_t>(
        std::find(players.begin(), players.end(), table_.ratings[rank].player) - players.begin());
  }

  void print_places() const {
    for (std::size_t i = 0; i < table_.ratings.size(); ++i) print_output("  {:>5}", i + 1);
  }

  void print_rating(std::size_t rank) const {
    const auto& rating = table_.ratings[rank];
    print_output(
        "{:>3}  {}  {:>6}  {:>16}  {:>6}  {:5.1f} %", rank + 1,
        painted(look_, Ink::accent, fmt::format("{:<{}}", shown_[place(rank)], width_), true),
        play::elo_text(rating.elo),
        rating.interval.low == rating.interval.high
            ? "anchor"
            : fmt::format("[{}, {}]", play::elo_text(rating.interval.low),
                          play::elo_text(rating.interval.high)),
        rating.record.games(), 100 * rating.record.score());
  }

  void print_scores(std::size_t rank) const {
    for (std::size_t other = 0; other < table_.ratings.size(); ++other) {
      const auto score = score_between(contest_, rows_, place(rank), place(other));
      const auto& record = score.tally.record();
      print_output("  {:>5}",
                   record.games() == 0 ? "" : fmt::format("{:.0f} %", 100 * record.score()));
    }
  }

  const play::Contest& contest_;
  const play::GameRows& rows_;
  const play::RatingTable& table_;
  const Look& look_;
  std::vector<std::string> shown_;
  std::size_t width_;
};

Result<int> run_tournament(const TournamentArguments& arguments, const Context& context) {
  auto contest = TRY(make_contest(arguments.contest, context, arguments.players));
  const auto anchor = TRY(parse_anchor(arguments.anchor, contest.players).in("--anchor"));
  auto run =
      TRY(ContestRun::begin(contest, arguments.contest, context, "tournament", Json::object()));
  print_message("seed {}\n", value_of(contest.seed));
  const auto table = TRY(run.play_and_rate(context, anchor));
  if (context.json) {
    Json json = tournament_json(contest, table);
    json["seed"] = value_of(contest.seed);
    json["seconds"] = run.seconds();
    if (run.name()) json["run"] = *run.name();
    print_json("tournament", json);
  } else {
    TournamentTable(contest, run.rows(), table, detect_look(false)).print();
    print_output("\n{} games a pairing in pairs with the sides swapped, seed {}, {:.1f} s{}\n",
                 contest.games, value_of(contest.seed), run.seconds(),
                 run.name() ? fmt::format(", run {}", *run.name()) : "");
  }
  return interrupted() ? report_interrupted(run, context, "tournament", contest) : kDone;
}

}  // namespace

Action setup_tournament(CommandLine line, Context& context) {
  auto arguments = std::make_shared<TournamentArguments>();
  line.add_option("GAME", arguments->contest.choice.game, "the game").required();
  line.add_option("PLAYERS", arguments->players, "two players or more").required().count(2, 64);
  arguments->contest.games = 100;
  line.add_number("--games", arguments->contest.games, 2, 10'000'000,
                  "games of every pairing (default 100)");
  line.add_option("--anchor", arguments->anchor,
                  "the player whose rating is fixed (at 0 by default); without one the mean is 0")
      .type_name("PLAYER[=ELO]");
  line.add_number(
      "--neighbours", arguments->contest.neighbours, 1, 63,
      "each player meets only the next N in the list; list them by strength (default: all)");
  line.add_flag("--gauntlet", arguments->contest.gauntlet,
                "the first player alone meets all others: how strong it is, in fewer games");
  add_contest_options(line, arguments->contest, context);
  return [arguments, &context] { return run_tournament(*arguments, context); };
}

}  // namespace damier::app
