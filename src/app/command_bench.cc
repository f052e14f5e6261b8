// `damier bench`: the benchmarks, as ratios against the built-in reference of each.

#include <memory>

#include "bench/chess_rules.h"
#include "bench/games.h"
#include "bench/nn.h"
#include "bench/search.h"
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
  const bool alone = row.peer_name.empty();
  return {{"name", row.name},
          {"unit", row.unit + "/s"},
          {"ours", row.ours.median},
          {"ours_range", {row.ours.low, row.ours.high}},
          {"peer_name", alone ? Json(nullptr) : Json(row.peer_name)},
          {"peer", alone ? Json(nullptr) : Json(row.peer.median)},
          {"peer_range", alone ? Json(nullptr) : Json({row.peer.low, row.peer.high})},
          {"ratio", alone ? Json(nullptr) : Json(row.ratio())},
          {"goal", row.goal_ratio > 0 ? row.goal_ratio : row.goal},
          {"goal_is", row.goal_ratio > 0 ? "ratio" : "rate"},
          {"met", row.met()}};
}

void print_row(const bench::Row& row) {
  const auto line = [&](const std::string& who, const bench::Rate& rate) {
    return fmt::format("  {:<38} {:>9} {}/s   [{}, {}]", who, short_number(rate.median), row.unit,
                       short_number(rate.low), short_number(rate.high));
  };
  const char* verdict = row.met() ? "met" : "missed";
  fmt::print("{}\n{}", row.name, line("ours", row.ours));
  if (row.goal > 0) fmt::print("   goal {}: {}", short_number(row.goal), verdict);
  if (row.peer_name.empty()) {
    fmt::print("\n\n");
    return;
  }
  fmt::print("\n{}   ours is {:.2f} times as fast", line(row.peer_name, row.peer), row.ratio());
  if (row.goal_ratio > 0) fmt::print(", goal {}: {}", row.goal_ratio, verdict);
  fmt::print("\n\n");
}

void print_head(Seed seed, const bench::Effort& effort) {
  fmt::print("{}, one thread, seed {}; median [slowest, fastest] of {} repetitions\n\n", cpu_name(),
             value_of(seed), effort.repetitions);
}

int stop_interrupted() {
  fmt::print(stderr, "damier: interrupted\n");
  return kInterrupted;
}

int run_games(const Context& context, const bench::Effort& effort) {
  const Seed seed{context.seed_option.value_or(1)};
  Progress progress("bench games", 4, "rows");
  const auto result =
      bench::bench_games(seed, effort, [&](std::size_t, std::size_t) { progress.add(1, 1); });
  if (interrupted()) return stop_interrupted();
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
  print_head(seed, effort);
  for (const auto& row : result.rows) print_row(row);
  fmt::print(
      "Check: of 1,000,000 random domineering games on 8x8, Vertical wins {:.2f} % "
      "(expected 50.9), mean length {:.2f} plies (expected 27.9).\n",
      100 * result.vertical_wins, result.mean_length);
  return kDone;
}

int run_search(const Context& context, const bench::Effort& effort) {
  const Seed seed{context.seed_option.value_or(1)};
  Progress progress("bench search", bench::kSearchRows, "rows");
  const auto result =
      bench::bench_search(seed, effort, [&](std::size_t, std::size_t) { progress.add(1, 1); });
  if (interrupted()) return stop_interrupted();
  if (context.json) {
    Json rows = Json::array();
    for (const auto& row : result.rows) rows.push_back(row_json(row));
    print_json("bench", {{"machine", machine_json()},
                         {"seed", value_of(seed)},
                         {"rows", std::move(rows)},
                         {"domineering_nodes", result.domineering_nodes}});
    return kDone;
  }
  print_head(seed, effort);
  for (const auto& row : result.rows) print_row(row);
  fmt::print("Domineering 8x8 took {} nodes (goal 2,000,000: {}).\n", result.domineering_nodes,
             result.domineering_nodes <= 2'000'000 ? "met" : "missed");
  return kDone;
}

int run_chess_rules(const Context& context, bool stockfish, const bench::Effort& effort) {
  const Seed seed{context.seed_option.value_or(1)};
  Progress progress("bench chess-rules", bench::kChessRows, "rows");
  const auto result = bench::bench_chess_rules(
      stockfish, seed, effort, [&](std::size_t, std::size_t) { progress.add(1, 1); });
  if (!result) return report(result.error());
  if (interrupted()) return stop_interrupted();
  if (context.json) {
    Json rows = Json::array();
    for (const auto& row : *result) rows.push_back(row_json(row));
    print_json("bench",
               {{"machine", machine_json()}, {"seed", value_of(seed)}, {"rows", std::move(rows)}});
    return kDone;
  }
  print_head(seed, effort);
  for (const auto& row : *result) print_row(row);
  return kDone;
}

int run_nn(const Context& context, const std::string& peer, const bench::Effort& effort) {
  const Seed seed{context.seed_option.value_or(1)};
  Progress progress("bench nn", 9, "rows");
  const auto result =
      bench::bench_nn(peer == "pytorch" ? bench::NnPeer::pytorch : bench::NnPeer::plain_kernels,
                      seed, effort, [&](std::size_t, std::size_t) { progress.add(1, 1); });
  if (!result) return report(result.error());
  if (interrupted()) return stop_interrupted();
  if (context.json) {
    Json rows = Json::array();
    for (const auto& row : result->rows) rows.push_back(row_json(row));
    print_json("bench", {{"machine", machine_json()},
                         {"kernels", result->kernels},
                         {"seed", value_of(seed)},
                         {"rows", std::move(rows)}});
    return kDone;
  }
  print_head(seed, effort);
  fmt::print("Ours: {} kernels. Peer: {}.\n\n", result->kernels, result->peer);
  for (const auto& row : result->rows) print_row(row);
  return kDone;
}

}  // namespace

std::function<int()> setup_bench(CommandLine line, Context& context) {
  struct Arguments {
    std::string name = "games";
    std::string peer;
    bool quick = false;
  };
  auto arguments = std::make_shared<Arguments>();
  line.add_option("NAME", arguments->name,
                  "which benchmark: games (the default), search, chess-rules or nn");
  line.add_option("--peer", arguments->peer,
                  "measure beside another program: nn has 'pytorch', chess-rules has 'stockfish'")
      .type_name("PEER");
  line.add_flag("--quick", arguments->quick, "shorter repetitions, rougher figures");
  add_json_option(line, context);
  add_seed_option(line, context);
  return [arguments, &context] {
    const std::vector<std::string> names = {"games", "search", "chess-rules", "nn"};
    if (std::find(names.begin(), names.end(), arguments->name) == names.end()) {
      return report(unknown_name("benchmark", arguments->name, names));
    }
    const std::string peer = arguments->name == "nn"            ? "pytorch"
                             : arguments->name == "chess-rules" ? "stockfish"
                                                                : "";
    if (!arguments->peer.empty() && arguments->peer != peer) {
      return report(peer.empty()
                        ? Error{"--peer goes with `bench nn` and `bench chess-rules`"}
                        : unknown_name("peer", arguments->peer, std::vector<std::string>{peer}));
    }
    const bench::Effort effort = arguments->quick ? bench::Effort{3, 0.02} : bench::Effort{};
    if (arguments->name == "search") return run_search(context, effort);
    if (arguments->name == "chess-rules") {
      return run_chess_rules(context, !arguments->peer.empty(), effort);
    }
    return arguments->name == "nn" ? run_nn(context, arguments->peer, effort)
                                   : run_games(context, effort);
  };
}

}  // namespace damier::app
