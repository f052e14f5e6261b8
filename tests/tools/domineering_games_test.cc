// The games that a graphics card plays, compiled for the processor: they are the same games.

#include <array>
#include <vector>

#include "tools/domineering/games.cuh"
#include <gtest/gtest.h>

#include "damier/model/domineering/encoders.h"
#include "damier/search/monte_carlo.h"

namespace damier::model::domineering {
namespace {

namespace gpu = learn::domineering::gpu;
using games::Side;

// Positions of random games, both sides to move.
std::vector<games::History<Domineering>> met(int plies, std::uint64_t count) {
  std::vector<games::History<Domineering>> all;
  const Domineering game;
  for (std::uint64_t i = 0; i < count; ++i) {
    RandomStream random(Seed{11}, "met", i);
    games::History<Domineering> played(game, game.initial());
    for (int ply = 0; ply < plies + static_cast<int>(i % 2); ++ply) {
      const auto moves = game.legal_moves(played.state());
      played.play(moves[static_cast<std::size_t>(random.below(moves.size()))]);
    }
    all.push_back(played);
  }
  return all;
}

// How often each cell of the frame is chosen.
using Tally = std::array<int, kFrameCells>;

template <class Choose>
Tally tally(int games, const Choose& choose) {
  Tally counts = {};
  for (int i = 0; i < games; ++i) ++counts[static_cast<std::size_t>(choose())];
  return counts;
}

// The share of choices by which two tallies differ.
double difference(const Tally& a, const Tally& b, int games) {
  int sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return 0.5 * sum / games;
}

TEST(GpuGames, SeeWhatTheNetworkSees) {
  const Domineering game;
  for (const auto& played : met(9, 40)) {
    std::array<float, kFramePlanes * kFrameCells> planes, ours;
    const CellSet free = framed(game, played.state());
    write_planes(free, planes);
    for (int cell = 0; cell < kFrameCells; ++cell) {
      gpu::planes_at(free, cell, ours.data() + cell, kFrameCells);
    }
    EXPECT_EQ(planes, ours);
  }
}

TEST(GpuGames, AMoveLeavesWhatTheOtherSideSees) {
  const Domineering game;
  for (const auto& played : met(9, 40)) {
    const State& state = played.state();
    for (const Move move : game.legal_moves(state)) {
      State next = state;
      game.play(next, move);
      EXPECT_EQ(gpu::after_move(framed(game, state), framed_cell(game, move)), framed(game, next));
    }
  }
}

TEST(GpuGames, AnyMoveIsDrawnAsOftenAsAnyOther) {
  gpu::Random random(3, 4);
  const CellSet cells = 0x80410000'01020409u;
  const Tally counts = tally(70'000, [&] { return gpu::any_of(cells, random); });
  for (int cell = 0; cell < kFrameCells; ++cell) {
    const int seen = counts[static_cast<std::size_t>(cell)];
    if ((cells >> cell & 1) == 0) {
      EXPECT_EQ(seen, 0);
    } else {
      EXPECT_NEAR(seen, 70'000 / bit_count(cells), 500);
    }
  }
}

TEST(GpuGames, TheBanditChoosesAsThatOfTheProgram) {
  constexpr int kChoices = 1500;
  const Domineering game;
  for (const auto& played : met(18, 4)) {
    const CellSet free = framed(game, played.state());
    const bool second = played.state().side == Side::second;
    RandomStream stream(Seed{5}, "bandit");
    gpu::Random random(6, 7);
    const auto by_program = [&] {
      return framed_cell(
          game,
          search::BanditSearch<Domineering>(100).answer(played, {.random = &stream}).best().move);
    };
    const auto by_card = [&] { return gpu::chosen_move(free, second, {100, 0.4f}, random); };
    const Tally program = tally(kChoices, by_program), again = tally(kChoices, by_program);
    const double lot = difference(program, again, kChoices);
    EXPECT_LT(difference(program, tally(kChoices, by_card), kChoices), lot + 0.05);
  }
}

TEST(GpuGames, FlatChoosesAsThatOfTheProgram) {
  constexpr int kChoices = 4000;
  const Domineering game;
  for (const auto& played : met(18, 4)) {
    const CellSet free = framed(game, played.state());
    RandomStream stream(Seed{5}, "flat");
    gpu::Random random(6, 8);
    const auto by_program = [&] {
      return framed_cell(
          game,
          search::FlatSearch<Domineering>(10).answer(played, {.random = &stream}).best().move);
    };
    const auto by_card = [&] { return gpu::chosen_move(free, false, {10, -1.0f}, random); };
    const Tally program = tally(kChoices, by_program), again = tally(kChoices, by_program);
    const double lot = difference(program, again, kChoices);
    EXPECT_LT(difference(program, tally(kChoices, by_card), kChoices), lot + 0.05);
  }
}

}  // namespace
}  // namespace damier::model::domineering
