// A network on boards of any size: the same numbers wherever its reach does not meet the edge, one
// choice whoever asks, and games that are the same alone and side by side.

#include "damier/play/minesweeper/network.h"

#include <gtest/gtest.h>

#include "damier/model/minesweeper/board_encoder.h"
#include "damier/nn/training.h"

namespace damier::play {
namespace {

using namespace model;

using namespace games::minesweeper;

// Two 3x3 convolutions: a cell sees two cells away.
constexpr int kReach = 2;
constexpr std::string_view kSmall = R"({
  "input": [14, 12, 12],
  "layers": [
    {"type": "conv2d", "channels": 16, "bias": false}, {"type": "batch_norm"}, {"type": "relu"},
    {"type": "residual", "layers": [{"type": "conv2d", "channels": 16}, {"type": "relu"}]}
  ],
  "heads": {
    "bomb": [{"type": "conv2d", "channels": 1, "kernel": 1}, {"type": "flatten"}],
    "win": [{"type": "conv2d", "channels": 1, "kernel": 1}, {"type": "flatten"}]
  }
})";

nn::TensorFile weights_of(std::string_view text) {
  auto spec = nn::parse_network_text(text, "test");
  EXPECT_TRUE(spec.ok()) << spec.error().text();
  nn::Network<float> network(*spec, 1, nn::Use::training);
  nn::initialise(network, nn::Initialisation::he_uniform, Seed{4});
  return nn::model_tensors(network, {});
}

MinesweeperNetwork small_network(const MinesweeperNetworkOptions& options = {}) {
  auto network = MinesweeperNetwork::open(model_of(weights_of(kSmall), "test").value(), options);
  EXPECT_TRUE(network.ok()) << network.error().text();
  return *std::move(network);
}

Observation some_board(int rows, int cols, int bombs, std::uint64_t seed) {
  const Minesweeper game(rows, cols, bombs);
  State state = game.deal(Seed{seed});
  game.open(state, rows / 2, cols / 2);
  return game.observe(state);
}

TEST(MinesweeperNetworks, SeeTheSameFarFromTheEdgeInAnyFrame) {
  const Observation board = some_board(9, 11, 20, 3);
  auto plain = small_network(), framed = small_network({.frame = 16});
  const auto alone = plain.evaluate(std::span(&board, 1));
  const auto inside = framed.evaluate(std::span(&board, 1));
  ASSERT_EQ(alone[0].bomb.size(), 99u);
  ASSERT_EQ(inside[0].bomb.size(), 99u);
  bool edge_differs = false;
  for (int row = 0; row < 9; ++row) {
    for (int col = 0; col < 11; ++col) {
      const auto i = static_cast<std::size_t>(row * 11 + col);
      const bool far = row >= kReach && row < 9 - kReach && col >= kReach && col < 11 - kReach;
      if (far) {
        EXPECT_NEAR(alone[0].bomb[i], inside[0].bomb[i], 1e-5);
        EXPECT_NEAR(alone[0].win[i], inside[0].win[i], 1e-5);
      }
      edge_differs = edge_differs || std::abs(alone[0].bomb[i] - inside[0].bomb[i]) > 1e-4f;
    }
  }
  // At the edge, a wall's own features and the padding's zeros are not the same.
  EXPECT_TRUE(edge_differs);
}

TEST(MinesweeperNetworks, AgreeWithTheNetworkThatWasTrained) {
  const auto file = weights_of(kSmall);
  auto network = MinesweeperNetwork::open(model_of(file, "test").value(), {.frame = 12});
  ASSERT_TRUE(network.ok());
  // In the middle of the frame of 12, as rows of a data set are.
  const Observation board = some_board(10, 8, 9, 5);
  std::vector<std::uint8_t> codes(144, kWallCode);
  for (int row = 0; row < 10; ++row) {
    for (int col = 0; col < 8; ++col) {
      codes[static_cast<std::size_t>((row + 1) * 12 + col + 2)] = board_code(board.at(row, col));
    }
  }
  std::vector<float> planes(kBoardPlanes * 144);
  expand_board(std::span<const std::uint8_t>(codes), 9, std::span(planes));
  nn::Network<float> plain(*nn::parse_network_text(kSmall, "test"), 1, nn::Use::training);
  ASSERT_TRUE(nn::load_weights(plain, file, "test").ok());
  plain.set_inputs(planes, 1);
  plain.forward();
  const auto prediction = network->evaluate(std::span(&board, 1))[0];
  for (int row = 0; row < 10; ++row) {
    for (int col = 0; col < 8; ++col) {
      const float logit = plain.output(0).value[(row + 1) * 12 + col + 2];
      EXPECT_NEAR(prediction.bomb[static_cast<std::size_t>(row * 8 + col)],
                  1 / (1 + std::exp(-logit)), 1e-4);
    }
  }
}

TEST(MinesweeperNetworks, BoardsDoNotDisturbEachOther) {
  auto network = small_network();
  std::vector<Observation> boards;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const int rows = i % 3 == 0 ? 8 : 10;
    boards.push_back(some_board(rows, 10, 12, i));
  }
  const auto together = network.evaluate(boards);
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const auto alone = network.evaluate(std::span(&boards[i], 1));
    EXPECT_EQ(alone[0].bomb, together[i].bomb);
    EXPECT_EQ(alone[0].win, together[i].win);
  }
}

TEST(MinesweeperNetworks, GamesAreTheSameByChooseAloneAndSideBySide) {
  auto network = small_network();
  const Minesweeper game(7, 9, 8);
  std::vector<Seed> seeds;
  std::vector<RandomStream> streams;
  for (std::uint64_t i = 0; i < 30; ++i) {
    seeds.push_back(Seed{100 + i});
    streams.emplace_back(Seed{1}, "test", i);
  }
  auto again = streams;
  const auto together = network.play_all(game, seeds, streams);
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    auto by_choose = again[i];
    const auto alone = network.play(game, seeds[i], again[i]);
    State state = game.deal(seeds[i]);
    while (game.outcome(state) == games::Outcome::ongoing) {
      game.play(state, network.choose_move(game.observe(state), by_choose));
    }
    EXPECT_EQ(alone.won, !state.lost);
    EXPECT_EQ(alone.score, game.score(state));
    EXPECT_EQ(together[i].won, alone.won);
    EXPECT_EQ(together[i].score, alone.score);
  }
}

TEST(MinesweeperNetworks, LiftTheFlagOfTheCellThatTheyOpen) {
  auto network = small_network();
  Observation board = some_board(8, 8, 12, 9);
  RandomStream random(Seed{1}, "test");
  const Move move = network.choose_move(board, random);
  EXPECT_EQ(move.act, Act::open);
  EXPECT_EQ(board.cells[move.cell], Code::masked);
  board.cells[move.cell] = Code::flag;
  EXPECT_EQ(network.choose_move(board, random), (Move{Act::flag, move.cell}));
}

// Finite weights, but what comes out of them is not: the player still opens masked cells.
TEST(MinesweeperNetworks, ThatOverflowPlayToTheEnd) {
  nn::TensorFile file = weights_of(kSmall);
  for (nn::Tensor& tensor : file.tensors) {
    auto values = nn::values_of<float>(tensor).value();
    for (float& value : values) value = value < 0 ? -3e38f : 3e38f;
    tensor = nn::make_tensor<float>(tensor.name, tensor.shape, values);
  }
  auto network = MinesweeperNetwork::open(model_of(file, "test").value()).value();
  const Observation view = some_board(8, 8, 10, 5);
  const auto said = network.evaluate(std::span(&view, 1));
  for (const float probability : said[0].bomb) {
    EXPECT_TRUE(probability >= 0 && probability <= 1) << probability;
  }
  RandomStream random(Seed{1}, "test");
  for (std::uint64_t deal = 1; deal <= 5; ++deal) {
    EXPECT_LE(network.play(Minesweeper(8, 8, 10), Seed{deal}, random).score, 54);
  }
}

TEST(MinesweeperNetworks, ThatAreTooLargeForTheLargestBoardAreRefused) {
  const std::string text = R"({"input": [14, 8, 8],
      "layers": [{"type": "conv2d", "channels": 2000, "kernel": 1}, {"type": "relu"}],
      "heads": {"bomb": [{"type": "conv2d", "channels": 1, "kernel": 1}, {"type": "flatten"}]}})";
  const auto network = MinesweeperNetwork::open(model_of(weights_of(text), "test").value());
  ASSERT_FALSE(network.ok());
  EXPECT_TRUE(network.error().text().starts_with("test: on a board of 64x64: layers[0]: gives"))
      << network.error().text();
}

TEST(MinesweeperNetworks, ThatAreTiedToOneSizeAreRefused) {
  struct Case {
    std::string from, to;
    std::string message;
  };
  const std::string conv = R"({"type": "conv2d", "channels": 16}, {"type": "relu"})";
  const std::string flat = R"({"type": "conv2d", "channels": 1, "kernel": 1}, {"type": "flatten"})";
  const std::vector<Case> cases = {
      {"[14, 12, 12]", "[11, 12, 12]", "test: the network's input is 11x12x12; expected 14 planes"},
      {flat, R"({"type": "flatten"}, {"type": "dense", "units": 144})",
       "test: heads.bomb[0]: flatten ties the network to boards of one size"},
      {flat, R"({"type": "conv2d", "channels": 2, "kernel": 1}, {"type": "flatten"})",
       "test: heads.bomb: ends as 288; expected one plane of 12x12"},
      {flat, R"({"type": "conv2d", "channels": 1, "padding": "valid"}, {"type": "flatten"})",
       "test: heads.bomb[0]: conv2d ties the network"},
      {"\"bomb\"", "\"bombs\"", "test: the network has no head 'bomb'"},
  };
  for (const Case& wrong : cases) {
    std::string text(kSmall);
    const auto at = text.find(wrong.from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, wrong.from.size(), wrong.to);
    const auto network = MinesweeperNetwork::open(model_of(weights_of(text), "test").value());
    ASSERT_FALSE(network.ok()) << wrong.message;
    EXPECT_EQ(network.error().text().find(wrong.message), 0u) << network.error().text();
  }
}

}  // namespace
}  // namespace damier::play
