// The engine's evaluation network from its rows to the engine: short rows hold the pieces, training
// gives the same bits however it is done, and the engine reads what comes out.

#include <algorithm>
#include <cmath>

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/learn/chess/task.h"
#include "damier/learn/train/stored_run.h"
#include "damier/model/chess/encoders.h"

namespace damier::learn {
namespace {

using games::chess::Chess;
using games::chess::State;

constexpr std::string_view kEvaluationRecipe = R"({
  "task": "chess",
  "data": {"generate": {"encoder": "pieces", "states": "games", "oracle": "engine:20",
    "player": "oracle", "noise": 0, "share": 1, "skip": 16, "quiet": true, "count": 600,
    "validation": 0.2, "test": 0.1, "seed": 5}},
  "network": {"input": [64],
    "layers": [{"type": "sparse", "features": 768, "lists": 2, "units": 32},
               {"type": "squared_clipped_relu"}],
    "heads": {"value": [{"type": "dense", "units": 1}, {"type": "sigmoid"}]}},
  "initialisation": {"kind": "uniform", "limit": 0.1},
  "heads": {"value": {"target": "score", "squash": 300,
                      "mix": {"column": "result", "share": 0.3}}},
  "optimiser": {"kind": "adamw", "rate": 0.01, "clip_weights": 0.25},
  "batch": 64, "epochs": 3, "evaluation": {"sets": ["validation"], "keep": "last"}
})";

Recipe evaluation_recipe() { return parse_recipe(kEvaluationRecipe, "test").value(); }

TEST(PieceRows, HoldWhatBothSidesSee) {
  const Chess game;
  RandomStream random(Seed{3}, "test");
  State state = game.initial();
  for (int ply = 0; ply < 300; ++ply) {
    const auto moves = game.legal_moves(state);
    if (moves.empty()) break;
    game.play(state, moves[static_cast<std::size_t>(random.below(moves.size()))]);
    std::array<float, model::chess::kPackedPieces> packed;
    std::array<float, model::chess::kPieceInputs> inputs;
    model::chess::pack_pieces(state, packed);
    model::chess::unpack_pieces(packed, inputs);
    for (const std::size_t other : {0u, 1u}) {
      const auto seen = games::chess::piece_features(
          state, other == 0 ? state.side : games::opponent(state.side));
      std::vector<float> expected(games::chess::kMaxPieces, -1.0f), found;
      std::copy_n(seen.numbers.begin(), seen.count, expected.begin());
      found.assign(inputs.begin() + static_cast<std::ptrdiff_t>(other * expected.size()),
                   inputs.begin() + static_cast<std::ptrdiff_t>((other + 1) * expected.size()));
      std::sort(expected.begin(), expected.end());
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found, expected) << game.position_text(state);
    }
  }
}

TEST(PieceRows, WhateverTheBytesAreTheNumbersAreFeatures) {
  RandomStream random(Seed{4}, "test");
  for (int i = 0; i < 1000; ++i) {
    std::array<float, model::chess::kPackedPieces> packed;
    std::array<float, model::chess::kPieceInputs> inputs;
    for (float& byte : packed) byte = static_cast<float>(random.below(256));
    model::chess::unpack_pieces(packed, inputs);
    for (const float input : inputs) {
      ASSERT_GE(input, -1);
      ASSERT_LT(input, games::chess::kPieceFeatures);
    }
  }
}

TEST(EvaluationTraining, RowsAreShortAndTheMovers) {
  ThreadPool pool(2);
  const Recipe recipe = evaluation_recipe();
  const DataSet data = open_data(recipe, pool).value();
  EXPECT_EQ(data.row_count(), 600u);
  std::uint64_t bytes = 0;
  for (const Column& column : data.columns()) bytes += column.row_bytes();
  EXPECT_LE(bytes, 40u);
  const RowRange all = {0, data.row_count()};
  const auto scores = column_of<float>(data, "score", 1, all).value();
  const auto results = column_of<float>(data, "result", 1, all).value();
  double together = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    EXPECT_TRUE(results[i] == 0 || results[i] == 0.5f || results[i] == 1);
    together += static_cast<double>(scores[i]) * (static_cast<double>(results[i]) - 0.5);
  }
  EXPECT_GT(together, 0);  // who is ahead wins more often: both are of the same side
  // A game and its positions follow from its number.
  ThreadPool other(1);
  EXPECT_EQ(open_data(recipe, other).value().checksum(), data.checksum());
}

TEST(EvaluationTraining, GivesTheSameBitsOnThreadsAndAfterStopsAndTheEngineReadsThem) {
  const Recipe recipe = evaluation_recipe();
  ThreadPool one(1), two(2);
  const DataSet data = open_data(recipe, two).value();
  const auto origin = provenance_of(recipe, &data, Seed{1}, "");
  const auto train_with = [&](ThreadPool& pool, const TrainingOptions& options) {
    auto result = train(recipe, data, Seed{1}, pool, origin, options);
    EXPECT_TRUE(result.ok()) << result.error().text();
    return *std::move(result);
  };
  const TrainingResult whole = train_with(one, {});
  EXPECT_EQ(train_with(two, {}).model, whole.model);
  const TemporaryFolder folder;
  TrainingOptions stopping;
  stopping.folder = folder.path();
  TrainingResult resumed;
  for (int parts = 0; !resumed.finished && parts < 20; ++parts) {
    int batches = 0;
    stopping.stop = [&] { return ++batches == 5; };
    resumed = train_with(parts % 2 == 0 ? two : one, stopping);
  }
  EXPECT_EQ(resumed.model, whole.model);

  for (const nn::Tensor& tensor : whole.model.tensors) {
    const auto values = nn::values_of<float>(tensor).value();
    for (const float value : values) EXPECT_LE(std::abs(value), 0.25f);
  }
  const auto path = folder.path() / "model.safetensors";
  ASSERT_TRUE(nn::write_safetensors(path, whole.model));
  const auto network = model::chess::evaluation_network(path.string());
  ASSERT_TRUE(network) << network.error().text();
  EXPECT_EQ((*network)->units(), 32);
  EXPECT_EQ(model::chess::evaluation_network("hand").value(), nullptr);
  EXPECT_FALSE(model::chess::evaluation_network("no such model"));
}

}  // namespace
}  // namespace damier::learn
