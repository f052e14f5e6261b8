// `damier eval`: how well a network knows its task, how well a player of a game of one player does
// over many games, or how good the moves of a player of a solved game are.

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/eval/model.h"
#include "damier/app/eval/moves.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/model/library.h"
#include "damier/play/players/player_text.h"
#include "damier/play/players/players.h"
#include "damier/play/ratings/statistics.h"
#include "damier/store/store.h"

namespace damier::app {

namespace {

constexpr std::uint64_t kGames = 1000;

struct EvalArguments {
  GameChoice choice;
  std::string player;
  std::optional<std::string> data;
  std::optional<std::uint64_t> games;
  EvalMovesArguments moves;
};

// The result goes into the store as a run that is done already.
Status keep(Store& store, const EvalArguments& arguments, const games::AnyGame& game, Seed seed,
            const Json& json) {
  Json options = Json::object();
  for (const auto& [name, value] : game.option_values()) options[name] = value;
  const RunRequest request = {
      "eval",
      arguments.choice.game,
      std::move(options),
      {{"players", {arguments.player}}, {"games", arguments.games.value_or(kGames)}}};
  const auto run = TRY(store.begin_run(request, seed));
  return store.finish_run(run.id, RunStatus::done, json);
}

Result<int> eval_player(const EvalArguments& arguments, const Context& context) {
  const std::uint64_t games = arguments.games.value_or(kGames);
  auto game = TRY(make_game(context, arguments.choice));
  const auto toolkit = context.registry.toolkit(game);
  // Whether the result can be kept is found out before the games.
  std::optional<Store> store;
  if (!arguments.moves.no_store) store.emplace(TRY(Store::open_default()));
  const Seed seed = context.seed();
  ThreadPool pool(context.thread_count());
  const Stopwatch watch;
  Progress progress("playing", games, "games");
  const auto evaluation = toolkit->evaluate(
      arguments.player, games, seed, pool, [&](std::uint64_t done) { progress.add(done, done); },
      *context.ranks);
  if (!evaluation) return evaluation.error();
  if (interrupted()) {
    print_notice("{}; a part of the games tells nothing for this seed", interruption_text(context));
    return kInterrupted;
  }
  const double seconds = watch.seconds();
  const auto n = static_cast<std::int64_t>(evaluation->games);
  const Estimate win_rate = share_estimate(static_cast<std::int64_t>(evaluation->wins), n);
  const Estimate mean = mean_estimate(EstimateKind::number, evaluation->scores);
  const auto quartiles = play::quartiles(evaluation->scores);
  if (!quartiles) return Error{"no game was played", {}, ErrorKind::failure};
  const double rate = static_cast<double>(n) / seconds;
  const auto bare = [n](double value) { return bare_estimate(EstimateKind::number, value, n); };
  const std::vector<Metric> metrics = {{"win_rate", win_rate},
                                       {"score_mean", mean},
                                       {"score_least", bare(quartiles->least)},
                                       {"score_first_quartile", bare(quartiles->first)},
                                       {"score_median", bare(quartiles->median)},
                                       {"score_third_quartile", bare(quartiles->third)},
                                       {"score_greatest", bare(quartiles->greatest)},
                                       {"games_per_second", bare(rate)}};
  const Json json = {{"player", arguments.player},
                     {"task", fmt::format("{} {}", arguments.choice.game,
                                          games::options_text(game->option_values()))},
                     {"metrics", metrics_json(metrics)},
                     {"seed", value_of(seed)},
                     {"seconds", seconds}};
  if (store) TRY(keep(*store, arguments, *game, seed, json));
  if (context.json) {
    print_json("eval", json);
    return kDone;
  }
  print_output("{} on {} {}\n", arguments.player, arguments.choice.game,
               games::options_text(game->option_values()));
  print_output("  wins   {} of {}: {}\n", evaluation->wins, n, estimate_text(win_rate));
  print_output("  score  mean {:.1f}; least {:g}, quartiles {:g} {:g} {:g}, greatest {:g}\n",
               mean.value, quartiles->least, quartiles->first, quartiles->median, quartiles->third,
               quartiles->greatest);
  const int ranks = context.ranks->size();
  print_output(
      "{} games/s on {}{}, {:.1f} s, seed {}\n", short_number(rate), counted(pool.size(), "thread"),
      ranks > 1 ? fmt::format(" of each of {} ranks", ranks) : "", seconds, value_of(seed));
  return kDone;
}

Result<int> run_eval(EvalArguments arguments, const Context& context) {
  if (!arguments.choice.game.empty()) {
    if (arguments.data) {
      return Error{"--data goes with a model, not with a player and a game"};
    }
    const auto game = TRY(make_game(context, arguments.choice));
    if (arguments.moves.against && !arguments.moves.judged) {
      return Error{"--against goes with --judged"};
    }
    const bool is_solved = context.registry.toolkit(game)->is_solved();
    if (!arguments.moves.judged && !is_solved) return eval_player(arguments, context);
    arguments.moves.players.insert(arguments.moves.players.begin(), arguments.player);
    return arguments.moves.judged ? eval_judged(arguments.choice, arguments.moves, context)
                                  : eval_moves(arguments.choice, arguments.moves, context);
  }
  if (arguments.moves.judged) {
    return Error{fmt::format("--judged: of which game? As `{} eval {} GAME --judged FILE`",
                             program_name(), arguments.player)};
  }
  const auto path = model::model_path(arguments.player);
  if (!path) {
    const auto players = play::player_names(context.registry);
    const std::string name = arguments.player.substr(0, arguments.player.find_first_of(":,"));
    if (std::find(players.begin(), players.end(), name) == players.end()) {
      return path.error();
    }
    return Error{fmt::format("eval {0}: which game? As `{1} eval {0} GAME`", arguments.player,
                             program_name())};
  }
  const auto game = TRY(game_of_model(*path));
  const auto entry = TRY(context.registry.find(game).in(*path));
  // A network for a game of one player is measured by playing it.
  if (entry->facts.players == 1 && !arguments.data) {
    arguments.choice.game = game;
    arguments.player = "net:" + play::player_value(arguments.player);
    return eval_player(arguments, context);
  }
  if (arguments.choice.rules || arguments.choice.board) {
    return Error{"--rules and --board go with games of one player"};
  }
  return eval_model({*path, arguments.data, arguments.games.value_or(0), arguments.moves}, context);
}

}  // namespace

Action setup_eval(CommandLine line, Context& context) {
  auto arguments = std::make_shared<EvalArguments>();
  line.add_option("MODEL", arguments->player,
                  "a model: its file, its folder or the name of one that ships; or a player, as "
                  "solver, of the game that follows")
      .required();
  line.add_option("GAME", arguments->choice.game, "a game of one player, or a solved one");
  line.add_option("--data", arguments->data,
                  "evaluate the model on this data set instead of its task's own positions")
      .type_name("FILE");
  line.add_number("--games", arguments->games, 1, 100'000'000,
                  "how many games: of one player (default 1000), or against the strongest player "
                  "(default none)");
  line.add_option("--judged", arguments->moves.judged,
                  "positions whose exact answer is known, one a line, as POSITION;win|draw;MOVES "
                  "with the moves that keep the value; positions/ has such files")
      .type_name("FILE");
  line.add_option("--players", arguments->moves.players,
                  "solved games: also evaluate these players")
      .type_name("PLAYERS");
  line.add_option("--from", arguments->moves.from,
                  "solved games: players whose games give the positions (default random, flat:10, "
                  "uct:1000)")
      .type_name("PLAYERS");
  line.add_number("--positions", arguments->moves.positions, 1, 10'000'000,
                  "solved games: number of positions (default 400); with --judged, taken evenly "
                  "from the file (default all)");
  line.add_option("--against", arguments->moves.against,
                  "with --judged: play out won positions of known distance against this defender, "
                  "as minimax:8")
      .type_name("PLAYER");
  line.add_flag("--no-store", arguments->moves.no_store, "keep nothing in the run store");
  add_rules_options(line, arguments->choice);
  add_seed_option(line, context);
  add_threads_option(line, context);
  add_json_option(line, context);
  return [arguments, &context] { return run_eval(*arguments, context); };
}

}  // namespace damier::app
