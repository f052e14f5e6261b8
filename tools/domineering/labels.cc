// Exact labels of Domineering positions for programs in other languages: train_on_gpu.py calls it.
//
// A position is its free cells in a frame of 8x8, as the side to move sees it (encoders.h): that
// side lays its dominoes upright, and what lies outside a smaller board is taken.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "damier/exact/domineering/solver.h"

namespace {

using namespace damier::exact::domineering;
using damier::games::Verdict;
using damier::games::domineering::make_move;

struct Labeller {
  Domineering game{8, 8};
  std::shared_ptr<ProvenPositions> table;
  std::vector<std::unique_ptr<DomineeringSolver>> solvers;  // one a thread
};

}  // namespace

extern "C" {

void* domineering_labeller(int threads, int table_bits) {
  auto* labeller = new Labeller;
  labeller->table = std::make_shared<ProvenPositions>(table_bits);
  for (int i = 0; i < threads; ++i) {
    labeller->solvers.push_back(
        std::make_unique<DomineeringSolver>(labeller->game, labeller->table));
  }
  return labeller;
}

// For each position: `values` 1 won, -1 lost, 0 not found out with so many nodes; `winning` the
// moves that are known to win, `known` those of which it is known whether they do, as the upper
// cells of their dominoes. Of a won position these are the moves that `asked` names, and one that
// wins. What takes longer than `seconds` is left at 0.
void domineering_label(void* opaque, const std::uint64_t* positions, const std::uint64_t* asked,
                       std::int64_t count, std::uint64_t nodes, double seconds, std::int8_t* values,
                       std::uint64_t* winning, std::uint64_t* known) {
  using Clock = std::chrono::steady_clock;
  auto& labeller = *static_cast<Labeller*>(opaque);
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  std::fill_n(values, count, std::int8_t{0});
  std::fill_n(winning, count, std::uint64_t{0});
  std::fill_n(known, count, std::uint64_t{0});
  std::atomic<std::int64_t> next{0};
  const auto work = [&](DomineeringSolver& solver) {
    for (std::int64_t i = next++; i < count; i = next++) {
      const double left = std::chrono::duration<double>(end - Clock::now()).count();
      if (left <= 0) return;
      const Ask limits{.nodes = nodes, .seconds = left};
      const State state{positions[i], damier::games::Side::first};
      const std::uint64_t legal = labeller.game.placements(state.free, state.side);
      const auto whole = solver.solve(state, limits);
      if (!whole.known.is_certain()) continue;
      if (whole.known.verdict == Verdict::loss) {
        values[i] = -1;
        known[i] = legal;
        continue;
      }
      values[i] = 1;
      for (const auto& winner : whole.moves) {
        winning[i] |= std::uint64_t{1} << damier::games::domineering::cell_of(winner.move);
      }
      known[i] = winning[i];
      for (std::uint64_t cells = asked[i] & legal & ~known[i]; cells != 0; cells &= cells - 1) {
        const int cell = damier::lowest_bit(cells);
        State after = state;
        labeller.game.play(after, make_move(cell, state.side));
        const Verdict reply = solver.solve(after, limits).known.verdict;
        if (reply == Verdict::unknown) continue;
        known[i] |= std::uint64_t{1} << cell;
        if (reply == Verdict::loss) winning[i] |= std::uint64_t{1} << cell;
      }
    }
  };
  std::vector<std::jthread> threads;
  for (const auto& solver : labeller.solvers) threads.emplace_back([&] { work(*solver); });
}

}  // extern "C"
