#include "damier/exact/domineering/solver.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/base/numbers/random.h"
#include "damier/exact/domineering/exact.h"

namespace damier::exact::domineering {
namespace {

// The independent reference: minimax by the rules alone, with a memory so that it ends.
class PlainSolver {
 public:
  explicit PlainSolver(const Domineering& game) : game_(game) {}

  bool wins(const State& state) {
    auto& known = known_[slot(state.side)];
    if (const auto found = known.find(state.free); found != known.end()) return found->second;
    bool win = false;
    for (const Move move : game_.legal_moves(state)) {
      State next = state;
      game_.play(next, move);
      if (!wins(next)) {
        win = true;
        break;
      }
    }
    known.emplace(state.free, win);
    return win;
  }

  std::vector<Move> winning_moves(const State& state) {
    std::vector<Move> moves;
    for (const Move move : game_.legal_moves(state)) {
      State next = state;
      game_.play(next, move);
      if (!wins(next)) moves.push_back(move);
    }
    return moves;
  }

 private:
  const Domineering& game_;
  std::array<std::unordered_map<CellSet, bool>, 2> known_;
};

std::vector<Move> moves_of(const Answer<Move>& answer) {
  std::vector<Move> moves;
  for (const auto& move : answer.moves) moves.push_back(move.move);
  return moves;
}

std::vector<Move> sorted(std::vector<Move> moves) {
  std::sort(moves.begin(), moves.end());
  return moves;
}

// A stream of its own: the numbers that RapidCheck draws begin small, which would leave nearly
// empty boards.
RandomStream random_stream() {
  return RandomStream(static_cast<Seed>(*rc::gen::arbitrary<std::uint64_t>()), "position");
}

int between(RandomStream& random, int least, int most) {
  return least + static_cast<int>(random.below(static_cast<std::uint64_t>(most - least + 1)));
}

// Takes each cell with one of several chances, then enough to leave at most `most_free`.
State random_state(const Domineering& game, RandomStream& random, int most_free) {
  State state = game.initial();
  state.side = random.below(2) == 0 ? Side::first : Side::second;
  const double chance = 0.15 * static_cast<double>(random.below(4));
  for (CellSet cells = state.free; cells != 0; cells &= cells - 1) {
    if (random.uniform() < chance) state.free &= ~(cells & (0 - cells));
  }
  while (bit_count(state.free) > most_free) {
    state.free &= ~(CellSet{1} << random.below(64));
  }
  return state;
}

struct RandomPosition {
  Domineering game;
  State state;
};

RandomPosition random_position(int most_rows, int most_cols, int most_free) {
  RandomStream random = random_stream();
  const Domineering game(between(random, 1, most_rows), between(random, 1, most_cols));
  return {game, random_state(game, random, most_free)};
}

RC_GTEST_PROP(DomineeringSolver, AgreesWithPlainMinimax, ()) {
  const auto [game, state] = random_position(5, 6, 24);
  PlainSolver plain(game);
  DomineeringSolver solver(game, 12);
  const auto answer = solver.solve(state);
  RC_ASSERT(answer.known.verdict == (plain.wins(state) ? Verdict::win : Verdict::loss));
  RC_ASSERT(answer.moves.size() == (answer.known.verdict == Verdict::win ? 1u : 0u));
  const auto expected = plain.winning_moves(state);
  for (const Move move : moves_of(answer)) {
    RC_ASSERT(std::find(expected.begin(), expected.end(), move) != expected.end());
  }
}

TEST(DomineeringSolver, SolversOfManyThreadsShareATable) {
  const Domineering game(6, 6);
  std::vector<State> states;
  for (std::uint64_t i = 0; i < 200; ++i) {
    RandomStream random(Seed{21}, "shared", i);
    State state = game.initial();
    for (std::uint64_t ply = 0; ply < i % 8 && game.count_moves(state) > 0; ++ply) {
      const auto moves = game.legal_moves(state);
      game.play(state, moves[static_cast<std::size_t>(random.below(moves.size()))]);
    }
    states.push_back(state);
  }
  DomineeringSolver alone(game, 16);
  // So small that the threads often write the same entry.
  const auto table = std::make_shared<ProvenPositions>(4);
  std::vector<std::jthread> threads;
  std::array<std::vector<Verdict>, 4> said;
  for (auto& verdicts : said) {
    threads.emplace_back([&] {
      DomineeringSolver solver(game, table);
      for (const State& state : states) verdicts.push_back(solver.solve(state).known.verdict);
    });
  }
  threads.clear();
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Verdict verdict = alone.solve(states[i]).known.verdict;
    for (const auto& verdicts : said) EXPECT_EQ(verdicts[i], verdict);
  }
}

RC_GTEST_PROP(DomineeringSolver, FindsAllWinningMoves, ()) {
  const auto [game, state] = random_position(5, 5, 20);
  DomineeringSolver solver(game, 10);
  const auto answer = solver.solve(state, {.every_move = true});
  RC_ASSERT(sorted(moves_of(answer)) == sorted(PlainSolver(game).winning_moves(state)));
  RC_ASSERT((answer.known.verdict == Verdict::win) == !answer.moves.empty());
}

// Lost positions: by the rules alone, the moves after which the fewest answers win.
RC_GTEST_PROP(DomineeringSolver, FindsTheHardestMovesOfALostPosition, ()) {
  const auto [game, state] = random_position(5, 5, 20);
  PlainSolver plain(game);
  const auto legal = game.legal_moves(state);
  if (legal.empty() || plain.wins(state)) RC_DISCARD("not a lost position with a move");
  std::vector<Move> expected;
  std::size_t fewest = 0;
  for (const Move move : legal) {
    State next = state;
    game.play(next, move);
    const std::size_t answers = plain.winning_moves(next).size();
    if (expected.empty() || answers < fewest) expected.clear(), fewest = answers;
    if (answers == fewest) expected.push_back(move);
  }
  DomineeringSolver solver(game, 10);
  RC_ASSERT(sorted(solver.hardest_moves(state)) == sorted(expected));
  // Without the work that counting takes, any legal moves do.
  const auto guessed = solver.hardest_moves(state, {.nodes = 0});
  RC_ASSERT(!guessed.empty());
  for (const Move move : guessed) {
    RC_ASSERT(std::find(legal.begin(), legal.end(), move) != legal.end());
  }
}

// Strips wider than the table are taken apart.
RC_GTEST_PROP(DomineeringSolver, AgreesWithPlainMinimaxOnLongBoards, ()) {
  RandomStream random = random_stream();
  const bool turned = random.below(2) == 0;
  const int rows = between(random, 1, 4), cols = between(random, 9, 64 / rows);
  const Domineering game(turned ? cols : rows, turned ? rows : cols);
  const State state = random_state(game, random, 26);
  DomineeringSolver solver(game, 10);
  RC_ASSERT((solver.solve(state).known.verdict == Verdict::win) == PlainSolver(game).wins(state));
}

// The bounds by themselves: what they claim is true for either side to move.
RC_GTEST_PROP(DomineeringSolver, BoundsNeverClaimTooMuch, ()) {
  const auto [game, state] = random_position(5, 6, 24);
  const SwitchNeeds needs;
  PlainSolver plain(game);
  const Bound bound = lower_bound(View(game.rows(), game.cols()), state.free);
  if (needs.vertical_wins(bound.sum, true)) RC_ASSERT(plain.wins({state.free, Side::first}));
  if (needs.vertical_wins(bound.sum, false)) RC_ASSERT(!plain.wins({state.free, Side::second}));
}

RC_GTEST_PROP(DomineeringSolver, MirroredBoardsHaveTheSameWinner, ()) {
  const auto [game, state] = random_position(6, 6, 36);
  DomineeringSolver solver(game, 12);
  const Verdict verdict = solver.solve(state).known.verdict;
  for (const games::Symmetry symmetry : game.symmetries(state)) {
    solver.forget();
    RC_ASSERT(solver.solve(game.transformed(state, symmetry)).known.verdict == verdict);
  }
}

TEST(DomineeringSolver, ASwitchGoesToWhoeverMoves) {
  const SwitchNeeds needs;
  constexpr unsigned kOne = 1u << 2, kOneAndAHalf = 1u << 4;
  EXPECT_TRUE(needs.vertical_wins({0, 0, -99}, false));  // who has to move at zero loses
  EXPECT_FALSE(needs.vertical_wins({0, 0, -99}, true));
  EXPECT_TRUE(needs.vertical_wins({1, 0, -99}, true));
  EXPECT_TRUE(needs.vertical_wins({-kQuarters, kOne, -99}, true));
  EXPECT_FALSE(needs.vertical_wins({-kQuarters - 1, kOne, -99}, true));
  EXPECT_FALSE(needs.vertical_wins({kQuarters, kOne, -99}, false));
  EXPECT_TRUE(needs.vertical_wins({kQuarters + 1, kOne, -99}, false));
  // Vertical takes 1 1/2, Horizontal 1.
  EXPECT_TRUE(needs.vertical_wins({-1, kOne | kOneAndAHalf, -99}, true));
  EXPECT_FALSE(needs.vertical_wins({-2, kOne | kOneAndAHalf, -99}, true));
}

TEST(DomineeringSolver, KnowsSmallStrips) {
  const StripTable table(4);
  // One column is one move for Vertical, one row one move for Horizontal.
  EXPECT_EQ(table.strip(0b1, 0b1).cold_quarters, kQuarters);
  EXPECT_EQ(table.strip(0b11, 0).cold_quarters, -kQuarters);
  // Two by two: who moves there first has another move there.
  EXPECT_EQ(table.strip(0b11, 0b11).quarters, 0);
  EXPECT_EQ(table.strip(0b11, 0b11).switches, 1u << 2);
  EXPECT_EQ(table.strip(0b11, 0b11).cold_quarters, -kQuarters - 1);
}

// Who wins an empty board: the side that moves first, the other, or one side whoever begins.
enum class Winner : std::uint8_t { first, second, vertical, horizontal };

Winner winner_of(const Domineering& game) {
  DomineeringSolver solver(game, 14);
  const auto begins = [&](Side side) {
    return solver.solve({game.initial().free, side}).known.verdict == Verdict::win;
  };
  if (begins(Side::first)) return begins(Side::second) ? Winner::first : Winner::vertical;
  return begins(Side::second) ? Winner::horizontal : Winner::second;
}

struct KnownBoard {
  int rows;
  int cols;
  Winner winner;
};

// Breuker, Uiterwijk and van den Herik (2000) and others.
const std::vector<KnownBoard> kKnownBoards = {
    {2, 2, Winner::first},      {3, 3, Winner::first},      {4, 4, Winner::first},
    {5, 5, Winner::second},     {6, 6, Winner::first},      {7, 7, Winner::first},
    {2, 3, Winner::first},      {2, 4, Winner::horizontal}, {2, 5, Winner::vertical},
    {2, 6, Winner::first},      {2, 7, Winner::first},      {3, 4, Winner::horizontal},
    {4, 5, Winner::vertical},   {4, 6, Winner::first},      {4, 7, Winner::vertical},
    {5, 6, Winner::horizontal}, {5, 7, Winner::horizontal}, {6, 7, Winner::vertical}};

TEST(DomineeringSolver, KnowsTheWinnersOfEmptyBoards) {
  for (const auto& [rows, cols, winner] : kKnownBoards) {
    EXPECT_EQ(winner_of(Domineering(rows, cols)), winner) << rows << "x" << cols;
  }
}

TEST(DomineeringSolver, ATurnedBoardExchangesTheSides) {
  for (auto [rows, cols, winner] : kKnownBoards) {
    if (winner == Winner::vertical) {
      winner = Winner::horizontal;
    } else if (winner == Winner::horizontal) {
      winner = Winner::vertical;
    }
    EXPECT_EQ(winner_of(Domineering(cols, rows)), winner) << cols << "x" << rows;
  }
}

TEST(DomineeringSolver, PlainMinimaxAgreesOnTheSmallestEmptyBoards) {
  for (const auto& [rows, cols, winner] : kKnownBoards) {
    if (rows * cols > 25) continue;
    const Domineering game(rows, cols);
    PlainSolver plain(game);
    const bool vertical_first = plain.wins({game.initial().free, Side::first});
    const bool horizontal_first = plain.wins({game.initial().free, Side::second});
    EXPECT_EQ(vertical_first, winner == Winner::first || winner == Winner::vertical)
        << rows << cols;
    EXPECT_EQ(horizontal_first, winner == Winner::first || winner == Winner::horizontal)
        << rows << cols;
  }
}

TEST(DomineeringSolver, WhoCannotMoveHasLost) {
  const Domineering game(2, 2);
  DomineeringSolver solver(game);
  const auto answer = solver.solve({0, Side::first});
  EXPECT_EQ(answer.known.verdict, Verdict::loss);
  EXPECT_TRUE(answer.moves.empty());
  EXPECT_EQ(winner_of(Domineering(1, 1)), Winner::second);
  EXPECT_EQ(winner_of(Domineering(1, 64)), Winner::horizontal);
  EXPECT_EQ(winner_of(Domineering(64, 1)), Winner::vertical);
}

TEST(DomineeringSolver, StopsAtItsLimits) {
  const Domineering game(8, 8);
  DomineeringSolver solver(game, 16);
  const auto by_nodes = solver.solve(game.initial(), {.nodes = 100});
  EXPECT_FALSE(by_nodes.known.is_certain());
  EXPECT_LE(by_nodes.nodes, 100u);
  EXPECT_TRUE(by_nodes.stopped);
  EXPECT_TRUE(by_nodes.moves.empty());
  EXPECT_FALSE(solver.solve(game.initial(), {.seconds = 1e-9}).known.is_certain());
  const auto legal = game.legal_moves(game.initial());
  const Move move = solver.best_move(game.initial(), {.nodes = 1});
  EXPECT_NE(std::find(legal.begin(), legal.end(), move), legal.end());
}

TEST(DomineeringSolver, TellsOfAnEmptyBoardWhoWinsWhenTheOtherSideBegins) {
  const auto verdicts = [](int rows, int cols) {
    const Domineering game(rows, cols);
    const auto answer =
        Exact<Domineering>(game).answer(games::History<Domineering>(game, game.initial()), {});
    return std::pair(answer.known.verdict, answer.for_other_side);
  };
  EXPECT_EQ(verdicts(4, 4), std::pair(Verdict::win, Verdict::win));
  EXPECT_EQ(verdicts(4, 5), std::pair(Verdict::win, Verdict::loss));
  EXPECT_EQ(verdicts(2, 4), std::pair(Verdict::loss, Verdict::win));
}

// From a won position the solver wins against random replies.
RC_GTEST_PROP(DomineeringSolver, WinsWhatIsWon, ()) {
  const auto [game, start] = random_position(6, 6, 36);
  DomineeringSolver solver(game, 14);
  if (solver.solve(start).known.verdict != Verdict::win) RC_DISCARD("not a won position");
  State state = start;
  for (;;) {
    game.play(state, solver.best_move(state));
    const auto replies = game.legal_moves(state);
    if (replies.empty()) break;
    game.play(state, replies[*rc::gen::inRange<std::size_t>(0, replies.size())]);
    RC_ASSERT(!game.legal_moves(state).empty());
  }
}

// The node count is the signature of the search: it changes when its behaviour does.
TEST(DomineeringSolver, VisitsTheSameNodesEveryTime) {
  const Domineering game(7, 7);
  const auto answer = DomineeringSolver(game).solve(game.initial());
  EXPECT_EQ(answer.known.verdict, Verdict::win);
  EXPECT_EQ(answer.nodes, 2644u);
}

TEST(SlowDomineeringSolver, EightByEightIsWonByTheFirstPlayer) {
  const Domineering game(8, 8);
  State state = game.initial();
  const auto vertical = DomineeringSolver(game).solve(state);
  EXPECT_EQ(vertical.known.verdict, Verdict::win);
  EXPECT_EQ(vertical.nodes, 771523u);
  state.side = Side::second;
  const auto horizontal = DomineeringSolver(game).solve(state);
  EXPECT_EQ(horizontal.known.verdict, Verdict::win);
  EXPECT_EQ(horizontal.nodes, 818264u);
}

}  // namespace
}  // namespace damier::exact::domineering
