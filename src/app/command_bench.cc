// `damier bench`: the benchmarks, as ratios against the built-in reference of each.

#include <memory>

#include "bench/games.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "damier/app/commands.h"
#include "damier/base/cpu.h"
#include "damier/base/interrupt.h"
#include "damier/base/progress.h"
#include "damier/base/text.h"
#include "damier/base/threads.h"
#include "damier/base/version.h"

namespace damier::app {

namespace {

Json machine_json() {
  const CpuFeatures& cpu = cpu_features();
  return {{"processor", cpu_name()},     {"cores", available_threads()},
          {"pdep", cpu.fast_pdep},       {"avx2", cpu.avx2},
          {"avx512", cpu.avx512},        {"damier", version()},
          {"compiler", build_compiler()}};
}

Json row_json(const bench::Row& row) {
  return {{"name", row.name},
          {"unit", row.unit + "/s"},
          {"ours", row.ours.median},
          {"ours_range", {row.ours.low, row.ours.high}},
          {"peer_name", row.peer_name},
          {"peer", row.peer.median},
          {"peer_range", {row.peer.low, row.peer.high}},
          {"ratio", row.ratio()},
          {"goal", row.goal}};
}

void print_row(const bench::Row& row) {
  fmt::print("{}\n", row.name);
  fmt::print("  {:<38} {:>9} {}/s   [{}, {}]   goal {}: {}\n", "ours",
             short_number(row.ours.median), row.unit, short_number(row.ours.low),
             short_number(row.ours.high), short_number(row.goal),
             row.ours.median >= row.goal ? "met" : "missed");
  fmt::print("  {:<38} {:>9} {}/s   [{}, {}]   ours is {:.2f} times as fast\n\n", row.peer_name,
             short_number(row.peer.median), row.unit, short_number(row.peer.low),
             short_number(row.peer.high), row.ratio());
}

int run_games(const Context& context, const bench::Effort& effort) {
  const Seed seed{context.seed_option.value_or(1)};
  Progress progress("bench games", 4, "rows");
  const auto result =
      bench::bench_games(seed, effort, [&](std::size_t, std::size_t) { progress.add(1, 1); });
  if (interrupted()) {
    fmt::print(stderr, "damier: interrupted\n");
    return kInterrupted;
  }
  if (context.json) {
    Json rows = Json::array();
    for (const auto& row : result.rows) rows.push_back(row_json(row));
    print_json("bench", {{"machine", machine_json()},
                         {"seed", value_of(seed)},
                         {"rows", std::move(rows)},
                         {"random_domineering",
                          {{"games", 1000000},
                           {"vertical_wins", result.vertical_wins},
                           {"mean_length", result.mean_length}}}});
    return kDone;
  }
  fmt::print("{}, one thread, seed {}; median [slowest, fastest] of {} repetitions\n\n", cpu_name(),
             value_of(seed), effort.repetitions);
  for (const auto& row : result.rows) print_row(row);
  fmt::print(
      "Check: of 1,000,000 random domineering games on 8x8, Vertical wins {:.2f} % "
      "(expected 50.9), mean length {:.2f} plies (expected 27.9).\n",
      100 * result.vertical_wins, result.mean_length);
  return kDone;
}

}  // namespace

std::function<int()> setup_bench(CLI::App& app, Context& context) {
  struct Arguments {
    std::string name = "games";
    bool quick = false;
  };
  auto arguments = std::make_shared<Arguments>();
  app.add_option("NAME", arguments->name, "which benchmark: games (the default)");
  app.add_flag("--quick", arguments->quick, "shorter repetitions, rougher figures");
  add_json_option(app, context);
  add_seed_option(app, context);
  return [arguments, &context] {
    const std::vector<std::string> names = {"games"};
    if (arguments->name != "games") {
      return report(unknown_name("benchmark", arguments->name, names));
    }
    return run_games(context, arguments->quick ? bench::Effort{3, 0.02} : bench::Effort{});
  };
}

}  // namespace damier::app
