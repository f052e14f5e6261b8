// Solves Les Tacticiens de Brême on a graphics card and writes what it found.
//
//   bremen_gpu check            small boards, state by state against the solution on the processor
//   bremen_gpu solve FOLDER     the game itself; about seven minutes and 126 GB of the card's
//   memory

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "tools/bremen_solution/lookup.cuh"
#include "damier/exact/bremen/solution.h"

namespace damier::exact::bremen {
namespace {

// Scores of states of any board.
template <class B>
__global__ void score_all(gpu::Tables<B> tables, int duty, std::int16_t* scores) {
  using Order = Numbering<B>;
  const std::uint64_t number = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (number >= Order::count(duty) || !Order::is_state(number, duty)) return;
  const State<B> state = Order::state_at(number, duty);
  if (can_have_duty(state, duty)) {
    scores[number] = static_cast<std::int16_t>(tables.score_of(state));
  }
}

int score_of(const Known& known) {
  switch (known.verdict) {
    case Verdict::win:
      return gpu::kMate - *known.plies;
    case Verdict::loss:
      return *known.plies - gpu::kMate;
    default:
      return 0;
  }
}

// Whether both solutions of a small board agree. A short list makes passes look at every state.
template <class B>
bool agrees(std::uint64_t list_size) {
  using Order = Numbering<B>;
  const Solution<B> expected;
  gpu::Solver<B> solver(list_size, list_size);
  int passes = 0;
  solver.solve([&](const gpu::Pass& pass) {
    passes = pass.number;
    return true;
  });
  std::uint64_t states = 0, differences = 0;
  for (int duty = 0; duty < Order::kPlanes; ++duty) {
    gpu::Buffer<std::int16_t> scores(Order::count(duty));
    score_all<B><<<gpu::blocks_for(static_cast<std::int64_t>(Order::count(duty))), gpu::kThreads>>>(
        solver.tables(), duty, scores.data());
    gpu::require(cudaDeviceSynchronize(), "scores");
    const std::vector<std::int16_t> found = scores.copy();
    for (std::uint64_t number = 0; number < Order::count(duty); ++number) {
      const State<B> state = Order::state_at(number, duty);
      if (!Order::is_state(number, duty) || !can_have_duty(state, duty)) continue;
      ++states;
      differences += found[number] != score_of(expected.value(state));
    }
  }
  std::printf("%dx%d, %d animals: %llu states, %d passes, %llu differences\n", B::kRows,
              B::kColumns, B::kAnimals, static_cast<unsigned long long>(states), passes,
              static_cast<unsigned long long>(differences));
  return differences == 0;
}

int check() {
  bool good = agrees<Board<3, 3, 3>>(1'000'000);
  good = agrees<Board<3, 3, 3>>(1) && good;
  good = agrees<Board<3, 4, 3>>(10'000'000) && good;
  good = agrees<Board<4, 3, 3>>(10'000'000) && good;
  good = agrees<Board<2, 3, 4>>(10'000'000) && good;
  std::printf("%s\n", good ? "all states agree" : "the solutions differ");
  return good ? 0 : 1;
}

// The 120 ways to place four animals on five columns, in the order of their columns.
std::vector<std::array<int, 4>> placements() {
  std::vector<std::array<int, 4>> all;
  std::array<int, 5> columns = {0, 1, 2, 3, 4};
  do {
    all.push_back({columns[0], columns[1], columns[2], columns[3]});
  } while (std::next_permutation(columns.begin(), columns.end()));
  return all;
}

// What each outcome of the draft is worth to the side that moves first, by the placements of both.
std::vector<std::int16_t> outcomes(const gpu::Solver<FullBoard>& solver) {
  std::vector<gpu::Packed> states;
  for (const auto& own : placements()) {
    for (const auto& enemy : placements()) {
      State<FullBoard> state;
      for (int i = 0; i < FullBoard::kAnimals; ++i) {
        const auto at = static_cast<std::size_t>(i);
        state.own[i] = FullBoard::kSquares - FullBoard::kColumns + own[at];
        state.enemy[i] = enemy[at];
      }
      states.push_back(gpu::packed(state));
    }
  }
  const auto count = static_cast<std::int64_t>(states.size());
  gpu::Buffer<gpu::Packed> on_card(states.size());
  gpu::Buffer<std::int16_t> actions(states.size() * gpu::kActions), scores(states.size());
  gpu::require(cudaMemcpy(on_card.data(), states.data(), states.size() * sizeof(gpu::Packed),
                          cudaMemcpyHostToDevice),
               "copying");
  gpu::look_up<<<gpu::blocks_for(count), gpu::kThreads>>>(
      solver.tables(), solver.geometry(), on_card.data(), count, actions.data(), scores.data());
  gpu::require(cudaDeviceSynchronize(), "looking up");
  return scores.copy();
}

int solve(const std::string& folder, int last_pass) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  gpu::Solver<FullBoard> solver(gpu::kUsualWins, gpu::kUsualLosses);
  std::ofstream passes(folder + "/passes.csv");
  passes << "distance,states,seconds\n";
  solver.solve([&](const gpu::Pass& pass) {
    passes << pass.number << ',' << pass.states << ',' << pass.seconds << std::endl;
    std::printf("pass %d: %llu states%s, %.2f s (%.0f s)\n", pass.number,
                static_cast<unsigned long long>(pass.states),
                pass.looked_at_all ? ", all seen" : "", pass.seconds,
                std::chrono::duration<double>(Clock::now() - begin).count());
    std::fflush(stdout);
    return pass.number != last_pass;
  });
  const std::vector<std::int16_t> scores = outcomes(solver);
  std::ofstream draft(folder + "/draft_outcomes.inc");
  draft << "// Made by `bremen_gpu solve FOLDER` (gpu/main.cu).\n";
  std::uint64_t counts[3] = {};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const int score = scores[i];
    draft << (score > 0   ? gpu::kMate - score
              : score < 0 ? -gpu::kMate - score
                          : 0)
          << ((i + 1) % placements().size() == 0 ? ",\n" : ",");
    ++counts[score > 0 ? 0 : score < 0 ? 2 : 1];
  }
  for (int duty = 0; duty <= State<FullBoard>::kFree; ++duty) {
    const auto states = solver.count(duty);
    std::printf("%s %d: %llu won, %llu lost\n", duty == State<FullBoard>::kFree ? "free" : "duty",
                duty, states[0], states[1]);
  }
  std::printf("outcomes of the draft: %llu won, %llu drawn, %llu lost\n",
              static_cast<unsigned long long>(counts[0]),
              static_cast<unsigned long long>(counts[1]),
              static_cast<unsigned long long>(counts[2]));
  if (!passes || !draft) {
    std::fprintf(stderr, "%s: cannot be written\n", folder.c_str());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace damier::exact::bremen

int main(int argc, char** argv) {
  using namespace damier::exact::bremen;
  if (argc == 2 && std::strcmp(argv[1], "check") == 0) return check();
  if ((argc == 3 || argc == 4) && std::strcmp(argv[1], "solve") == 0) {
    return solve(argv[2], argc == 4 ? std::atoi(argv[3]) : 0);
  }
  std::fprintf(stderr, "bremen_gpu check | solve FOLDER [PASSES]\n");
  return 2;
}
