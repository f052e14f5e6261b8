// The players with a network of patches: every branch of their decisions on a predictor that says
// what the test wants, and games that do not depend on how they are played.

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "tests/exact/minesweeper/boards.h"
#include "tests/model/fake_predictor.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/model/minesweeper/patch.h"
#include "damier/nn/training.h"
#include "damier/play/minesweeper/players.h"

namespace damier::play {
namespace {

using namespace model;

using exact::minesweeper::board;
using games::minesweeper::Act;
using games::minesweeper::Minesweeper;
using games::minesweeper::Move;
using games::minesweeper::Observation;
using games::minesweeper::State;

using Patch3 = std::vector<float>;

// The patch of 3 x 3 around a cell.
Patch3 around(const Observation& view, int cell) {
  WalledBoard board;
  board.load(view, 3);
  std::array<Code, 9> codes;
  board.cut(cell, codes.data());
  Patch3 patch;
  for (const Code code : codes) patch.push_back(static_cast<float>(code));
  return patch;
}

// Says what it was told to say of a patch, and 0.5 of any other; remembers what it was asked.
struct Stub {
  std::map<Patch3, float> says;
  std::vector<Patch3> asked;
  int calls = 0;

  void tell(const Observation& view, int cell, float probability) {
    says[around(view, cell)] = probability;
  }
  std::unique_ptr<MinesweeperPlayer> player(const PatchPlayerOptions& options = {}) {
    const auto spec = nn::parse_network(
        {{"input", {9}}, {"layers", {{{"type", "dense"}, {"units", 1}}, {{"type", "sigmoid"}}}}},
        "test");
    const auto answer = [this](std::span<const float> patches, std::size_t count, auto& outputs) {
      ++calls;
      outputs.assign(1, std::vector<float>(count));
      for (std::size_t i = 0; i < count; ++i) {
        asked.emplace_back(patches.begin() + static_cast<std::ptrdiff_t>(9 * i),
                           patches.begin() + static_cast<std::ptrdiff_t>(9 * i + 9));
        const auto at = says.find(asked.back());
        outputs[0][i] = at == says.end() ? 0.5f : at->second;
      }
    };
    return patch_players(std::make_shared<FakePredictor>(*spec, answer), options).value()();
  }
};

Move open_at(int cell) { return {Act::open, static_cast<std::uint16_t>(cell)}; }
Move flag_at(int cell) { return {Act::flag, static_cast<std::uint16_t>(cell)}; }

RandomStream any_random() { return {Seed{1}, "test.player"}; }

TEST(PatchPlayer, OpensTheCellOfLeastProbability) {
  const Observation view = board("2 4 2\n#21#\n#2##\n");
  Stub stub;
  stub.tell(view, 0, 0.9f);
  stub.tell(view, 3, 0.3f);
  stub.tell(view, 6, 0.2f);
  const auto player = stub.player();
  RandomStream random = any_random();
  EXPECT_EQ(player->choose_move(view, random), open_at(6));
  EXPECT_EQ(player->probabilities(view),
            (std::vector<float>{0.9f, -1, -1, 0.3f, 0.5f, -1, 0.2f, 0.5f}));
  stub.tell(view, 3, 0.2f);
  const auto other = stub.player();
  EXPECT_EQ(other->choose_move(view, random), open_at(3)) << "the first of two that are alike";
}

TEST(PatchPlayer, ANetworkThatTalksNonsensePlaysToTheEnd) {
  const auto spec = nn::parse_network(
      {{"input", {9}}, {"layers", {{{"type", "dense"}, {"units", 1}}, {{"type", "sigmoid"}}}}},
      "test");
  for (const float number :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -3.0f}) {
    const auto answer = [number](std::span<const float>, std::size_t count, auto& outputs) {
      outputs.assign(1, std::vector<float>(count, number));
    };
    for (const bool flags : {false, true}) {
      auto player =
          patch_players(std::make_shared<FakePredictor>(*spec, answer), {.flags = flags}).value()();
      RandomStream random = any_random();
      const Minesweeper game(5, 5, 4);
      for (std::uint64_t deal = 1; deal <= 20; ++deal) {
        EXPECT_LE(player->play(game, Seed{deal}, random).score, 21);
      }
      for (const float said : player->probabilities(board("1 4 1\n#1##\n"))) {
        EXPECT_TRUE(said == -1 || (said >= 0 && said <= 1)) << said;
      }
    }
  }
}

TEST(PatchPlayer, OpensAnyCellFirst) {
  const Observation fresh = board("3 3 2\n###\n###\n###\n");
  std::set<int> opened;
  Stub stub;
  RandomStream random = any_random();
  for (const bool flags : {false, true}) {
    const auto player = stub.player({.flags = flags});
    for (int i = 0; i < 300; ++i) opened.insert(player->choose_move(fresh, random).cell);
    EXPECT_EQ(opened.size(), 9u);
  }
  EXPECT_EQ(stub.calls, 0);
}

TEST(PatchPlayer, AsksOnlyWhatHasChanged) {
  const Observation before = board("3 7 3\n1#####1\n1#####1\n1#####1\n");
  Stub stub;
  const auto player = stub.player();
  RandomStream random = any_random();
  player->choose_move(before, random);
  EXPECT_EQ(stub.calls, 1);
  EXPECT_EQ(stub.asked.size(), 9u) << "fifteen cells, some with the same patch";
  stub.asked.clear();
  player->choose_move(before, random);
  EXPECT_EQ(stub.calls, 1);
  Observation after = before;
  after.cells[1] = static_cast<Code>(2);
  player->choose_move(after, random);
  EXPECT_EQ(stub.asked.size(), 3u) << "the cells that touch the opened one";
}

TEST(PatchPlayer, WithoutFlagsTakesFlagsForMasks) {
  const Observation view = board("1 4 1\n#1F#\n"), without = board("1 4 1\n#1##\n");
  Stub stub;
  stub.tell(without, 2, 0.1f);
  const auto player = stub.player();
  RandomStream random = any_random();
  EXPECT_EQ(player->choose_move(view, random), flag_at(2))
      << "the flag is lifted, then the cell opened";
  EXPECT_EQ(player->choose_move(without, random), open_at(2));
  EXPECT_EQ(player->probabilities(view)[2], 0.1f);
}

// lowest < playful - highest, or highest <= threshold: open; otherwise flag.
TEST(PatchPlayer, WithFlagsOpensOrFlags) {
  const Observation view = board("1 5 2\n#1#1#\n");
  const auto chosen = [&](float first, float last, double playful, double threshold) {
    Stub stub;
    stub.tell(view, 0, first);
    stub.tell(view, 4, last);
    const auto player = stub.player({.flags = true, .playful = playful, .threshold = threshold});
    RandomStream random = any_random();
    return player->choose_move(view, random);
  };
  EXPECT_EQ(chosen(0.125f, 0.75f, 1, 0), open_at(0)) << "0.125 < 1 - 0.75";
  EXPECT_EQ(chosen(0.25f, 0.75f, 1, 0), flag_at(4)) << "not 0.25 < 1 - 0.75";
  EXPECT_EQ(chosen(0.25f, 0.75f, 1.25, 0), open_at(0)) << "more playful";
  EXPECT_EQ(chosen(0.25f, 0.75f, 1, 0.75), open_at(0)) << "0.75 is no more than the threshold";
  EXPECT_EQ(chosen(0.25f, 0.75f, 1, 0.74), flag_at(4));
  EXPECT_EQ(chosen(0.75f, 0.25f, 1, 0.74), flag_at(0));
  EXPECT_EQ(chosen(0.0f, 0.0f, 0, 0), flag_at(2)) << "a playful level of 0 flags whatever it can";
  EXPECT_EQ(chosen(1.0f, 1.0f, 1, 0), flag_at(0)) << "the first of two that are alike";
  EXPECT_EQ(chosen(1.0f, 1.0f, 1, 1), open_at(2)) << "a threshold of 1 flags nothing";
}

TEST(PatchPlayer, WithFlagsLooksOnlyAtCellsWithoutFlags) {
  const Observation view = board("1 5 2\nF1#1#\n");
  Stub stub;
  stub.tell(view, 0, 1);
  stub.tell(view, 2, 0.75f);
  stub.tell(view, 4, 0.5f);
  const auto player = stub.player({.flags = true, .playful = 1, .threshold = 0});
  RandomStream random = any_random();
  EXPECT_EQ(player->choose_move(view, random), flag_at(2));
  EXPECT_EQ(player->probabilities(view), (std::vector<float>{-1, -1, 0.75f, -1, 0.5f}));
}

TEST(PatchPlayer, CountsItsFlagsOnlyWhenItIsTold) {
  const Observation view = board("1 5 1\nF1#1#\n");
  Stub stub;
  stub.tell(view, 2, 1);
  RandomStream random = any_random();
  const auto limited =
      stub.player({.flags = true, .playful = 0, .threshold = 0, .unlimited_flags = false});
  EXPECT_EQ(limited->choose_move(view, random), open_at(4));
  const auto report = stub.player({.flags = true, .playful = 0, .threshold = 0});
  EXPECT_EQ(report->choose_move(view, random), flag_at(2));
}

TEST(PatchPlayer, LiftsAllFlagsWhenEveryMaskedCellHasOne) {
  Observation view = board("1 6 2\nF1F11F\n");
  const Observation lifted = board("1 6 2\n#1#11#\n");
  Stub stub;
  stub.tell(lifted, 0, 0.75f);
  stub.tell(lifted, 2, 0.25f);
  stub.tell(lifted, 5, 0.9f);
  const auto player = stub.player({.flags = true, .unlimited_flags = true});
  RandomStream random = any_random();
  std::set<int> lifts;
  for (int i = 0; i < 3; ++i) {
    const Move move = player->choose_move(view, random);
    ASSERT_EQ(move.act, Act::flag);
    lifts.insert(move.cell);
    ASSERT_EQ(view.cells[move.cell], Code::flag);
    view.cells[move.cell] = Code::masked;
  }
  EXPECT_EQ(lifts, (std::set<int>{0, 2, 5}));
  EXPECT_EQ(player->choose_move(view, random), open_at(2));
  view.cells[2] = static_cast<Code>(0);
  std::set<int> put_back;
  for (int i = 0; i < 2; ++i) {
    const Move move = player->choose_move(view, random);
    EXPECT_EQ(move.act, Act::flag);
    put_back.insert(move.cell);
    view.cells[move.cell] = Code::flag;
  }
  EXPECT_EQ(put_back, (std::set<int>{0, 5}));
}

TEST(PatchPlayer, PutsNoFlagOnACellThatOpenedMeanwhile) {
  Observation view = board("1 3 1\nF1F\n");
  Stub stub;
  stub.tell(board("1 3 1\n#1#\n"), 0, 0.25f);
  const auto player = stub.player({.flags = true});
  RandomStream random = any_random();
  for (int i = 0; i < 2; ++i) view.cells[player->choose_move(view, random).cell] = Code::masked;
  EXPECT_EQ(player->choose_move(view, random), open_at(0));
  view.cells[0] = view.cells[1] = view.cells[2] = static_cast<Code>(0);
  view.cells.push_back(Code::masked);
  view.cols = 4;
  EXPECT_EQ(player->choose_move(view, random), open_at(3));
}

std::shared_ptr<Predictor> small_network(int diameter, int batch = 64) {
  const auto spec = nn::parse_network({{"input", {diameter * diameter}},
                                       {"layers",
                                        {{{"type", "dense"}, {"units", 32}},
                                         {{"type", "relu"}},
                                         {{"type", "dense"}, {"units", 1}},
                                         {{"type", "sigmoid"}}}}},
                                      "test");
  auto network = std::make_shared<nn::Network<float>>(*spec, batch, nn::Use::inference);
  nn::initialise(*network, nn::Initialisation::he_normal, Seed{5});
  return predict_with(std::shared_ptr<const nn::Network<float>>(std::move(network)), batch);
}

// The same game through choose_move(), one observation at a time.
games::HiddenResult step_by_step(const Minesweeper& game, MinesweeperPlayer& player, Seed deal,
                                 RandomStream& random) {
  State state = game.deal(deal);
  games::HiddenResult result;
  while (game.outcome(state) == games::Outcome::ongoing) {
    const Move move = player.choose_move(game.observe(state), random);
    const int row = move.cell / game.cols(), col = move.cell % game.cols();
    if (move.act == Act::open) {
      game.open(state, row, col);
    } else {
      // Not through play(), which counts flags.
      state.flags[static_cast<std::size_t>(row)] ^= games::minesweeper::Row{1} << col;
    }
  }
  result.won = !state.lost;
  result.score = game.score(state);
  return result;
}

// A network that knows nothing plays strange games, which try every branch.
RC_GTEST_PROP(PatchPlayerLaws, PlaysTheSameGameStepByStep, ()) {
  const int rows = *rc::gen::inRange(2, 9), cols = *rc::gen::inRange(2, 9);
  const Minesweeper game(rows, cols, *rc::gen::inRange(1, rows * cols / 2 + 1));
  const int diameter = *rc::gen::element(3, 5, 7);
  const PatchPlayerOptions options = {.flags = *rc::gen::arbitrary<bool>(),
                                      .playful = *rc::gen::inRange(0, 20) / 10.0,
                                      .threshold = *rc::gen::inRange(0, 10) / 10.0,
                                      .unlimited_flags = *rc::gen::arbitrary<bool>()};
  const auto fast = patch_players(small_network(diameter), options).value()();
  const Seed seed{*rc::gen::arbitrary<std::uint64_t>()};
  for (std::uint64_t i = 0; i < 3; ++i) {
    // Another batch, and nothing kept from the games before.
    const auto slow = patch_players(small_network(diameter, 3), options).value()();
    const Seed deal{mix64(value_of(seed) + i)};
    RandomStream one(seed, "test.first", i), other(seed, "test.first", i);
    const auto played = fast->play(game, deal, one);
    const auto stepped = step_by_step(game, *slow, deal, other);
    RC_ASSERT(played.won == stepped.won);
    RC_ASSERT(played.score == stepped.score);
    RC_ASSERT(played.won == (played.score == game.cells() - game.bombs()));
  }
}

TEST(PatchPlayer, PlaysOnlyLegalMoves) {
  const Minesweeper game(8, 8, 10);
  auto player =
      patch_players(small_network(5),
                    {.flags = true, .playful = 0.9, .threshold = 0, .unlimited_flags = false})
          .value()();
  RandomStream random = any_random();
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    State state = game.deal(Seed{seed});
    while (game.outcome(state) == games::Outcome::ongoing) {
      const Move move = player->choose_move(game.observe(state), random);
      const auto legal = game.legal_moves(state);
      ASSERT_NE(std::find(legal.begin(), legal.end(), move), legal.end());
      game.play(state, move);
    }
  }
}

TEST(PatchPlayer, RefusesOtherNetworks) {
  const auto refused = [](const Json& json) {
    const auto spec = nn::parse_network(json, "test");
    const auto player = patch_players(std::make_shared<FakePredictor>(*spec));
    return player ? std::string() : player.error().message;
  };
  const Json one = {{{"type", "dense"}, {"units", 1}}};
  EXPECT_EQ(refused({{"input", {25}}, {"layers", one}}), "");
  EXPECT_EQ(refused({{"input", {16}}, {"layers", one}}),
            "the network's input is 16; expected the cells of a square of 3 x 3, 5 x 5, …, 15 x "
            "15");
  EXPECT_EQ(refused({{"input", {25}}}), "the network has no head 'bomb' of 1 output");
}

}  // namespace
}  // namespace damier::play
