// How fast search and the exact solvers are.

#include "bench/suite.h"
#include <fmt/format.h>

#include "damier/exact/domineering/solver.h"
#include "damier/exact/fanorona/exact.h"
#include "damier/exact/minesweeper/solver.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/history.h"
#include "damier/games/playout.h"
#include "damier/search/evaluator.h"
#include "damier/search/tree.h"

namespace damier::bench {

namespace {

using games::domineering::Domineering;
using games::minesweeper::Minesweeper;

// Simulations from the empty board, a fresh tree every time.
Row tree_row(Seed seed, const Effort& effort) {
  const Domineering game;
  const games::History<Domineering> start(game, game.initial());
  RandomStream random(seed, "bench.tree"), plain(seed, "bench.playouts");
  return compare(
      "domineering 8x8, tree search (UCT) from the empty board", "simulations",
      [&] {
        constexpr std::uint64_t kSimulations = 20000;
        search::TreeSearch<Domineering> tree(game);
        return tree.answer(start, {.nodes = kSimulations, .random = &random}).nodes;
      },
      "plain random games, without a tree",
      [&] {
        constexpr std::uint64_t kGames = 2000;
        for (std::uint64_t i = 0; i < kGames; ++i) {
          games::random_playout(game, game.initial(), plain, 64);
        }
        return kGames;
      },
      500e3, effort);
}

Row minesweeper_row(const char* name, const Minesweeper& game, double goal, Seed seed,
                    const Effort& effort) {
  exact::minesweeper::Solver solver;
  std::uint64_t number = 0;
  return measure_alone(
      name, "games",
      [&] {
        constexpr std::uint64_t kGames = 20;
        for (std::uint64_t i = 0; i < kGames; ++i, ++number) {
          RandomStream random(seed, "bench.solver", number);
          solver.play(game, Seed{random()}, random);
        }
        return kGames;
      },
      goal, effort);
}

}  // namespace

Result<SuiteReport> bench_search(const SuiteRequest& request) {
  const Seed seed = request.seed;
  const Effort& effort = request.effort;
  SuiteReport report;
  const auto add = [&](Row row) {
    report.rows.push_back(std::move(row));
    request.on_row();
  };
  std::uint64_t nodes = 0;
  add(tree_row(seed, effort));
  add(measure_alone(
      "domineering 8x8 solved from the empty board", "boards",
      [&] {
        exact::domineering::DomineeringSolver solver{Domineering()};
        nodes = solver.solve(Domineering().initial()).nodes;
        return std::uint64_t{1};
      },
      0.5, effort));
  add(measure_alone(
      "fanorona, the whole state space solved", "spaces",
      [] {
        const exact::FanoronaTable table;
        return std::uint64_t{table.indexer().state_count() > 0};
      },
      2, effort));
  add(minesweeper_row("minesweeper 10x10x10, whole games by the solver", Minesweeper(10, 10, 10),
                      10e3, seed, effort));
  add(minesweeper_row("minesweeper 16x30x99, whole games by the solver", Minesweeper(16, 30, 99),
                      220, seed, effort));
  report.facts["domineering_nodes"] = nodes;
  report.note = fmt::format("Domineering 8x8 took {} nodes (goal 2,000,000: {}).", nodes,
                            nodes <= 2'000'000 ? "met" : "missed");
  return report;
}

}  // namespace damier::bench
