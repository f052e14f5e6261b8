#include "damier/model/model.h"

#include <cstdlib>
#include <filesystem>

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/exact/fanorona/exact.h"
#include "damier/model/fanorona/encoders.h"
#include "damier/model/library.h"
#include "damier/model/network_evaluator.h"
#include "damier/model/symmetries.h"
#include "damier/nn/training.h"

namespace damier::model {
namespace {

namespace fs = std::filesystem;

// A small untrained network that says of itself what `provenance` says.
fs::path write_network(const fs::path& path, const nn::Provenance& provenance,
                       const char* network = R"({"input": [46], "layers": [
                           {"type": "dense", "units": 16}, {"type": "batch_norm"},
                           {"type": "relu"}],
                         "heads": {"policy": [{"type": "dense", "units": 18}],
                                   "value": [{"type": "dense", "units": 1}]}})") {
  nn::Network<float> made(nn::parse_network_text(network, "test").value(), 1, nn::Use::training);
  nn::initialise(made, nn::Initialisation::he_normal, Seed{3});
  EXPECT_TRUE(nn::write_safetensors(path, nn::model_tensors(made, provenance)));
  return path;
}

const nn::Provenance kFanorona = {
    {"game", "fanorona"}, {"encoder", "flat"}, {"encoder_version", "1"}};

using Fanorona = games::fanorona::Fanorona;

Result<NetworkEvaluator<Fanorona>> evaluator_of(const std::string& path) {
  return NetworkEvaluator<Fanorona>::open(Fanorona(), open_model(path).value());
}

TEST(ModelLibrary, AModelIsNamedByItsFileItsFolderOrItsName) {
  const TemporaryFolder folder;
  const fs::path own = folder.path() / "mine";
  fs::create_directories(own);
  write_network(own / "model.safetensors", kFanorona);
  ASSERT_TRUE(write_file_atomically(own / "card.md", "# A model of mine\n\ntext\n"));
  setenv("DAMIER_MODELS", folder.path().c_str(), 1);
  const auto models = shipped_models();
  const auto by_name = model_path("mine"), by_folder = model_path(own.string());
  const auto by_file = model_path((own / "model.safetensors").string());
  const auto unknown = model_path("mien"), nowhere = model_path("no/where");
  unsetenv("DAMIER_MODELS");
  ASSERT_EQ(models.size(), 1u);
  EXPECT_EQ(models[0].name, "mine");
  EXPECT_EQ(models[0].title, "A model of mine");
  EXPECT_EQ(by_name.value(), (own / "model.safetensors").string());
  EXPECT_EQ(by_folder.value(), by_name.value());
  EXPECT_EQ(by_file.value(), by_name.value());
  EXPECT_EQ(unknown.error().text(), "unknown model 'mien'; did you mean 'mine'? (known: mine)");
  EXPECT_EQ(nowhere.error().text(), "no/where: is no model file, nor a folder that holds one");
}

TEST(ModelLibrary, TheModelsThatShipAreFoundFromTheBuildTree) {
  EXPECT_TRUE(model_path("fanorona")) << models_folder();
  for (const ShippedModel& model : shipped_models()) {
    EXPECT_FALSE(model.title.empty()) << model.name << " needs a card";
    EXPECT_TRUE(open_model(model.weights.string())) << model.name;
  }
}

TEST(Model, ANetworkOfAnotherTaskOrEncoderIsRefused) {
  const TemporaryFolder folder;
  const auto error = [&](const nn::Provenance& provenance) {
    const std::string path = write_network(folder.path() / "m.safetensors", provenance).string();
    const auto network = evaluator_of(path);
    if (network) return std::string("none");
    return network.error().text().substr(path.size() + 2);
  };
  EXPECT_EQ(error(kFanorona), "none");
  EXPECT_EQ(error({}), "is a network for no game that it names; expected one for fanorona");
  EXPECT_EQ(error({{"game", "chess"}}), "is a network for chess; expected one for fanorona");
  EXPECT_EQ(error({{"game", "fanorona"}, {"encoder", "flut"}, {"encoder_version", "1"}}),
            "unknown encoder 'flut'; did you mean 'flat'? (known: flat, planes)");
  EXPECT_EQ(error({{"game", "fanorona"}, {"encoder", "flat"}, {"encoder_version", "7"}}),
            "was made for version 7 of the encoder flat; expected 1");
  EXPECT_EQ(error({{"game", "fanorona"}, {"encoder", "planes"}, {"encoder_version", "1"}}),
            "the network's input is 46; expected 6x3x3, what the encoder 'planes' gives");
}

TEST(Model, CopiesOfAPredictorSayTheSameToTheBit) {
  const TemporaryFolder folder;
  const auto path = write_network(folder.path() / "m.safetensors", kFanorona);
  const auto one = predict_with(open_model(path.string()).value(), 4);
  std::vector<float> inputs(10 * 46);
  RandomStream random(Seed{1}, "test");
  for (float& input : inputs) input = static_cast<float>(random.uniform());
  const auto said = [&](Predictor& of) {
    of.run(inputs, 10);
    return std::vector<float>(of.output(0).begin(), of.output(0).end());
  };
  const std::vector<float> first = said(*one);
  EXPECT_EQ(first.size(), 180u);
  EXPECT_EQ(said(*one->clone()), first);
  EXPECT_EQ(said(*one), first);
  EXPECT_EQ(one->output(0, 9)[17], first.back());
}

// What plays in training is what plays from the file.
TEST(NetworkEvaluator, OfALiveNetworkSaysWhatThatOfItsFileSaysToTheBit) {
  const TemporaryFolder folder;
  const auto path = write_network(folder.path() / "m.safetensors", kFanorona);
  const Model model = open_model(path.string()).value();
  nn::Network<float> live(model.spec(), 64, nn::Use::training);
  ASSERT_TRUE(nn::load_weights(live, nn::read_safetensors(path).value(), "test"));
  const Fanorona game;
  auto from_live =
      NetworkEvaluator<Fanorona>::make(game, "flat", predict_with(live)->clone()).value();
  auto from_file = evaluator_of(path.string()).value();
  RandomStream random(Seed{1}, "test");
  for (const auto& state : met_in_random_games(game, "test", 20)) {
    const auto moves = game.legal_moves(state);
    std::vector<float> one(moves.size()), other(moves.size());
    const std::span<const Fanorona::Move> all(moves.begin(), moves.size());
    EXPECT_EQ(from_live.evaluate(game, state, all, one, random).value,
              from_file.evaluate(game, state, all, other, random).value);
    EXPECT_EQ(one, other);
  }
}

// Many positions at once, or one after the other.
TEST(NetworkEvaluator, ABatchSaysWhatSinglePositionsSay) {
  const TemporaryFolder folder;
  const auto path = write_network(folder.path() / "m.safetensors", kFanorona);
  auto together =
      NetworkEvaluator<Fanorona>::open(Fanorona(), open_model(path.string()).value(), 16).value();
  auto alone = evaluator_of(path.string()).value();
  const auto states = met_in_random_games(Fanorona(), "test", 5);
  together.ask(states);
  for (std::size_t i = 0; i < states.size(); ++i) {
    alone.ask({&states[i], 1});
    EXPECT_NEAR(alone.value(0, states[i]), together.value(i, states[i]), 1e-5);
  }
}

TEST(NetworkEvaluator, PriorsAreADistributionAndTheValueIsBounded) {
  const TemporaryFolder folder;
  const auto path = write_network(folder.path() / "m.safetensors", kFanorona);
  auto network = evaluator_of(path.string()).value();
  const games::fanorona::Fanorona game;
  RandomStream random(Seed{1}, "test");
  auto state = game.initial();
  while (game.outcome(state) == games::Outcome::ongoing && random.below(50) > 0) {
    const auto moves = game.legal_moves(state);
    std::vector<float> priors(moves.size());
    const auto said = network.evaluate(game, state, {moves.begin(), moves.end()}, priors, random);
    float sum = 0;
    for (const float prior : priors) {
      EXPECT_GE(prior, 0);
      sum += prior;
    }
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_LE(std::abs(said.value), 1);
    game.play(state, moves[static_cast<std::size_t>(random.below(moves.size()))]);
  }
}

}  // namespace
}  // namespace damier::model
