// The evaluation network in whole numbers: beside the network that was learnt, updated move by move
// beside added up from nothing, and on every instruction set.

#include "damier/search/chess/evaluation_network.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/games/chess/chess.h"
#include "damier/games/chess/encoders.h"
#include "damier/nn/model_file.h"
#include "damier/nn/training.h"
#include "damier/search/chess/position_evaluator.h"

namespace damier::search::chess {
namespace {

using games::chess::Chess;
using games::chess::Move;
using games::chess::State;

constexpr int kScale = 400;
constexpr int kInputs = 2 * games::chess::kMaxPieces;

std::string spec_text(int units, const std::string& curve = "squared_clipped_relu") {
  return R"({"input": [64], "layers": [{"type": "sparse", "features": 768, "lists": 2, "units": )" +
         std::to_string(units) + R"(}, {"type": ")" + curve +
         R"("}], "heads": {"value": [{"type": "dense", "units": 1}, {"type": "sigmoid"}]}})";
}

nn::Network<float> random_network(int units, std::uint64_t seed) {
  nn::Network<float> network(nn::parse_network_text(spec_text(units), "test").value(), 1,
                             nn::Use::inference);
  nn::initialise(network, {nn::Initialisation::uniform, 0.2}, Seed{seed});
  RandomStream random(Seed{seed}, "test.bias");
  for (nn::Parameter<float>* parameter : network.parameters()) {
    if (parameter->shape.size() > 1) continue;
    for (int i = 0; i < parameter->out; ++i) {
      parameter->value[i] = static_cast<float>(random.uniform() - 0.5);
    }
  }
  return network;
}

nn::TensorFile file_of(const nn::Network<float>& network) {
  return nn::model_tensors(network, {{"squash", std::to_string(kScale)}});
}

std::shared_ptr<const EvaluationNetwork> quantised(const nn::Network<float>& network) {
  return EvaluationNetwork::from(file_of(network), "test").value();
}

// Before the sigmoid, in hundredths of a pawn.
double learnt_score(nn::Network<float>& network, const State& state) {
  std::vector<float> inputs(kInputs, -1.0f);
  for (const int other : {0, 1}) {
    const auto features =
        games::chess::piece_features(state, other == 0 ? state.side : games::opponent(state.side));
    for (int i = 0; i < features.count; ++i) {
      inputs[static_cast<std::size_t>(other * games::chess::kMaxPieces + i)] =
          features.numbers[static_cast<std::size_t>(i)];
    }
  }
  network.set_inputs(inputs, 1);
  network.forward();
  const double expected = static_cast<double>(network.output(0).value[0]);
  return kScale * std::log(expected / (1 - expected));
}

// Calls visit(before, move, after) along random games, the rarer moves preferred.
template <class Visit>
void play_random_games(const Chess& game, std::uint64_t seed, int games, const Visit& visit) {
  for (int number = 0; number < games; ++number) {
    RandomStream random(Seed{seed}, "test.games", static_cast<std::uint64_t>(number));
    State state = game.initial();
    for (int ply = 0; ply < 200; ++ply) {
      const auto moves = game.legal_moves(state);
      if (moves.empty()) break;
      Move move = moves[static_cast<std::size_t>(random.below(moves.size()))];
      for (const Move other : moves) {
        const bool rare = is_castling(other) || is_promotion(other) ||
                          type_of(other) == games::chess::MoveType::en_passant;
        if (rare && random.below(2) == 0) move = other;
      }
      const State before = state;
      game.play(state, move);
      visit(before, move, state);
    }
  }
}

std::vector<Chess> starts() {
  std::vector<Chess> games = {Chess()};
  for (const int start : {0, 77, 345, 692, 959}) {
    games.push_back(Chess({.chess960 = true, .start = start}));
  }
  return games;
}

TEST(EvaluationNetwork, SaysWhatTheLearntNetworkSays) {
  auto network = random_network(64, 1);
  const auto whole = quantised(network);
  double worst = 0;
  play_random_games(Chess(), 1, 4, [&](const State&, Move, const State& state) {
    const double learnt = learnt_score(network, state);
    worst = std::max(worst, std::abs(learnt - whole->score(state)));
  });
  // Rounding of 128 weights to 1/64 and of sums to 1/255.
  EXPECT_LT(worst, 40);
}

// After every move, whether all of them were scored or some left out, and after taking moves back.
TEST(EvaluationNetwork, UpdatedSumsEqualFreshOnes) {
  const auto network = quantised(random_network(64, 2));
  int castled = 0, promoted = 0, en_passant = 0;
  std::uint64_t seed = 10;
  for (const Chess& game : starts()) {
    PositionEvaluator always(network);
    PositionEvaluator at_times(network);
    State last = game.initial();
    always.reset();
    at_times.reset();
    RandomStream random(Seed{++seed}, "test.times");
    play_random_games(game, seed, 3, [&](const State& before, Move move, const State& after) {
      castled += is_castling(move);
      promoted += is_promotion(move);
      en_passant += type_of(move) == games::chess::MoveType::en_passant;
      if (!(before == last)) {
        always.reset();
        at_times.reset();
      }
      last = after;
      always.push(before, move);
      at_times.push(before, move);
      const int fresh = network->score(after);
      ASSERT_EQ(always.score(after), fresh) << game.position_text(after);
      if (random.below(4) == 0) {
        ASSERT_EQ(at_times.score(after), fresh) << game.position_text(after);
        // The other side to move, and back again.
        at_times.push_null();
        State passed = after;
        passed.side = games::opponent(after.side);
        ASSERT_EQ(at_times.score(passed), network->score(passed));
        at_times.pop();
        ASSERT_EQ(at_times.score(after), fresh);
      }
    });
  }
  EXPECT_GT(castled, 0);
  EXPECT_GT(promoted, 0);
  EXPECT_GT(en_passant, 0);
}

TEST(EvaluationNetwork, ColoursAndMirrorImagesAreTheSame) {
  const auto network = quantised(random_network(32, 3));
  const Chess game;
  const auto score = [&](const char* fen) {
    return network->score(game.parse_position(fen).value());
  };
  EXPECT_EQ(score("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1"), score("4k3/8/2n5/8/3P4/8/8/4K3 b - - 0 1"));
  EXPECT_EQ(score("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1"), score("3k4/8/8/4p3/8/5N2/8/3K4 w - - 0 1"));
  EXPECT_NE(score("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1"), score("4k3/8/8/3p4/8/2N5/8/4K3 b - - 0 1"));
}

RC_GTEST_PROP(EvaluationNetwork, KernelsEqualThePlainOne, ()) {
  const int units = kUnitStep * *rc::gen::inRange(1, 9);
  RandomStream random(Seed{*rc::gen::arbitrary<std::uint64_t>()}, "test.kernels");
  const auto count = static_cast<std::size_t>(units);
  AlignedNumbers from(count), weights(count), rows(count * 64), expected(count), found(count);
  const auto fill = [&](AlignedNumbers& numbers, std::size_t size, int most) {
    for (std::size_t i = 0; i < size; ++i) {
      numbers.data()[i] = static_cast<std::int16_t>(
          static_cast<int>(random.below(static_cast<std::uint64_t>(2 * most + 1))) - most);
    }
  };
  fill(from, count, random.below(2) == 0 ? 400 : 32767);
  fill(weights, count, kMaxOutputWeight);
  fill(rows, 64 * count, 32767);
  RowChanges changes;
  changes.added_count = *rc::gen::inRange(0, 33);
  changes.removed_count = *rc::gen::inRange(0, 5);
  for (int i = 0; i < changes.added_count; ++i) changes.added[i] = rows.data() + i * units;
  for (int i = 0; i < changes.removed_count; ++i) {
    changes.removed[i] = rows.data() + (32 + i) * units;
  }
  const NetworkKernels& plain = *network_kernels_of(Isa::plain);
  plain.update(from.data(), changes, expected.data(), units);
  for (int i = 0; i < units; ++i) {
    int sum = from.data()[i];
    for (int k = 0; k < changes.added_count; ++k) sum += changes.added[k][i];
    for (int k = 0; k < changes.removed_count; ++k) sum -= changes.removed[k][i];
    RC_ASSERT(expected.data()[i] == static_cast<std::int16_t>(sum));
  }
  const std::int32_t output = plain.output(from.data(), weights.data(), units);
  std::int64_t by_hand = 0;
  for (int i = 0; i < units; ++i) {
    const int clipped = std::clamp<int>(from.data()[i], 0, 255);
    by_hand += std::int64_t{clipped} * clipped * weights.data()[i];
  }
  RC_ASSERT(output == by_hand);
  for (const Isa isa : {Isa::sse42, Isa::avx2, Isa::avx512}) {
    const NetworkKernels* kernels = network_kernels_of(isa);
    if (kernels == nullptr) continue;
    kernels->update(from.data(), changes, found.data(), units);
    RC_ASSERT(std::equal(found.data(), found.data() + units, expected.data()));
    RC_ASSERT(kernels->output(from.data(), weights.data(), units) == output);
  }
}

TEST(EvaluationNetwork, RefusesWhatDoesNotFit) {
  const auto error = [](const nn::TensorFile& file) {
    const auto network = EvaluationNetwork::from(file, "n.safetensors");
    return network ? std::string("none") : network.error().text();
  };
  auto network = random_network(32, 4);
  EXPECT_EQ(error(file_of(network)), "none");
  EXPECT_EQ(error(nn::model_tensors(network, {})),
            "n.safetensors: does not say what its output is in pawns; expected the key squash in "
            "its metadata");
  EXPECT_EQ(error(nn::model_tensors(network, {{"squash", "x"}})),
            "n.safetensors: its squash is 'x'; expected a number from 1 to 10000");
  const nn::Network<float> other(
      nn::parse_network_text(spec_text(32, "clipped_relu"), "test").value(), 1, nn::Use::inference);
  EXPECT_EQ(error(file_of(other)),
            "n.safetensors: is no evaluation network; expected 64 inputs, a sparse layer of 768 "
            "features in 2 lists, squared_clipped_relu, and one head 'value' of a dense unit and a "
            "sigmoid");
  EXPECT_EQ(error(file_of(random_network(40, 4))),
            "n.safetensors: has 40 units; expected a multiple of 32, 2048 at most");
  // One weight at a time is too large for its bits, then for its sums.
  const auto with = [](std::size_t parameter, float value, int count) {
    auto changed = random_network(64, 4);
    const nn::Parameter<float>& p = *changed.parameters()[parameter];
    for (int i = 0; i < count; ++i) {
      p.value[static_cast<std::ptrdiff_t>(i % p.in) * p.ld + i / p.in] = value;
    }
    return file_of(changed);
  };
  EXPECT_EQ(error(with(0, 200, 1)),
            "n.safetensors: a weight of its features does not fit into 16 bits; expected 128 at "
            "most (optimiser.clip_weights)");
  EXPECT_EQ(error(with(0, 5, 64)),
            "n.safetensors: the sum of unit 0 may not fit into 16 bits; expected smaller weights "
            "(optimiser.clip_weights)");
  EXPECT_EQ(error(with(2, 2.5f, 1)),
            "n.safetensors: a weight of its output does not fit into 8 bits; expected 1.98 at most "
            "(optimiser.clip_weights)");
  EXPECT_EQ(error(with(3, 515, 1)),
            "n.safetensors: the sum of its output may not fit into 32 bits; expected smaller "
            "weights (optimiser.clip_weights)");
  const auto missing = EvaluationNetwork::load("no/such/file");
  ASSERT_FALSE(missing);
}

}  // namespace
}  // namespace damier::search::chess
