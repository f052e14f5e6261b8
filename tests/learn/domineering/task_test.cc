// Domineering as a task: what one network sees of every board, its symmetries, and labels against
// the solver.

#include "damier/learn/domineering/task.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "damier/exact/domineering/solver.h"
#include "damier/learn/domineering/games.h"
#include "damier/learn/game_task.h"
#include "damier/model/domineering/encoders.h"

namespace damier::learn {
namespace {

using namespace model;

using namespace model::domineering;
using domineering::parse_players;

constexpr std::size_t kPlanesSize = kFramePlanes * kFrameCells;
using Planes = std::array<float, kPlanesSize>;

Planes planes_of(const Domineering& game, const State& state) {
  Planes planes;
  make_encoder(game, "mover").value()->encode(state, planes);
  return planes;
}

std::vector<State> met_states(const Domineering& game) {
  std::vector<State> states;
  for (std::uint64_t i = 0; i < 20; ++i) {
    RandomStream random(Seed{1}, "met", i);
    State state = game.initial();
    while (game.outcome(state) == games::Outcome::ongoing) {
      states.push_back(state);
      const auto moves = game.legal_moves(state);
      game.play(state, moves[static_cast<std::size_t>(random.below(moves.size()))]);
    }
  }
  return states;
}

GenerateOptions some_games(std::uint64_t count) {
  GenerateOptions options;
  options.count = count;
  options.split = "none";
  options.more = {{"states", "games"}, {"encoder", "mover"}, {"early", 0.0}, {"smaller", 1.0}};
  return options;
}

// The board of 4x5 cells is one of 8x8 whose other cells are taken.
TEST(DomineeringTask, WhatLiesOutsideASmallBoardIsTaken) {
  const Domineering small(4, 5), large(8, 8);
  for (const State& state : met_states(small)) {
    State walled{0, state.side};
    for (int cell = 0; cell < 20; ++cell) {
      if (state.free >> cell & 1) walled.free |= CellSet{1} << (8 * (cell / 5) + cell % 5);
    }
    EXPECT_EQ(planes_of(small, state), planes_of(large, walled));
  }
}

TEST(DomineeringTask, BothSidesSeeTheBoardAsVerticalDoes) {
  const Domineering game(8, 8);
  const auto turned = [&](const State& state) {
    State image{0, games::opponent(state.side)};
    for (int cell = 0; cell < 64; ++cell) {
      if (state.free >> cell & 1) image.free |= CellSet{1} << (8 * (cell % 8) + cell / 8);
    }
    return image;
  };
  for (const State& state : met_states(game)) {
    EXPECT_EQ(planes_of(game, state), planes_of(game, turned(state)));
  }
}

// The second plane says where the mover's dominoes can begin, and so do the outputs.
TEST(DomineeringTask, AMoveIsSaidWhereItsDominoBegins) {
  for (const Domineering& game : {Domineering(8, 8), Domineering(5, 7)}) {
    const auto mover = make_encoder(game, "mover").value();
    for (const State& state : met_states(game)) {
      std::array<float, kFrameCells> begins = {};
      for (const Move move : game.legal_moves(state)) {
        begins[static_cast<std::size_t>(mover->output_of(state, move))] = 1;
      }
      const Planes planes = planes_of(game, state);
      EXPECT_TRUE(std::equal(begins.begin(), begins.end(), planes.begin() + kFrameCells));
    }
  }
}

// A row that is turned is the row of some position: its legal moves are those that the planes show.
TEST(DomineeringTask, SymmetriesTurnMovesWithTheBoard) {
  const Domineering game(8, 8);
  const auto mover = make_encoder(game, "mover").value();
  const auto all = mover->symmetries();
  ASSERT_EQ(all.size(), 4u);
  const auto map_of = [](const SymmetryMaps& maps, std::string_view column) {
    return *std::find_if(maps.begin(), maps.end(),
                         [&](const ColumnMap& map) { return map.column == column; });
  };
  for (const SymmetryMaps& maps : all) {
    const ColumnMap input = map_of(maps, "input"), legal = map_of(maps, "legal");
    EXPECT_EQ(map_of(maps, "policy").source, legal.source);
    EXPECT_EQ(map_of(maps, "known").source, legal.source);
    for (const State& state : met_states(game)) {
      std::array<float, kFrameCells> stored, turned_input, turned_legal;
      mover->store(state, stored);
      const Planes planes = planes_of(game, state);
      for (std::size_t i = 0; i < kFrameCells; ++i) {
        turned_input[i] = stored[input.source[i]];
        turned_legal[i] = planes[kFrameCells + legal.source[i]];
      }
      Planes seen;
      mover->expand(turned_input, seen);
      EXPECT_TRUE(std::equal(turned_legal.begin(), turned_legal.end(), seen.begin() + kFrameCells));
    }
  }
}

TEST(DomineeringTask, ARowKeepsWhatTheNetworkReads) {
  const Domineering game(6, 6);
  const auto mover = make_encoder(game, "mover").value();
  for (const State& state : met_states(game)) {
    std::array<float, kFrameCells> stored;
    mover->store(state, stored);
    Planes expanded;
    mover->expand(stored, expanded);
    EXPECT_EQ(expanded, planes_of(game, state));
  }
}

TEST(DomineeringTask, RowsNameEveryWinningMove) {
  const Domineering game(8, 8);
  const auto& task = game_task<Domineering>();
  ThreadPool pool(2);
  const auto data = generate_in_memory(task, some_games(150), pool);
  ASSERT_TRUE(data) << data.error().text();
  const RowRange rows = data->rows(Split::training);
  ASSERT_EQ(rows.count, 150u);
  const auto places = column_of<std::int32_t>(*data, "position", 178, rows).value();
  const auto policy = column_of<float>(*data, "policy", 64, rows).value();
  const auto known = column_of<float>(*data, "known", 64, rows).value();
  const auto values = column_of<float>(*data, "value", 1, rows).value();
  exact::domineering::DomineeringSolver solver(game);
  for (std::size_t row = 0; row < rows.count; ++row) {
    std::string text;
    for (std::size_t i = 178 * row; places[i] != 0; ++i) text += static_cast<char>(places[i]);
    const State state = game.parse_position(text).value();
    std::vector<Move> winning;
    for (const auto& move : solver.solve(state, {.every_move = true}).moves) {
      winning.push_back(move.move);
    }
    EXPECT_EQ(values[row], winning.empty() ? -1 : 1);
    const auto taught = winning.empty() ? solver.hardest_moves(state) : winning;
    for (const Move move : game.legal_moves(state)) {
      const bool is_taught = std::find(taught.begin(), taught.end(), move) != taught.end();
      const auto at = 64 * row + static_cast<std::size_t>(framed_cell(game, move));
      EXPECT_EQ(known[at], 1);
      // Of lost positions with many free cells the answers are not counted.
      if (!winning.empty() || bit_count(state.free) <= 32) {
        EXPECT_EQ(policy[at] == 1, is_taught);
      }
    }
  }
}

TEST(DomineeringTask, RowsDoNotDependOnTheThreads) {
  const auto& task = game_task<Domineering>();
  ThreadPool one(1), three(3);
  const auto a = generate_in_memory(task, some_games(150), one);
  const auto b = generate_in_memory(task, some_games(150), three);
  ASSERT_TRUE(a && b);
  const RowRange rows = a->rows(Split::training);
  for (const char* column : {"input", "policy"}) {
    EXPECT_EQ(column_of<float>(*a, column, 64, rows).value(),
              column_of<float>(*b, column, 64, rows).value());
  }
}

TEST(DomineeringTask, WrongPlayersAreNamed) {
  const auto error = [](const char* text) {
    const auto players = parse_players(text);
    return players ? std::string() : players.error().text();
  };
  EXPECT_EQ(error("random  uct:100 exact"), "");
  EXPECT_EQ(error(""), "no players; expected some, as 'random uct:100'");
  EXPECT_NE(error("uct:many").find("many is not a whole number"), std::string::npos);
  EXPECT_NE(error("random:3").find("takes no"), std::string::npos);
  EXPECT_EQ(error("alice").substr(0, 34), "unknown domineering player 'alice'");
}

TEST(DomineeringTask, ANetworkForTheFramePlaysNoLongerBoards) {
  const auto mover = find_encoder<Domineering>("mover").value();
  EXPECT_TRUE(mover->check_rules(Domineering(5, 7)));
  const auto status = mover->check_rules(Domineering(4, 16));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().text(), "reads boards of up to 8x8 cells; the board is 4x16");
  EXPECT_FALSE(find_encoder<Domineering>("mover board=4x16"));
  EXPECT_TRUE(find_encoder<Domineering>("features board=4x16"));
}

}  // namespace
}  // namespace damier::learn
