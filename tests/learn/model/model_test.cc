#include "damier/learn/model/model.h"

#include <cstdlib>
#include <filesystem>

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files.h"
#include "damier/learn/fanorona/network.h"
#include "damier/learn/fanorona/task.h"
#include "damier/learn/model/model_library.h"
#include "damier/nn/initialise.h"
#include "damier/solve/fanorona/table.h"

namespace damier::learn {
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
    EXPECT_TRUE(open_model(model.weights.string(), 1)) << model.name;
  }
}

TEST(Model, ANetworkOfAnotherTaskOrEncoderIsRefused) {
  const TemporaryFolder folder;
  const auto fault = [&](const nn::Provenance& provenance) {
    const std::string path = write_network(folder.path() / "m.safetensors", provenance).string();
    const auto network = FanoronaNetwork::open(path);
    if (network) return std::string("none");
    return network.error().text().substr(path.size() + 2);
  };
  EXPECT_EQ(fault(kFanorona), "none");
  EXPECT_EQ(fault({}), "is a network for no game that it names; expected one for fanorona");
  EXPECT_EQ(fault({{"game", "chess"}}), "is a network for chess; expected one for fanorona");
  EXPECT_EQ(fault({{"game", "fanorona"}, {"encoder", "flut"}, {"encoder_version", "1"}}),
            "unknown encoder 'flut'; did you mean 'flat'? (known: flat, planes)");
  EXPECT_EQ(fault({{"game", "fanorona"}, {"encoder", "flat"}, {"encoder_version", "7"}}),
            "was made for version 7 of the encoder flat; expected 1");
  EXPECT_EQ(fault({{"game", "fanorona"}, {"encoder", "planes"}, {"encoder_version", "1"}}),
            "the network's input is 46; expected 6x3x3, what the encoder 'planes' gives");
}

TEST(Model, CopiesOfAPredictorSayTheSameToTheBit) {
  const TemporaryFolder folder;
  const auto path = write_network(folder.path() / "m.safetensors", kFanorona);
  Predictor one(std::make_shared<const Model>(open_model(path.string(), 1).value()), 4);
  std::vector<float> inputs(10 * 46);
  RandomStream random(Seed{1}, "test");
  for (float& input : inputs) input = static_cast<float>(random.uniform());
  const JudgedModel::Outputs first = one.run(inputs, 10);
  Predictor two(one);
  EXPECT_EQ(two.run(inputs, 10), first);
  EXPECT_EQ(one.run(inputs, 10), first);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].size(), 180u);
}

TEST(FanoronaNetwork, PriorsAreADistributionAndTheValueIsBounded) {
  const TemporaryFolder folder;
  const auto path = write_network(folder.path() / "m.safetensors", kFanorona);
  auto network = FanoronaNetwork::open(path.string()).value();
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
}  // namespace damier::learn
