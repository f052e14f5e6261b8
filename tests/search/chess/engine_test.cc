#include "damier/search/chess/engine.h"

#include <future>
#include <set>
#include <thread>

#include "positions.h"
#include <gtest/gtest.h>

#include "damier/search/chess/limits.h"
#include "damier/search/chess/signature.h"

namespace damier::search::chess {

namespace {

using testing::game_at;
using testing::move_in;
using testing::position;
using testing::random_positions;

EngineOptions small(int lines = 1, int threads = 1) {
  EngineOptions options;
  options.table_bytes = 1 << 20;
  options.lines = lines;
  options.threads = threads;
  return options;
}

SearchLimits to_depth(int depth) {
  SearchLimits limits;
  limits.depth = depth;
  return limits;
}

SearchLimits with_nodes(std::uint64_t nodes) {
  SearchLimits limits;
  limits.nodes = nodes;
  return limits;
}

SearchLimits only(Move move, int depth) {
  SearchLimits limits = to_depth(depth);
  limits.root_moves = {move};
  return limits;
}

bool mates_at_once(const Chess& game, State state, Move move) {
  game.play(state, move);
  return game.in_check(state) && game.generator().count(state) == 0;
}

bool has_mate_in_one(const Chess& game, const State& state) {
  for (const Move move : game.legal_moves(state)) {
    if (mates_at_once(game, state, move)) return true;
  }
  return false;
}

// By trying everything.
bool has_mate_in_two(const Chess& game, const State& state) {
  for (const Move move : game.legal_moves(state)) {
    State after = state;
    game.play(after, move);
    const auto answers = game.legal_moves(after);
    const bool forced = !answers.empty() && game.in_check(after) &&
                        std::all_of(answers.begin(), answers.end(), [&](Move answer) {
                          State then = after;
                          game.play(then, answer);
                          return has_mate_in_one(game, then);
                        });
    if (forced) return true;
  }
  return false;
}

TEST(ChessEngine, FindsMatesThatTryingEverythingFinds) {
  const Chess game;
  Engine engine(small());
  int in_one = 0, in_two = 0;
  for (const State& state : random_positions(120, 11)) {
    if (has_mate_in_one(game, state)) {
      ++in_one;
      const auto report = engine.search(History(game, state), to_depth(3));
      ASSERT_EQ(report.lines.front().mate, 1) << games::chess::fen_text(state);
      EXPECT_TRUE(mates_at_once(game, state, report.best()));
    } else if (state.move_number % 16 == 0 && has_mate_in_two(game, state)) {
      ++in_two;
      SearchLimits limits = to_depth(30);
      limits.mate = 2;
      const auto report = engine.search(History(game, state), limits);
      ASSERT_EQ(report.lines.front().mate, 2) << games::chess::fen_text(state);
    }
  }
  EXPECT_GT(in_one, 20);
  EXPECT_GT(in_two, 1);
}

TEST(ChessEngine, MatesInThreeAndSeesItsOwnMate) {
  Engine engine(small());
  SearchLimits limits;
  limits.mate = 3;
  const auto report = engine.search(game_at("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"), limits);
  EXPECT_EQ(report.lines.front().mate, 3);
  EXPECT_EQ(report.lines.front().expected.win, 1000);
  EXPECT_EQ(report.lines.front().moves.size(), 5u);
  const auto losing = engine.search(game_at("7k/8/6K1/8/8/8/8/R7 b - - 0 1"), to_depth(4));
  EXPECT_EQ(losing.lines.front().mate, -1);
}

TEST(ChessEngine, WithoutALegalMoveThereIsNoLine) {
  Engine engine(small());
  EXPECT_TRUE(engine.search(game_at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), {}).lines.empty());
  EXPECT_TRUE(engine.search(game_at("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), {}).lines.empty());
}

TEST(ChessEngine, AGameThatIsDrawnByRuleHasAMoveWorthNothing) {
  Engine engine(small());
  for (const char* fen : {"8/8/4k3/8/8/3NK3/8/8 w - - 0 1", "4k3/8/8/8/8/8/3R4/4K3 w - - 100 90"}) {
    const auto report = engine.search(game_at(fen), to_depth(3));
    ASSERT_EQ(report.lines.size(), 1u) << fen;
    EXPECT_EQ(report.lines.front().score, 0) << fen;
  }
}

TEST(ChessEngine, TheSameLimitsGiveTheSameAnswer) {
  const auto history = game_at(signature_positions()[8]);
  Engine first(small()), second(small());
  const auto once = first.search(history, to_depth(7));
  first.search(game_at(signature_positions()[9]), to_depth(5));
  first.new_game();
  for (Engine* engine : {&first, &second}) {
    const auto again = engine->search(history, to_depth(7));
    EXPECT_EQ(again.nodes, once.nodes);
    EXPECT_EQ(again.lines.front().moves, once.lines.front().moves);
    EXPECT_EQ(again.lines.front().score, once.lines.front().score);
    EXPECT_EQ(again.depth, 7);
  }
}

TEST(ChessEngine, NodesAreKeptToTheLast) {
  Engine engine(small());
  for (const std::uint64_t nodes : {1, 2, 63, 1000, 5001}) {
    engine.new_game();
    const auto report = engine.search(game_at(signature_positions()[7]), with_nodes(nodes));
    EXPECT_EQ(report.nodes, nodes);
    EXPECT_FALSE(report.lines.front().moves.empty());
  }
}

// Within a few nodes no move is looked at to its end, so the answer is that of the depth before.
TEST(ChessEngine, ADepthThatHasHardlyBegunChangesNothing) {
  for (const auto& fen : signature_positions()) {
    const History history = game_at(fen);
    std::vector<SearchReport> finished;
    Engine(small()).search(history, with_nodes(20'000),
                           [&](const SearchReport& report) { finished.push_back(report); });
    finished.pop_back();  // the answer
    for (const SearchReport& depth : finished) {
      if (depth.depth < 5) continue;
      const SearchReport stopped = Engine(small()).search(history, with_nodes(depth.nodes + 2), {});
      ASSERT_EQ(stopped.depth, depth.depth);
      EXPECT_EQ(stopped.lines[0].moves, depth.lines[0].moves);
      EXPECT_EQ(stopped.lines[0].score, depth.lines[0].score);
    }
  }
}

TEST(ChessEngine, LinesAreDistinctAndSorted) {
  Engine engine(small(4));
  for (const std::size_t i : {0, 7, 19}) {
    const auto history = game_at(signature_positions()[i]);
    const auto report = engine.search(history, to_depth(6));
    ASSERT_EQ(report.lines.size(), 4u);
    std::set<Move> first;
    for (std::size_t line = 0; line < report.lines.size(); ++line) {
      first.insert(report.lines[line].moves.front());
      if (line > 0) {
        EXPECT_LE(report.lines[line].score, report.lines[line - 1].score);
      }
      // Every move of a line is legal.
      History played = history;
      for (const Move move : report.lines[line].moves) {
        const auto legal = played.game().legal_moves(played.state());
        ASSERT_NE(std::find(legal.begin(), legal.end(), move), legal.end());
        played.play(move);
      }
    }
    EXPECT_EQ(first.size(), 4u);
  }
  // No more lines than moves.
  EXPECT_EQ(engine.search(game_at("7k/8/8/8/8/8/6q1/7K w - - 0 1"), to_depth(2)).lines.size(), 1u);
}

TEST(ChessEngine, LooksAtTheGivenMovesOnly) {
  Engine engine(small());
  const auto history = game_at("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
  const Move quiet = move_in(history, "h3");
  const auto report = engine.search(history, only(quiet, 5));
  EXPECT_EQ(report.best(), quiet);
  EXPECT_FALSE(report.lines.front().mate && report.lines.front().mate == 1);
}

TEST(ChessEngine, StalemateIsADraw) {
  Engine engine(small());
  const auto history = game_at("k7/8/3Q4/8/8/8/8/K7 w - - 0 1");
  EXPECT_EQ(engine.search(history, only(move_in(history, "Qb6"), 5)).lines.front().score, 0);
  EXPECT_GT(engine.search(history, to_depth(6)).lines.front().score, 500);
  // The queen that must be taken, or checks for ever: Black has no other move.
  const auto trap = game_at("7k/5K2/6Q1/8/8/8/8/6q1 b - - 0 1");
  EXPECT_EQ(engine.search(trap, only(move_in(trap, "Qxg6+"), 6)).lines.front().score, 0);
}

TEST(ChessEngine, PerpetualCheckIsADraw) {
  Engine engine(small());
  const auto report = engine.search(game_at("6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1"), to_depth(10));
  EXPECT_EQ(report.lines.front().score, 0);
}

// The third time is a draw, although the table knows the position as won.
TEST(ChessEngine, DoesNotRepeatAWonPositionForTheThirdTime) {
  Engine engine(small());
  History history = game_at("6k1/8/8/8/8/8/R7/K7 b - - 0 1");
  engine.search(history, to_depth(8));
  for (const char* move : {"Kh8", "Rb2", "Kg8", "Ra2", "Kh8", "Rb2", "Kg8"}) {
    history.play(move_in(history, move));
  }
  const Move repeating = move_in(history, "Ra2");
  EXPECT_EQ(engine.search(history, only(repeating, 4)).lines.front().score, 0);
  const auto report = engine.search(history, to_depth(8));
  EXPECT_GT(report.lines.front().score, 300);
  EXPECT_NE(report.best(), repeating);
}

// The table knows the position from when there was time left.
TEST(ChessEngine, FiftyMovesAreADrawWhateverTheTableSays) {
  Engine engine(small());
  const auto fresh = engine.search(game_at("8/8/4k3/8/8/3K4/3R4/8 w - - 0 1"), to_depth(8));
  EXPECT_GT(fresh.lines.front().score, 300);
  const auto late = engine.search(game_at("8/8/4k3/8/8/3K4/3R4/8 w - - 99 80"), to_depth(8));
  EXPECT_EQ(late.lines.front().score, 0);
  const auto near = engine.search(game_at("8/8/4k3/8/8/3K4/3R4/8 w - - 96 80"), to_depth(8));
  EXPECT_EQ(near.lines.front().score, 0);
}

TEST(ChessEngine, MateOnTheLastOfFiftyMovesCounts) {
  Engine engine(small());
  const auto report = engine.search(game_at("7k/8/6K1/8/8/8/8/R7 w - - 99 90"), to_depth(4));
  EXPECT_EQ(report.lines.front().mate, 1);
}

TEST(ChessEngine, MovesAPawnBeforeFiftyMovesAreOver) {
  Engine engine(small());
  const auto history = game_at("k7/8/8/8/8/8/P6R/1K6 w - - 99 80");
  const auto report = engine.search(history, to_depth(6));
  EXPECT_EQ(mover_of(report.best()), games::chess::Kind::pawn);
  EXPECT_GT(report.lines.front().score, 300);
}

TEST(ChessEngine, CastlesAndPlaysOnInChess960) {
  Engine engine(small());
  const auto history = game_at("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
  const auto played = game_at("k7/7p/8/8/8/8/7P/1R1K2R1 w GB - 0 1");
  const Move castle = move_in(played, "O-O");
  EXPECT_EQ(engine.search(played, only(castle, 5)).best(), castle);
  History game = history;
  for (int ply = 0; ply < 12 && game.outcome() == games::Outcome::ongoing; ++ply) {
    const Move move = engine.search(game, with_nodes(500)).best();
    const auto legal = game.game().legal_moves(game.state());
    ASSERT_NE(std::find(legal.begin(), legal.end(), move), legal.end());
    game.play(move);
  }
}

TEST(ChessEngine, AStopBeforeTheSearchIsNotLost) {
  Engine engine(small());
  engine.ready();
  engine.stop();
  const auto report = engine.search(game_at(signature_positions()[0]), {});
  EXPECT_EQ(report.lines.size(), 1u);
  // The next one is not stopped by it.
  EXPECT_EQ(engine.search(game_at(signature_positions()[0]), to_depth(4)).depth, 4);
}

TEST(ChessEngine, AnUnlimitedSearchEndsWhenItIsStopped) {
  Engine engine(small(1, 2));
  std::promise<void> begun;
  std::jthread stopper([&] {
    begun.get_future().wait();
    engine.stop();
  });
  bool told = false;
  const auto report =
      engine.search(game_at(signature_positions()[8]), {}, [&](const SearchReport& found) {
        if (found.depth >= 3 && !told) {
          told = true;
          begun.set_value();
        }
      });
  EXPECT_GE(report.depth, 3);
  EXPECT_FALSE(report.lines.empty());
}

TEST(ChessEngine, PonderingEndsNotBeforeItIsHit) {
  Engine engine(small());
  SearchLimits limits = to_depth(3);
  limits.ponder = true;
  limits.clock = Clock{Milliseconds(1), Milliseconds(0)};
  bool hit = false;
  const auto report =
      engine.search(game_at(signature_positions()[8]), limits, [&](const SearchReport& found) {
        if (found.depth == 3 && !hit) {
          hit = true;
          engine.ponder_hit();
        }
      });
  EXPECT_TRUE(hit);
  EXPECT_EQ(report.depth, 3);
  engine.ready();
  engine.stop();
  EXPECT_EQ(engine.search(game_at(signature_positions()[8]), limits).lines.size(), 1u);
}

TEST(ChessEngine, SeveralThreadsFindTheMateTogether) {
  const auto work = [] {
    Engine engine(small(2, 3));
    for (int i = 0; i < 3; ++i) {
      SearchLimits limits;
      limits.mate = 3;
      const auto report = engine.search(game_at("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"), limits);
      EXPECT_EQ(report.lines.front().mate, 3);
      EXPECT_EQ(report.lines.size(), 2u);
      engine.new_game();
    }
  };
  std::jthread beside(work);
  work();
}

TEST(ChessEngine, AWeakerPlayerIsWeakerAndRepeatable) {
  EngineOptions options = small();
  options.elo = kMinElo;
  int other = 0;
  for (const std::string_view fen : signature_positions().first(16)) {
    Engine first(options), second(options), strong(small());
    const auto report = first.search(game_at(fen), {});
    EXPECT_LE(report.nodes, handicap_of(kMinElo).nodes);
    EXPECT_EQ(report.lines.size(), 1u);
    EXPECT_EQ(second.search(game_at(fen), {}).best(), report.best());
    other += strong.search(game_at(fen), to_depth(6)).best() != report.best() ? 1 : 0;
  }
  EXPECT_GT(other, 2);
  EXPECT_GT(handicap_of(2000).nodes, handicap_of(1000).nodes);
  EXPECT_LT(handicap_of(2000).noise, handicap_of(1000).noise);
}

TEST(TimeBudget, NeverUsesMoreThanIsLeft) {
  for (const int left : {1, 5, 30, 100, 1000, 60'000, 7'200'000}) {
    for (const int increment : {0, 100, 10'000}) {
      for (const int moves : {0, 1, 2, 40}) {
        for (const int overhead : {0, 10, 500}) {
          SearchLimits limits;
          limits.clock = Clock{Milliseconds(left), Milliseconds(increment)};
          limits.moves_to_go = moves;
          const TimeBudget budget = time_budget(limits, Milliseconds(overhead));
          ASSERT_TRUE(budget.soft && budget.hard);
          EXPECT_GT(*budget.soft, 0);
          EXPECT_LE(*budget.soft, *budget.hard);
          EXPECT_LE(*budget.hard, std::max((left - overhead) / 1000.0, 0.001));
        }
      }
    }
  }
}

TEST(TimeBudget, ThinksLongerWhenTheChoiceIsNotSettled) {
  const Stability settled{8, 0, 0.9}, unsettled{0, 60, 0.3};
  EXPECT_LT(soft_time_factor(settled), 0.8);
  EXPECT_GT(soft_time_factor(unsettled), 1.5);
  EXPECT_FALSE(time_budget({}, Milliseconds(10)).hard);
}

// The number changes when the search does: then set it anew, with the reason in the commit.
TEST(ChessEngine, HasItsSignature) { EXPECT_EQ(search_signature().nodes, 486347u); }

}  // namespace

}  // namespace damier::search::chess
