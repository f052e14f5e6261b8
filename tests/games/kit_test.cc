// The generic test kit on every game that ships, under the rule options that change its shape.

#include "tests/games/kit.h"

#include <memory>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "damier/games/bremen/bremen.h"
#include "damier/games/chess/chess.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/fanorona/fanorona.h"
#include "damier/games/minesweeper/minesweeper.h"
#include "damier/games/registry.h"

namespace damier::games {
namespace {

template <class... G>
struct List {
  using Types = testing::Types<G...>;
  static std::set<std::string> names() { return {std::string(G::facts().name)...}; }
};

// Every game that ships, as it is played without options.
using Games = List<fanorona::Fanorona, bremen::Bremen, minesweeper::Minesweeper, chess::Chess,
                   domineering::Domineering>;

template <class G>
class EveryGame : public testing::Test {};

struct NameOfGame {
  template <class G>
  static std::string GetName(int) {
    return std::string(G::facts().name);
  }
};

TYPED_TEST_SUITE(EveryGame, Games::Types, NameOfGame);

TYPED_TEST(EveryGame, KeepsTheLaws) {
  const TypeParam game;
  kit::check_random_games(game, 2, 30);
  if constexpr (Game<TypeParam>) kit::check_perft(game, game.initial(), 2);
}

TEST(Kit, CoversEveryGameThatShips) {
  const auto names = builtin_games().names();
  EXPECT_EQ(Games::names(), std::set<std::string>(names.begin(), names.end()))
      << "a new game needs its place in the list above";
}

// Counts to any number, in a state whose copies share their memory.
struct SharedCounter {
  using Move = int;
  struct State {
    std::shared_ptr<int> sum = std::make_shared<int>(0);
    bool operator==(const State& other) const { return *sum == *other.sum; }
  };
  std::vector<Move> legal_moves(const State&) const { return {1}; }
  void play(State& state, Move move) const { *state.sum += move; }
  int hash(const State& state) const { return *state.sum; }
  std::string position_text(const State& state) const { return std::to_string(*state.sum); }
  std::string move_text(const State&, Move) const { return "one"; }
};

TEST(Kit, FindsStatesThatShareTheirMemory) {
  EXPECT_FATAL_FAILURE(kit::check_play(SharedCounter(), SharedCounter::State(), 1),
                       "playing on a copy has changed the state");
}

TEST(Kit, Fanorona) {
  const fanorona::Fanorona game;
  kit::check_random_games(game, 30, 60);
  kit::check_perft(game, game.initial(), 7);
}

TEST(Kit, Bremen) {
  for (const bool option : {false, true}) {
    const bremen::Bremen game({.rooster_wins = option, .only_carried_bind = option});
    kit::check_random_games(game, 12, 120);
    kit::check_perft(game, game.initial(), 3);
    kit::check_perft(game, *game.parse_position("a1b1c1d1/a5b5c5d5 b"), 4);
  }
}

TEST(Kit, Domineering) {
  for (const auto& [rows, cols] : {std::pair{8, 8}, {3, 5}, {1, 64}, {64, 1}, {1, 1}, {2, 32}}) {
    const domineering::Domineering game(rows, cols);
    kit::check_random_games(game, 8, 64);
    kit::check_perft(game, game.initial(), 3);
  }
}

TEST(Kit, Minesweeper) {
  using minesweeper::FirstClick;
  for (const FirstClick first : {FirstClick::safe, FirstClick::opening, FirstClick::any}) {
    kit::check_random_games(minesweeper::Minesweeper(5, 5, 4, first), 10, 30);
    kit::check_random_games(minesweeper::Minesweeper(4, 7, 3, first), 10, 30);
  }
  kit::check_random_games(minesweeper::Minesweeper(1, 9, 2), 5, 20);
  kit::check_random_games(minesweeper::Minesweeper(20, 64, 200), 1, 3);
}

TEST(SlowKit, ManyMoreGames) {
  kit::check_random_games(fanorona::Fanorona(), 500, 200);
  kit::check_random_games(bremen::Bremen(), 150, 400);
  kit::check_random_games(domineering::Domineering(), 150, 64);
  kit::check_random_games(domineering::Domineering(7, 9), 150, 64);
  kit::check_random_games(minesweeper::Minesweeper(8, 8, 10), 150, 60);
  kit::check_random_games(minesweeper::Minesweeper(64, 64, 700), 2, 5);
}

}  // namespace
}  // namespace damier::games
