// `damier eval`: how well a network knows its task, how well a player of a game of one player does
// over many games, or how good the moves of a player of a solved game are.

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/app/eval/moves.h"
#include "damier/app/terminal/terminal.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/learn/train/recipe.h"
#include "damier/model/library.h"
#include "damier/model/model.h"
#include "damier/play/contest/games.h"
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

Result<int> eval_player(const EvalArguments& arguments, const Context& context) {
  const std::uint64_t games = arguments.games.value_or(kGames);
  auto game = TRY(make_game(context, arguments.choice));
  const auto toolkit = context.registry.toolkit(game);
  auto store = TRY(store_for(arguments.moves));
  const Seed seed = context.seed();
  ThreadPool pool(context.thread_count());
  const Stopwatch watch;
  Progress progress("playing", games, "games");
  const auto evaluation = TRY(toolkit->evaluate(
      arguments.player, games, seed, pool, [&](std::uint64_t done) { progress.add(done, done); },
      *context.ranks));
  if (interrupted()) {
    print_notice("{}; a part of the games tells nothing for this seed", interruption_text(context));
    return kInterrupted;
  }
  const double seconds = watch.seconds();
  const auto n = static_cast<std::int64_t>(evaluation.games);
  const Estimate win_rate = share_estimate(static_cast<std::int64_t>(evaluation.wins), n);
  const Estimate mean = mean_estimate(EstimateKind::number, evaluation.scores);
  const auto quartiles = play::quartiles(evaluation.scores);
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
                     {"task", task_text(*game)},
                     {"metrics", metrics_json(metrics)},
                     {"seed", value_of(seed)},
                     {"seconds", seconds}};
  TRY(keep_evaluation(store, *game, {{"players", {arguments.player}}, {"games", games}}, seed,
                      json));
  if (context.json) return print_json("eval", json);
  print_output("{} on {}\n", arguments.player, task_text(*game));
  print_output("  wins   {} of {}: {}\n", evaluation.wins, n, estimate_text(win_rate));
  print_output("  score  mean {:.1f}; least {:g}, quartiles {:g} {:g} {:g}, greatest {:g}\n",
               mean.value, quartiles->least, quartiles->first, quartiles->median, quartiles->third,
               quartiles->greatest);
  const int ranks = context.ranks->size();
  print_output(
      "{} games/s on {}{}, {:.1f} s, seed {}\n", short_number(rate), counted(pool.size(), "thread"),
      ranks > 1 ? fmt::format(" of each of {} ranks", ranks) : "", seconds, value_of(seed));
  return kDone;
}

constexpr int kBatch = 256;

// Data of more rows than these is not made again, but some rows of its kind are, from another seed.
constexpr std::uint64_t kMaxRowsAgain = 300'000;
constexpr std::uint64_t kFreshRows = 4000;

struct EvaluatedSet {
  std::string name;   // "reachable"
  std::string about;  // for people
  std::vector<Metric> metrics;
};

Result<model::Model> open_checked(const std::string& name, const learn::Tasks& tasks,
                                  std::shared_ptr<const learn::Task>& task) {
  const auto path = TRY(model::model_path(name));
  auto model = model::open_model(path);
  if (!model) return model;
  const std::string_view game = model->origin("game"), named = model->origin("task");
  task = TRY(tasks.find(named.empty() ? game : named).in(path));
  TRY(encoder_of(*model, task->encoders()));
  return model;
}

// The rows of the model's own data that it never learnt from, made again.
Result<std::vector<EvaluatedSet>> held_out(const model::Model& model, const learn::Task& task,
                                           model::Predictor& evaluated, ThreadPool& pool,
                                           Ranks& ranks) {
  std::vector<EvaluatedSet> sets;
  const auto json =
      parse_json(model.origin("generate").empty() ? "null" : model.origin("generate"), model.path);
  if (!json || !json->is_object()) return sets;
  auto options = TRY(learn::read_generate_options(task, *json, model.path));
  if (options.split == "none" || options.test == 0) return sets;
  const bool is_fresh = options.count > kMaxRowsAgain;
  if (is_fresh) {
    options.count = kFreshRows;
    options.split = "none";
    options.seed = Seed{~value_of(options.seed)};
  }
  const auto rows = TRY(learn::generate_in_memory(task, options, pool, ranks));
  const auto metrics = TRY(task.evaluate(evaluated, model.origin("encoder"), rows,
                                         is_fresh ? learn::Split::training : learn::Split::test));
  sets.push_back({is_fresh ? "fresh" : "held_out",
                  is_fresh ? "rows as it learnt from, made with another seed"
                           : "held-out rows, of which it learnt nothing",
                  metrics});
  return sets;
}

Result<std::vector<EvaluatedSet>> evaluate(const model::Model& model, const learn::Task& task,
                                           const std::optional<std::string>& file, ThreadPool& pool,
                                           Ranks& ranks) {
  const std::string encoder(model.origin("encoder"));
  const auto evaluated = predict_with(model, kBatch);
  std::vector<EvaluatedSet> sets;
  if (file) {
    const auto data = TRY(learn::DataSet::open(*file));
    if (text_in(data.info(), "encoder") != encoder) {
      return Error{fmt::format("is encoded as {}; expected {}, as the model reads it",
                               in_quotes(text_in(data.info(), "encoder")), in_quotes(encoder)),
                   {*file}};
    }
    for (std::size_t i = 0; i < learn::kSplits; ++i) {
      const auto split = static_cast<learn::Split>(i);
      if (data.rows(split).count == 0) continue;
      auto metrics = TRY(task.evaluate(*evaluated, encoder, data, split));
      const std::string name(name_of(split));
      sets.push_back({name, fmt::format("{} of {}", name, *file), std::move(metrics)});
    }
    return sets;
  }
  sets = TRY(held_out(model, task, *evaluated, pool, ranks));
  for (const std::string& set : task.evaluated_sets()) {
    auto metrics = TRY(task.evaluate(*evaluated, encoder, set));
    sets.push_back({set, set, std::move(metrics)});
  }
  return sets;
}

Result<EvaluatedSet> play_strongest(const model::Model& model, std::uint64_t games, Seed seed,
                                    const Context& context, ThreadPool& pool) {
  const auto game = TRY(make_game(context, {.game = std::string(model.origin("game"))}));
  play::ContestPlan plan;
  plan.toolkit = context.registry.toolkit(game);
  const std::string opponent = plan.toolkit->strongest_player();
  plan.players = {"net:" + play::player_value(model.path), opponent};
  plan.games = static_cast<std::int64_t>(games);
  plan.seed = seed;
  const play::Contest& contest = TRY(play::open_contest(std::move(plan)));
  Progress progress("playing", games, "games");
  play::GameRows rows(games);
  const auto on_game = [&](const GameRow&) {
    progress.add(1, 1);
    return true;
  };
  TRY(share_contest(contest, rows, pool, on_game, *context.ranks));
  if (interrupted()) return EvaluatedSet{};
  const auto score = play::score_between(contest, rows, 0, 1);
  const play::Record& all = score.tally.record();
  const auto n = static_cast<std::int64_t>(games);
  return EvaluatedSet{"against_" + opponent,
                      fmt::format("games against {}", opponent),
                      {{"not_lost", share_estimate(n - all.losses, n)},
                       {"score", play::score_estimate(score.tally)}}};
}

// How good its moves are where the solver knows, in positions of other players' games. A game whose
// table knows every state is evaluated on all of them already.
Result<std::vector<play::MoveQualities>> evaluate_own_moves(const model::Model& model,
                                                            const EvalArguments& arguments,
                                                            Seed seed, const Context& context,
                                                            ThreadPool& pool) {
  const auto game = TRY(make_game(context, {.game = std::string(model.origin("game"))}));
  const auto toolkit = context.registry.toolkit(game);
  EvalMovesArguments moves = arguments.moves;
  const bool asked = !moves.players.empty() || !moves.from.empty() || moves.positions;
  if (!asked && (arguments.data || !toolkit->is_solved() || toolkit->knows_every_state())) {
    return std::vector<play::MoveQualities>{};
  }
  moves.players.insert(moves.players.begin(), "net:" + play::player_value(model.path));
  return evaluate_moves(game, moves, seed, pool, context);
}

// The game that a model plays, or an error that says why it is not known.
Result<std::string> game_of_model(const std::string& path) {
  const auto model = TRY(model::open_model(path));
  if (model.origin("game").empty()) {
    return Error{fmt::format("does not say which game it plays; `{} inspect` shows what it says",
                             program_name()),
                 {path}};
  }
  return std::string(model.origin("game"));
}

// Of a game of two players.
Result<int> eval_model(const std::string& path, const EvalArguments& arguments,
                       const Context& context) {
  std::shared_ptr<const learn::Task> task;
  const auto model = TRY(open_checked(path, context.registry.tasks(), task));
  const Seed seed{context.seed_option.value_or(1)};
  ThreadPool pool(context.thread_count());
  const Stopwatch watch;
  auto sets = TRY(evaluate(model, *task, arguments.data, pool, *context.ranks));
  if (arguments.games) {
    auto games = TRY(play_strongest(model, *arguments.games, seed, context, pool));
    sets.push_back(std::move(games));
  }
  if (interrupted()) return report_interrupted();
  const auto moves = TRY(evaluate_own_moves(model, arguments, seed, context, pool));
  const double seconds = watch.seconds();
  if (context.json) {
    Json metrics = Json::object();
    for (const EvaluatedSet& set : sets) {
      const Json own = metrics_json(set.metrics);
      for (const auto& [name, metric] : own.items()) metrics[set.name + "." + name] = metric;
    }
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const std::string set = i == 0 ? "other_games" : "other_games." + moves[i].player;
      for (const Metric& metric : metrics_by_phase(moves[i])) {
        metrics[set + "." + metric.name] = estimate_json(metric);
      }
    }
    print_json("eval", {{"model", model.path},
                        {"task", task->name()},
                        {"metrics", std::move(metrics)},
                        {"seed", value_of(seed)},
                        {"seconds", seconds}});
    return kDone;
  }
  print_output("{}: {}, encoder {}\n", model.path, task->name(), model.origin("encoder"));
  for (const EvaluatedSet& set : sets) {
    print_output("  {}\n", set.about);
    print_metrics(set.metrics);
  }
  if (!moves.empty()) print_output("{}\n", fitting(about_moves(arguments.moves)));
  for (const play::MoveQualities& one : moves) print_moves(one);
  print_output("{:.1f} s, seed {}\n", seconds, value_of(seed));
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
    if (std::ranges::find(players, name) == players.end()) {
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
  return eval_model(*path, arguments, context);
}

}  // namespace

Action setup_eval(CommandLine line, Context& context) {
  auto arguments = std::make_shared<EvalArguments>();
  line.add_option("MODEL", arguments->player,
                  "a model: its file, its folder or the name of one that ships; or a player, as "
                  "solver, of the game that follows")
      .required();
  line.add_option("GAME", arguments->choice.game, "a game of one player, or a solved one");
  line.add_option("--data", arguments->data, "FILE",
                  "evaluate the model on this data set instead of its task's own positions");
  line.add_number("--games", arguments->games, 1, 100'000'000,
                  "how many games: of one player (default 1000), or against the strongest player "
                  "(default none)");
  line.add_option("--judged", arguments->moves.judged, "FILE",
                  "positions whose exact answer is known, one a line, as POSITION;win|draw;MOVES "
                  "with the moves that keep the value; positions/ has such files");
  line.add_option("--players", arguments->moves.players, "PLAYERS",
                  "solved games: also evaluate these players");
  line.add_option("--from", arguments->moves.from, "PLAYERS",
                  "solved games: players whose games give the positions (default random, flat:10, "
                  "uct:1000)");
  line.add_number("--positions", arguments->moves.positions, 1, 10'000'000,
                  "solved games: number of positions (default 400); with --judged, taken evenly "
                  "from the file (default all)");
  line.add_option("--against", arguments->moves.against, "PLAYER",
                  "with --judged: play out won positions of known distance against this defender, "
                  "as minimax:8");
  line.add_flag("--no-store", arguments->moves.no_store, "keep nothing in the run store");
  add_rules_options(line, arguments->choice);
  add_shared_options(line, context, {"--seed", "--threads", "--json"});
  return [arguments, &context] { return run_eval(*arguments, context); };
}

}  // namespace damier::app
