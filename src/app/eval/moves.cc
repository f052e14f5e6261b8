#include "damier/app/eval/moves.h"

#include <utility>

#include <fmt/format.h>

#include "damier/app/terminal/terminal.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/store/store.h"

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

Json players_json(const std::vector<play::KeptMoves>& all) {
  Json players = Json::array();
  for (const play::KeptMoves& moves : all) {
    players.push_back({{"player", moves.player}, {"metrics", metrics_json(metrics_of(moves))}});
  }
  return players;
}

Status keep_moves(Store& store, const games::AnyGame& game, const EvalMovesArguments& arguments,
                  Seed seed, const std::vector<play::KeptMoves>& all) {
  Json options = Json::object();
  for (const auto& [name, value] : game.option_values()) options[name] = value;
  const RunRequest request = {"eval",
                              std::string(game.facts().name),
                              std::move(options),
                              {{"players", Json(arguments.players)},
                               {"from", Json(hosts_of(arguments))},
                               {"positions", positions_of(arguments)}}};
  const auto run = store.begin_run(request, seed);
  if (!run) return run.error();
  return store.finish_run(run->id, RunStatus::done, {{"players", players_json(all)}});
}

}  // namespace

std::string about_moves(const EvalMovesArguments& arguments) {
  return fmt::format("positions of games between {} that are not lost: the move keeps the value",
                     fmt::join(hosts_of(arguments), ", "));
}

Result<std::vector<play::KeptMoves>> evaluate_moves(
    const std::shared_ptr<const games::AnyGame>& game, const EvalMovesArguments& arguments,
    Seed seed, ThreadPool& pool, const Context& context) {
  // Whether the result can be kept is found out before the work.
  std::optional<Store> store;
  if (!arguments.no_store) {
    auto opened = Store::open_default();
    if (!opened) return std::move(opened).error();
    store.emplace(*std::move(opened));
  }
  play::KeptPlan plan;
  plan.toolkit = context.registry.toolkit(game);
  plan.players = arguments.players;
  plan.hosts = hosts_of(arguments);
  plan.positions = positions_of(arguments);
  plan.seed = seed;
  Progress progress("looking", plan.positions, "positions");
  auto all = kept_moves(plan, pool, [&] { progress.add(1, 1); });
  if (!all) return all;
  if (store) {
    if (auto status = keep_moves(*store, *game, arguments, seed, *all); !status) {
      return std::move(status).error();
    }
  }
  return all;
}

void print_moves(const play::KeptMoves& moves) {
  print_output("  {}\n", moves.player);
  for (std::size_t phase = 0; phase < moves.kept.size(); ++phase) {
    if (moves.looked_at[phase] == 0) continue;
    const Estimate share = moves.phase(phase);
    print_output("    plies {:<6} {} of {}\n", play::phase_name(phase), estimate_text(share),
                 share.n);
  }
  print_output("    all          {} of {}\n", estimate_text(moves.all()), moves.all().n);
}

int eval_moves(const GameChoice& choice, const EvalMovesArguments& arguments,
               const Context& context) {
  const auto game = make_game(context, choice);
  if (!game) return report(game.error());
  const Seed seed = context.seed();
  ThreadPool pool(context.thread_count());
  const Stopwatch watch;
  const auto all = evaluate_moves(*game, arguments, seed, pool, context);
  if (!all && interrupted()) return report_interrupted();
  if (!all) return report(all.error());
  const std::string task =
      fmt::format("{} {}", choice.game, games::options_text((*game)->option_values()));
  if (context.json) {
    print_json("eval", {{"player", all->front().player},
                        {"task", task},
                        {"metrics", metrics_json(metrics_of(all->front()))},
                        {"players", players_json(*all)},
                        {"seed", value_of(seed)},
                        {"seconds", watch.seconds()}});
    return kDone;
  }
  print_output("{}\n{}\n", task, fitting(about_moves(arguments)));
  for (const play::KeptMoves& moves : *all) print_moves(moves);
  print_output("{:.1f} s, seed {}\n", watch.seconds(), value_of(seed));
  return kDone;
}

}  // namespace damier::app
