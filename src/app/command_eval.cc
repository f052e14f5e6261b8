// `damier eval`: how well a player of a game of one player does, over many games.

#include <chrono>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "damier/app/commands.h"
#include "damier/arena/statistics.h"
#include "damier/base/interrupt.h"
#include "damier/base/progress.h"
#include "damier/base/store.h"

namespace damier::app {

namespace {

struct Arguments {
  GameChoice choice;
  std::string player;
  std::uint64_t games = 1000;
  bool no_store = false;
};

Json single(double value, std::uint64_t n) {
  return {{"value", value}, {"interval", nullptr}, {"n", n}};
}

// The result goes into the store as a run that is done already.
Status keep(const Arguments& arguments, const games::AnyGame& game, Seed seed, const Json& json) {
  auto store = Store::open(default_store_path());
  if (!store) return std::move(store).error();
  Json options = Json::object();
  for (const auto& [name, value] : game.option_values()) options[name] = value;
  const RunRequest request = {"eval",
                              arguments.choice.game,
                              std::move(options),
                              {{"players", {arguments.player}}, {"games", arguments.games}}};
  const auto run = store->begin_run(request, seed);
  if (!run) return run.error();
  return store->finish_run(run->id, RunStatus::done, json);
}

int run_eval(const Arguments& arguments, const Context& context) {
  auto game = make_game(context, arguments.choice);
  if (!game) return report(game.error());
  const auto toolkit = context.registry.toolkit(*game);
  const Seed seed = context.seed_option ? Seed{*context.seed_option} : fresh_seed();
  ThreadPool pool(context.thread_count());
  const auto begin = std::chrono::steady_clock::now();
  Progress progress("playing", arguments.games, "games");
  const auto evaluation =
      toolkit->evaluate(arguments.player, arguments.games, seed, pool,
                        [&](std::uint64_t games) { progress.add(games, games); });
  if (!evaluation) return report(evaluation.error());
  if (interrupted()) {
    fmt::print(stderr, "damier: interrupted; a part of the games tells nothing for this seed\n");
    return kInterrupted;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto win_rate = arena::proportion(static_cast<std::int64_t>(evaluation->wins),
                                          static_cast<std::int64_t>(evaluation->games));
  const auto mean = arena::mean_estimate(evaluation->scores);
  const auto quartiles = arena::quartiles(evaluation->scores);
  const double rate = static_cast<double>(evaluation->games) / seconds;
  const std::uint64_t n = evaluation->games;
  const Json metrics = {{"win_rate", estimate_json(win_rate)},
                        {"score_mean", estimate_json(mean)},
                        {"score_least", single(quartiles->least, n)},
                        {"score_first_quartile", single(quartiles->first, n)},
                        {"score_median", single(quartiles->median, n)},
                        {"score_third_quartile", single(quartiles->third, n)},
                        {"score_greatest", single(quartiles->greatest, n)},
                        {"games_per_second", single(rate, n)}};
  const Json json = {{"player", arguments.player},
                     {"task", fmt::format("{} {}", arguments.choice.game,
                                          games::options_text((*game)->option_values()))},
                     {"metrics", metrics},
                     {"seed", value_of(seed)},
                     {"seconds", seconds}};
  if (!arguments.no_store) {
    if (auto status = keep(arguments, **game, seed, json); !status) return report(status.error());
  }
  if (context.json) {
    print_json("eval", json);
    return kDone;
  }
  fmt::print("{} on {} {}\n", arguments.player, arguments.choice.game,
             games::options_text((*game)->option_values()));
  fmt::print("  wins   {} of {}: {:.2f} % [{:.2f}, {:.2f}]\n", evaluation->wins, n,
             100 * win_rate.value, 100 * win_rate.interval.low, 100 * win_rate.interval.high);
  fmt::print("  score  mean {:.1f}; least {:g}, quartiles {:g} {:g} {:g}, greatest {:g}\n",
             mean.value, quartiles->least, quartiles->first, quartiles->median, quartiles->third,
             quartiles->greatest);
  fmt::print("{} games/s on {} threads, {:.1f} s, seed {}\n", short_number(rate), pool.size(),
             seconds, value_of(seed));
  return kDone;
}

}  // namespace

std::function<int()> setup_eval(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<Arguments>();
  app.add_option("PLAYER", arguments->player, "a player, as solver; see `damier help players`")
      ->required();
  app.add_option("GAME", arguments->choice.game, "a game of one player, as minesweeper")
      ->required();
  app.add_option("--games", arguments->games, "how many (default 1000)")
      ->type_name("N")
      ->check(CLI::Range(1, 100'000'000));
  app.add_flag("--no-store", arguments->no_store, "keep nothing in the run store");
  add_rules_options(app, arguments->choice);
  add_seed_option(app, context);
  add_threads_option(app, context);
  add_json_option(app, context);
  return [arguments, &context] { return run_eval(*arguments, context); };
}

}  // namespace damier::app
