// Networks as a user meets them: eval, models, inspect, matches, hints.

#include <map>

#include "tests/app/stored_program.h"
#include <gtest/gtest.h>

#include "damier/base/json/json.h"

namespace damier::app {
namespace {

using NetworkCommands = StoredProgram;

TEST_F(NetworkCommands, EvalMeasuresAModelOnItsTask) {
  const Ran ran = run({"eval", "fanorona", "--games", "4", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json json = parse_json(ran.out, "eval").value();
  EXPECT_EQ(json["schema"], "damier/eval/1");
  EXPECT_EQ(json["task"], "fanorona");
  const Json& kept = json["metrics"]["reachable.value_kept"];
  EXPECT_EQ(kept["value"], 1.0);
  EXPECT_EQ(kept["n"], 16082);
  EXPECT_EQ(json["metrics"]["all.value_kept"]["value"], 1.0);
  EXPECT_EQ(json["metrics"]["against_perfect.not_lost"]["value"], 1.0);
}

TEST_F(NetworkCommands, EvalFindsTheHeldOutRowsOfAModelAgain) {
  const std::string model = path("m.safetensors");
  const Ran trained = run({"train", "fanorona-quick", "--set", "epochs=1", "--set",
                           "data.generate.count=4000", "--seed", "1", "-o", model, "--json"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const Json last = parse_json(last_line(trained.out), "train").value();
  const Ran ran = run({"eval", model, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json json = parse_json(ran.out, "eval").value();
  EXPECT_EQ(json["metrics"]["held_out.value_kept"], last["metrics"]["test"]["value_kept"]);
  const std::string data = path("rows.data");
  ASSERT_EQ(run({"generate", "fanorona", "--count", "300", "--seed", "5", "-o", data}).code, 0);
  const Ran evaluated = run({"eval", model, "--data", data});
  ASSERT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_NE(evaluated.out.find("  training of " + data), std::string::npos) << evaluated.out;
  ASSERT_EQ(run({"generate", "fanorona", "--count", "30", "--encoder", "planes", "-o", data}).code,
            0);
  refused({"eval", model, "--data", data},
          data + ": is encoded as 'planes'; expected 'flat', as the model reads it");
}

TEST_F(NetworkCommands, EvalSaysWhatIsMissing) {
  refused({"eval", "solver"}, "eval solver: which game? As `damier eval solver GAME`");
  refused({"eval", "no/such"}, "no/such: is no model file, nor a folder that holds one");
  refused({"eval", "fanorona", "--board", "3x3"},
          "--rules and --board go with games of one player");
  refused({"eval", "random", "minesweeper", "--data", "x"},
          "--data goes with a model, not with a player and a game");
}

TEST_F(NetworkCommands, ModelsListsWhatShipsAndWhatWasTrained) {
  const Ran before = run({"models", "--json"});
  ASSERT_EQ(before.code, 0) << before.err;
  const Json shipped = parse_json(before.out, "models").value();
  std::map<std::string, std::string> games;  // by model
  for (const Json& model : shipped["models"]) games[model["name"].text()] = model["game"].text();
  EXPECT_EQ(games["fanorona"], "fanorona");
  EXPECT_EQ(games["fanorona-self-play"], "fanorona");
  const std::string model = path("m.safetensors");
  ASSERT_EQ(run({"train", "fanorona-quick", "--set", "epochs=1", "--set", "data.generate.count=500",
                 "--seed", "1", "-o", model})
                .code,
            0);
  const Ran after = run({"models"});
  EXPECT_NE(after.out.find("Trained here"), std::string::npos) << after.out;
  EXPECT_NE(after.out.find(model), std::string::npos) << after.out;
}

TEST_F(NetworkCommands, OneDomineeringNetworkPlaysEveryBoardOfUpToEightByEight) {
  for (const char* board : {"8x8", "5x7", "4x4"}) {
    const Ran ran =
        run({"match", "domineering", "net", "random", "--board", board, "--games", "4"});
    EXPECT_EQ(ran.code, 0) << ran.err;
  }
  const Ran ran = run({"match", "domineering", "net", "random", "--board", "4x16"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find(": reads boards of up to 8x8 cells; the board is 4x16\n"),
            std::string::npos)
      << ran.err;
}

TEST_F(NetworkCommands, InspectShowsTheCard) {
  const Ran ran = run({"inspect", "fanorona"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("# Fanoron-telo"), std::string::npos);
}

TEST_F(NetworkCommands, AHintShowsTheNetworksViewBesideTheExactValues) {
  const Ran ran = run({"play", "fanorona", "--vs", "net", "--seed", "1"}, "hint\n8-5\nhint net\n");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("The exact value of each move, and what the network (net) thinks of it:"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("draw        "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("prior"), std::string::npos) << ran.out;
}

TEST_F(NetworkCommands, EvalPlaysMinesweeperWithAModel) {
  const Ran ran =
      run({"eval", "minesweeper", "--board", "6x6x4", "--games", "64", "--seed", "11", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json json = parse_json(ran.out, "eval").value();
  EXPECT_GT(json["metrics"]["win_rate"]["value"], 0.75);
  EXPECT_EQ(json["metrics"]["win_rate"]["n"], 64);
}

TEST_F(NetworkCommands, AnalyzeShowsTheNetworkBesideTheExactProbabilities) {
  const std::string board = "4 5 3\n01###\n01###\n12###\n#####\n";
  const Ran json =
      run({"analyze", "minesweeper", "--board", "-", "--player", "net", "--json"}, board);
  ASSERT_EQ(json.code, 0) << json.err;
  const Json said = parse_json(json.out, "analyze").value();
  ASSERT_EQ(said["network"].size(), 4u);
  EXPECT_TRUE(said["network"][0][0].is_null());
  EXPECT_NEAR(said["network"][0][2].get<double>(), said["probability"][0][2].get<double>(), 0.1);
  EXPECT_LT(said["mean_absolute_difference"], 0.05);
  const Ran text = run({"analyze", "minesweeper", "--board", "-", "--player", "net"}, board);
  EXPECT_NE(text.out.find("mean absolute difference over the masked cells: 0.0"), std::string::npos)
      << text.out;
  const Ran wrong = run({"analyze", "minesweeper", "--board", "-", "--player", "random"}, board);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(last_line(wrong.err),
            "damier: --player: player 'random' has no view of a board; expected net or solver");
}

TEST_F(NetworkCommands, TheOverlayShowsTheProbabilitiesOnTheBoard) {
  const Ran ran =
      run({"play", "minesweeper", "--rules", "board=6x6x4", "--overlay", "--seed", "3"}, "c3\n");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("  3  11%  12%    1  12%  11%  11%"), std::string::npos) << ran.out;
  refused({"play", "fanorona", "--overlay"}, "--overlay goes with minesweeper, not with fanorona");
}

}  // namespace
}  // namespace damier::app
