#include "damier/app/eval/moves.h"

#include <utility>

#include <fmt/format.h>

#include "damier/app/terminal/terminal.h"
#include "damier/base/files/files.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/play/analysis/judged_positions.h"

namespace damier::app {

namespace {

// From weak to strong, and none of them a network.
std::vector<std::string> hosts_of(const EvalMovesArguments& arguments) {
  if (!arguments.from.empty()) return arguments.from;
  return {"random", "flat:10", "uct:1000"};
}

std::uint64_t positions_of(const EvalMovesArguments& arguments) {
  return arguments.positions.value_or(kEvaluatedPositions);
}

// What was found of one player.
struct EvaluatedPlayer {
  std::string name;
  std::vector<Metric> metrics;
};

Json players_json(const std::vector<EvaluatedPlayer>& all) {
  Json players = Json::array();
  for (const EvaluatedPlayer& one : all) {
    players.push_back({{"player", one.name}, {"metrics", metrics_json(one.metrics)}});
  }
  return players;
}

int print_players_json(const games::AnyGame& game, const std::optional<std::string>& judged,
                       const std::vector<EvaluatedPlayer>& all, Seed seed, double seconds) {
  Json json = {{"player", all.front().name}, {"task", task_text(game)}};
  if (judged) json["judged"] = *judged;
  json["metrics"] = metrics_json(all.front().metrics);
  json["players"] = players_json(all);
  json["seed"] = value_of(seed);
  json["seconds"] = seconds;
  return print_json("eval", json);
}

std::vector<EvaluatedPlayer> by_phase(const std::vector<play::MoveQualities>& all) {
  std::vector<EvaluatedPlayer> players;
  for (const auto& moves : all) players.push_back({moves.player, metrics_by_phase(moves)});
  return players;
}

void print_share(std::string_view name, int width, const Estimate& share) {
  if (share.n > 0)
    print_output("    {:<{}} {} of {}\n", name, width, estimate_text(share), share.n);
}

void print_judged(const play::MoveQualities& moves, const play::Conversions& conversions) {
  constexpr int kWidth = 6;
  print_output("  {}\n", moves.player);
  print_share("won", kWidth, moves.kept_of(play::Verdict::win));
  print_share("drawn", kWidth, moves.kept_of(play::Verdict::draw));
  print_share("all", kWidth, moves.kept());
  if (const Estimate detours = moves.detours(); detours.n > 0) {
    print_output("    a move that keeps a win makes it {} plies longer\n", estimate_text(detours));
  }
  if (conversions.positions == 0) return;
  print_output("    played out: {} of {} won", estimate_text(conversions.wins()),
               conversions.positions);
  if (conversions.won > 0) {
    print_output(", in {} times the exact distance", estimate_text(conversions.ratio()));
  }
  print_output("\n");
}

}  // namespace

Result<std::optional<Store>> store_for(const EvalMovesArguments& arguments) {
  std::optional<Store> store;
  if (!arguments.no_store) store.emplace(TRY(Store::open_default()));
  return store;
}

Status keep_evaluation(std::optional<Store>& store, const games::AnyGame& game, Json config,
                       Seed seed, const Json& summary) {
  if (!store) return Done{};
  Json options = Json::object();
  for (const auto& [name, value] : game.option_values()) options[name] = value;
  const auto run = TRY(store->begin_run(
      {"eval", std::string(game.facts().name), std::move(options), std::move(config)}, seed));
  return store->finish_run(run.id, RunStatus::done, summary);
}

std::string task_text(const games::AnyGame& game) {
  return fmt::format("{} {}", game.facts().name, games::options_text(game.option_values()));
}

std::string about_moves(const EvalMovesArguments& arguments) {
  return fmt::format("positions of games between {} that are not lost: the move keeps the value",
                     fmt::join(hosts_of(arguments), ", "));
}

Result<std::vector<play::MoveQualities>> evaluate_moves(
    const std::shared_ptr<const games::AnyGame>& game, const EvalMovesArguments& arguments,
    Seed seed, ThreadPool& pool, const Context& context) {
  auto store = TRY(store_for(arguments));
  const std::uint64_t positions = positions_of(arguments);
  Progress progress("looking", positions, "positions");
  auto all =
      TRY(moves_in_games(*context.registry.toolkit(game), arguments.players, hosts_of(arguments),
                         positions, seed, pool, [&] { progress.add(1, 1); }));
  const Json config = {{"players", Json(arguments.players)},
                       {"from", Json(hosts_of(arguments))},
                       {"positions", positions}};
  TRY(keep_evaluation(store, *game, config, seed, {{"players", players_json(by_phase(all))}}));
  return all;
}

void print_moves(const play::MoveQualities& moves) {
  constexpr int kWidth = 12;
  print_output("  {}\n", moves.player);
  for (std::size_t phase = 0; phase < moves.phases(); ++phase) {
    print_share("plies " + play::phase_name(phase), kWidth, moves.kept_in(phase));
  }
  print_share("all", kWidth, moves.kept());
}

Result<int> eval_moves(const GameChoice& choice, const EvalMovesArguments& arguments,
                       const Context& context) {
  const auto game = TRY(make_game(context, choice));
  const Seed seed = context.seed();
  ThreadPool pool(context.thread_count());
  const Stopwatch watch;
  const auto all = TRY(evaluate_moves(game, arguments, seed, pool, context));
  if (context.json) return print_players_json(*game, {}, by_phase(all), seed, watch.seconds());
  print_output("{}\n{}\n", task_text(*game), fitting(about_moves(arguments)));
  for (const play::MoveQualities& moves : all) print_moves(moves);
  print_output("{:.1f} s, seed {}\n", watch.seconds(), value_of(seed));
  return kDone;
}

Result<int> eval_judged(const GameChoice& choice, const EvalMovesArguments& arguments,
                        const Context& context) {
  const auto game = TRY(make_game(context, choice));
  const std::string& file = *arguments.judged;
  const auto text = TRY(read_file(file, play::kMaxJudgedBytes));
  auto positions = TRY(play::read_judged(text, file, *game));
  if (arguments.positions) {
    positions = play::some_of(std::move(positions), *arguments.positions);
  }
  auto store = TRY(store_for(arguments));
  const Seed seed = context.seed();
  ThreadPool pool(context.thread_count());
  const Stopwatch watch;
  const auto toolkit = context.registry.toolkit(game);
  std::optional<Progress> progress(std::in_place, "looking", positions.size(), "positions");
  const auto on_done = [&] { progress->add(1, 1); };
  const auto moves = TRY(judged_moves(*toolkit, arguments.players, positions, seed, pool, on_done));
  std::vector<play::Conversions> conversions(arguments.players.size());
  if (arguments.against) {
    progress.emplace("playing out", positions.size(), "positions");
    conversions = TRY(conversions_of(*toolkit, arguments.players, *arguments.against, positions,
                                     seed, pool, on_done));
  }
  progress.reset();
  std::vector<EvaluatedPlayer> all;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    all.push_back({moves[i].player, metrics_by_value(moves[i])});
    for (const Metric& metric : metrics_of(conversions[i])) all.back().metrics.push_back(metric);
  }
  Json config = {
      {"players", Json(arguments.players)}, {"judged", file}, {"positions", positions.size()}};
  if (arguments.against) config["against"] = *arguments.against;
  TRY(keep_evaluation(store, *game, config, seed, {{"players", players_json(all)}}));
  if (context.json) return print_players_json(*game, file, all, seed, watch.seconds());
  print_output("{}\n{}: the move keeps the exact value\n", task_text(*game), fitting(file));
  for (std::size_t i = 0; i < moves.size(); ++i) print_judged(moves[i], conversions[i]);
  print_output("{:.1f} s, seed {}\n", watch.seconds(), value_of(seed));
  return kDone;
}

}  // namespace damier::app
