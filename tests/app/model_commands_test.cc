// init, inspect, predict and export as a user runs them, one after the other on the same files.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "tests/app/program.h"
#include "tests/base/temporary_folder.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/base/json/json.h"
#include "damier/base/text/text.h"
#include "damier/model/library.h"
#include "damier/nn/safetensors.h"

namespace damier::app {
namespace {

constexpr const char* kDense = R"({"input": [3], "layers": [{"type": "dense", "units": 5},
    {"type": "sigmoid"}, {"type": "dense", "units": 2}, {"type": "sigmoid"}]})";
constexpr const char* kBoard = R"({"input": [2, 3, 3], "layers": [{"type": "conv2d", "channels": 4},
    {"type": "batch_norm"}, {"type": "relu"}, {"type": "flatten"}],
    "heads": {"policy": [{"type": "dense", "units": 9}, {"type": "softmax"}],
              "value": [{"type": "dense", "units": 1}, {"type": "tanh"}]}})";

// A relu layer of two under two heads, with weights that can be computed with by hand.
constexpr const char* kByHand = R"({"input": [2], "layers": [{"type": "dense", "units": 2},
    {"type": "relu"}], "heads": {"value": [{"type": "dense", "units": 1}],
    "policy": [{"type": "dense", "units": 2, "bias": false}, {"type": "softmax"}]}})";

class Models : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() / name; }

  // Writes a file and returns its path.
  std::string file(const std::string& name, std::string_view content) const {
    EXPECT_TRUE(write_file_atomically(path(name), content).ok());
    return path(name);
  }

  std::string content(const std::string& name) const {
    return read_file(path(name), std::size_t{1} << 20).value();
  }

  // A fresh model of this specification.
  std::string fresh(const std::string& name, std::string_view spec,
                    std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {
        "init", file(name + ".json", spec), "-o", path(name), "--seed", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = damier(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return path(name);
  }

  std::string by_hand(const std::string& name) const {
    const auto tensor = [](const char* tensor_name, std::vector<std::uint64_t> shape,
                           const std::vector<double>& values) {
      return nn::make_tensor<double>(tensor_name, std::move(shape), values);
    };
    const nn::TensorFile model = {
        {tensor("layers.0.weight", {2, 2}, {1, 2, -1, 0.5}),
         tensor("layers.0.bias", {2}, {0.5, -0.25}), tensor("heads.value.0.weight", {1, 2}, {2, 3}),
         tensor("heads.value.0.bias", {1}, {1}),
         tensor("heads.policy.0.weight", {2, 2}, {1, 0, 0, -1})},
        {{"damier.network", kByHand}, {"game", "none"}}};
    EXPECT_TRUE(nn::write_safetensors(path(name), model).ok());
    return path(name);
  }

 private:
  TemporaryFolder folder_;
};

Json json_of(const Ran& ran) {
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1) << ran.out;
  return parse_json(ran.out, "output").value();
}

// The numbers that predict printed, a list a row.
std::vector<std::vector<double>> rows_of(const Ran& ran) {
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  std::vector<std::vector<double>> rows;
  for (const std::string_view line : split(ran.out, '\n')) {
    if (line.empty()) continue;
    auto& row = rows.emplace_back();
    for (const std::string_view cell : split(line, ',')) {
      const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), row.emplace_back());
      EXPECT_EQ(read.ptr, cell.data() + cell.size()) << line;
    }
  }
  return rows;
}

TEST_F(Models, InitSaysWhatItMade) {
  const std::string spec = file("net.json", kDense);
  const Ran ran = damier({"init", spec, "-o", path("a"), "--seed", "7"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "seed 7\n");
  EXPECT_EQ(ran.out, path("a") + ": 32 parameters\n");
  const Json json = json_of(damier({"init", spec, "-o", path("b"), "--seed", "7", "--json"}));
  EXPECT_EQ(json["schema"], "damier/init/1");
  EXPECT_EQ(json["model"], path("b"));
  EXPECT_EQ(json["parameters"], 32);
  EXPECT_EQ(json["seed"], 7);
}

TEST_F(Models, TheSameSeedGivesTheSameFile) {
  for (const char* kind : {"xavier_uniform", "xavier_normal", "he_uniform", "he_normal"}) {
    fresh("a", kBoard, {"--weights", kind});
    fresh("b", kBoard, {"--weights", kind});
    EXPECT_EQ(content("a"), content("b")) << kind;
    damier({"init", path("b.json"), "-o", path("b"), "--seed", "2", "--weights", kind});
    EXPECT_NE(content("a"), content("b")) << kind;
  }
}

TEST_F(Models, WithoutASeedEachNetworkIsItsOwnAndTheSeedPrintedRepeatsIt) {
  const std::string spec = file("net.json", kDense);
  const Ran first = damier({"init", spec, "-o", path("a")});
  const Ran second = damier({"init", spec, "-o", path("b")});
  EXPECT_NE(content("a"), content("b"));
  ASSERT_TRUE(first.err.starts_with("seed ")) << first.err;
  EXPECT_NE(first.err, second.err);
  damier({"init", spec, "-o", path("b"), "--seed", first.err.substr(5, first.err.size() - 6)});
  EXPECT_EQ(content("a"), content("b"));
}

TEST_F(Models, InspectAsJson) {
  const Json json = json_of(damier({"inspect", fresh("model", kBoard), "--json"}));
  EXPECT_EQ(json["schema"], "damier/inspect/1");
  EXPECT_EQ(json["model"], path("model"));
  // conv2d 4 * 2 * 9 + 4, batch norm 2 * 4, policy 9 * 36 + 9, value 36 + 1
  EXPECT_EQ(json["parameters"], 76 + 8 + 333 + 37);
  EXPECT_EQ(json["bits"], 32);
  EXPECT_EQ(json["file_bytes"], std::filesystem::file_size(path("model")));
  EXPECT_GT(json["memory_bytes"], 4 * 454);
  EXPECT_EQ(json["network"]["input"], Json::array({2, 3, 3}));
  EXPECT_EQ(json["network"]["layers"].size(), 4u);
  EXPECT_EQ(json["network"]["heads"]["policy"][1]["type"], "softmax");
  EXPECT_EQ(json["origin"]["seed"], "1");
  EXPECT_EQ(json["origin"]["initialisation"], "he_uniform");
  ASSERT_EQ(json["weights"].size(), 10u);
  const Json& convolution = json["weights"][0];
  EXPECT_EQ(convolution["name"], "layers.0.weight");
  EXPECT_EQ(convolution["shape"], Json::array({4, 2, 3, 3}));
  EXPECT_LE(convolution["lowest"], convolution["mean"]);
  EXPECT_LE(convolution["mean"], convolution["highest"]);
  EXPECT_LE(convolution["highest"].get<double>(), std::sqrt(6.0 / 18));
  EXPECT_EQ(json["weights"][9]["name"], "heads.value.0.bias");

  // The network that it prints is a specification again.
  const Json again =
      json_of(damier({"inspect", fresh("again", dump_line(json["network"])), "--json"}));
  EXPECT_EQ(again["network"], json["network"]);
  EXPECT_EQ(again["weights"], json["weights"]);
}

TEST_F(Models, InspectTellsTheFiguresOfTheWeights) {
  const Json json = json_of(damier({"inspect", by_hand("model"), "--json"}));
  EXPECT_EQ(json["parameters"], 13);
  EXPECT_EQ(json["bits"], 64);
  EXPECT_EQ(json["origin"], Json({{"game", "none"}}));
  const Json& first = json["weights"][0];  // 1, 2, -1, 0.5
  EXPECT_DOUBLE_EQ(first["mean"].get<double>(), 0.625);
  EXPECT_DOUBLE_EQ(first["deviation"].get<double>(), std::sqrt(6.25 / 4 - 0.625 * 0.625));
  EXPECT_EQ(first["lowest"], -1.0);
  EXPECT_EQ(first["highest"], 2.0);
}

TEST_F(Models, InspectAsText) {
  const Ran ran = damier({"inspect", fresh("model", kBoard)});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_TRUE(ran.out.starts_with(path("model") + ": 454 parameters of 32 bits")) << ran.out;
  for (const char* part :
       {"input 2x3x3\n", "2x3x3 -> 4x3x3\n", "4x3x3 -> 36\n", "output policy (9)\n",
        "output value (1)\n", "layers.0.weight", "4 x 2 x 3 x 3", "heads.value.0.bias",
        "layers.1.running_var", "\norigin\n", "  seed: 1\n"}) {
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\n" << ran.out;
  }
}

TEST_F(Models, PredictComputesWhatTheWeightsSay) {
  const std::string model = by_hand("model");
  // (1, 2): hidden (5.5, -0.25 -> 0), value 12. (-1, 4): hidden (7.5, 2.75), value 24.25.
  const std::string rows = file("rows.csv", "1,2\n-1,4\n");
  EXPECT_EQ(damier({"predict", model, "--input", rows}).out, "12\n24.25\n");
  EXPECT_EQ(damier({"predict", model, "--input", rows, "--output", "value"}).out, "12\n24.25\n");
  const auto policy = rows_of(damier({"predict", model, "--input", rows, "--output", "policy"}));
  ASSERT_EQ(policy.size(), 2u);
  ASSERT_EQ(policy[0].size(), 2u);
  EXPECT_NEAR(policy[0][0], 1 / (1 + std::exp(-5.5)), 1e-14);
  EXPECT_NEAR(policy[0][1], 1 / (1 + std::exp(5.5)), 1e-14);
  EXPECT_NEAR(policy[1][0], 1 / (1 + std::exp(-10.25)), 1e-14);
  EXPECT_NEAR(policy[1][1], 1 / (1 + std::exp(10.25)), 1e-14);
}

TEST_F(Models, PredictAsJsonIsOneObjectALine) {
  const std::string rows = file("rows.csv", "1,2\n-1,4\n");
  const Ran ran = damier({"predict", by_hand("model"), "--input", rows, "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "{\"schema\":\"damier/predict/1\",\"row\":0,\"output\":\"value\",\"values\":[12.0]}\n"
            "{\"schema\":\"damier/predict/1\",\"row\":1,\"output\":\"value\",\"values\":[24.25]}"
            "\n");
}

TEST_F(Models, PredictReadsRowsAsPeopleWriteThem) {
  const std::string model = by_hand("model");
  for (const char* rows :
       {"1,2\n-1,4\n", "1,2\n-1,4", "1,2\r\n-1,4\r\n", "\n1,2\n\n  \n-1,4\n\n",
        "\r\n1,2\r\n\r\n-1,4\r\n", " 1 , 2 \n\t-1,\t4\n", "1.0,2e0\n-10e-1,0.4e1\n"}) {
    EXPECT_EQ(damier({"predict", model, "--input", file("rows.csv", rows)}).out, "12\n24.25\n")
        << rows;
    EXPECT_EQ(damier({"predict", model, "--input", "-"}, rows).out, "12\n24.25\n") << rows;
  }
  const Ran none = damier({"predict", model, "--input", "-"}, "");
  EXPECT_EQ(none.code, 0);
  EXPECT_EQ(none.out, "");
}

TEST_F(Models, PredictTakesMoreRowsThanItRunsAtOnce) {
  std::string rows;
  for (int i = 0; i < 200; ++i) rows += std::to_string(i) + ",0\n";
  const auto found = rows_of(damier({"predict", by_hand("model"), "--input", "-"}, rows));
  ASSERT_EQ(found.size(), 200u);
  // hidden (i + 0.5, 0), value 2 i + 2
  for (int i = 0; i < 200; ++i) EXPECT_EQ(found[static_cast<std::size_t>(i)][0], 2 * i + 2) << i;
}

TEST_F(Models, ExportedModelsGiveTheSameOutputs) {
  const std::string input = "0.5,-1,2\n0,0,0\n-3,0.25,1\n";
  const auto outputs = [&](const std::string& model) {
    return rows_of(damier({"predict", model, "--input", "-"}, input));
  };
  const std::string model = fresh("model", kDense, {"--double"});
  const auto expected = outputs(model);
  ASSERT_EQ(expected.size(), 3u);
  const auto exported = [&](const std::string& format, const std::string& name,
                            std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"export", model, "--format", format, "-o", path(name)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = damier(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    EXPECT_EQ(ran.out, path(name) + ": " + std::to_string(content(name).size()) + " bytes\n");
    return path(name);
  };
  EXPECT_EQ(outputs(exported("safetensors", "copy.safetensors")), expected);
  EXPECT_EQ(content("copy.safetensors"), content("model"));
  EXPECT_EQ(outputs(exported("text", "plain.txt")), expected);
  EXPECT_EQ(outputs(exported("text", "spaced.txt", {"--blank-lines"})), expected);
  EXPECT_TRUE(content("plain.txt").starts_with("(3, 5, 2)\nLayer : 0\nMat :\n"));
  EXPECT_EQ(content("plain.txt").find("\n\n"), std::string::npos);
  EXPECT_NE(content("spaced.txt").find("\n\nBiais :\n"), std::string::npos);

  // And back: a text file is a model like any other.
  const Ran back = damier(
      {"export", path("plain.txt"), "--format", "safetensors", "-o", path("back.safetensors")});
  EXPECT_EQ(back.code, 0) << back.err;
  EXPECT_EQ(outputs(path("back.safetensors")), expected);
}

TEST_F(Models, ExportOfFloatsToTextKeepsTheWeights) {
  const std::string model = fresh("model", kDense), input = "0.5,-1,2\n";
  EXPECT_EQ(damier({"export", model, "--format", "text", "-o", path("model.txt")}).code, 0);
  const auto floats = rows_of(damier({"predict", model, "--input", "-"}, input));
  const auto doubles = rows_of(damier({"predict", path("model.txt"), "--input", "-"}, input));
  ASSERT_EQ(floats.size(), 1u);
  ASSERT_EQ(doubles.size(), 1u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(floats[0][i], doubles[0][i], 1e-6);
  const Json in_floats = json_of(damier({"inspect", model, "--json"}));
  const Json in_doubles = json_of(damier({"inspect", path("model.txt"), "--json"}));
  EXPECT_EQ(in_floats["weights"], in_doubles["weights"]);
  EXPECT_EQ(in_doubles["bits"], 64);
  EXPECT_EQ(in_doubles["origin"], Json::object());
}

TEST_F(Models, ExportToOnnxNamesItsMakerAndTheOutputs) {
  const std::string model = fresh("model", kBoard);
  EXPECT_EQ(damier({"export", model, "--format", "onnx", "-o", path("model.onnx")}).code, 0);
  const std::string onnx = content("model.onnx");
  EXPECT_TRUE(onnx.starts_with("\x08\x08")) << "IR version 8";
  for (const char* part : {"damier", "input", "policy", "value", "layers.0.weight", "Conv"}) {
    EXPECT_NE(onnx.find(part), std::string::npos) << part;
  }
}

struct Wrong {
  std::vector<std::string> arguments;
  std::string message;  // what the one line must hold
  std::string input = {};
};

TEST_F(Models, WrongInputGetsOneLineAndExitCodeTwo) {
  const std::string out = path("out"), dense = file("dense.json", kDense);
  const std::string model = by_hand("model"), board = fresh("board", kBoard);
  const std::string good = file("good.csv", "1,2\n");
  const std::string whole = content("model");
  const std::string cut = file("cut", whole.substr(0, whole.size() - 3));
  const std::string headless = file("headless", whole.substr(0, 20));
  const std::string nameless = path("nameless");
  ASSERT_TRUE(nn::write_safetensors(nameless, {{}, {{"game", "none"}}}).ok());
  const auto spec = [&](const std::string& name, const std::string& layers) {
    return file(name, R"({"input": [2], "layers": [)" + layers + "]}");
  };
  const auto init = [&](const std::string& from) {
    return std::vector<std::string>{"init", from, "-o", out};
  };
  const auto predict = [&](const std::string& name, const std::string& rows) {
    return std::vector<std::string>{"predict", model, "--input", file(name, rows)};
  };
  const std::vector<Wrong> all = {
      {{"init"}, "SPEC is required"},
      {{"init", dense}, "--output is required"},
      {{"init", dense, "-o", out, "--weights", "he_norml"},
       "unknown initialisation 'he_norml'; did you mean 'he_normal'?"},
      {{"init", dense, "-o", out, "--weights", "uniform", "--limit", "-1"},
       "--limit is '-1'; expected a number from 0 to 1000"},
      {{"init", dense, "-o", out, "--seed", "x"}, "--seed"},
      {init("/nowhere/net.json"), "/nowhere/net.json: cannot be read"},
      {init(file("broken.json", "{\"input\": [2],\n \"layers\": [")), "broken.json:2:"},
      {init(file("empty.json", "{}")), "empty.json: input: missing"},
      {init(spec("layer.json", R"({"type": "dens", "units": 2})")),
       "layers[0].type: unknown layer 'dens'; did you mean 'dense'?"},
      {init(spec("shape.json", R"({"type": "conv2d", "channels": 2})")),
       "layers[0].type: the input is 2; expected a board"},
      {{"inspect"}, "MODEL is required"},
      {{"inspect", "/nowhere/model"},
       "/nowhere/model: is no model file, nor a folder that holds one"},
      {{"inspect", cut}, "cut: "},
      {{"inspect", headless}, "headless: the header is "},
      {{"inspect", file("nothing", "")}, "nothing: "},
      {{"inspect", nameless}, "nameless: has no network in its metadata"},
      {{"predict", model}, "expected a position behind the model, or --input FILE.csv"},
      {{"predict", cut, "--input", good}, "cut: "},
      {{"predict", model, "--input", "/nowhere/rows"}, "/nowhere/rows: cannot be read"},
      {{"predict", model, "--input", good, "--output", "polcy"},
       "unknown output 'polcy'; did you mean 'policy'?"},
      {predict("few.csv", "1,2\n\n3\n"), "few.csv:3: 1 value; expected 2"},
      {predict("many.csv", "1,2\r\n1,2,3\r\n"), "many.csv:2: 3 values; expected 2"},
      {predict("comma.csv", "1,2,\n"), "comma.csv:1: 3 values; expected 2"},
      {predict("letter.csv", "1,2\n3,4\n5,x6\n"),
       "letter.csv:3: value 2 is 'x6'; expected a number"},
      {predict("tail.csv", "1,2\n3 ,4.5k\n"), "tail.csv:2: value 2 is '4.5k'"},
      {predict("gap.csv", ",2\n"), "gap.csv:1: value 1 is ''"},
      {{"predict", model, "--input", "-"}, "standard input:2: value 1 is 'a'", "1,2\na,2\n"},
      {{"export", board, "--format", "text", "-o", out}, "board: the text form holds dense layers"},
      {{"export", board, "--format", "onxn", "-o", out},
       "unknown format 'onxn'; did you mean 'onnx'?"},
      {{"export", board, "-o", out}, "--format is required"},
      {{"export", cut, "--format", "onnx", "-o", out}, "cut: "},
      {{"export", file("odd.txt", "(2, 1)\nLayer : 0\nMat :\n1 b\nBiais :\n1\n"), "--format",
        "onnx", "-o", out},
       "odd.txt:4:3: 'b' in"},
      {{"bench", "nn", "--peer", "pytroch"}, "unknown peer 'pytroch'"},
      {{"bench", "games", "--peer", "pytorch"},
       "--peer does not go with games: chess-rules: stockfish, chess: stockfish, nn: pytorch"},
  };
  for (const Wrong& wrong : all) {
    const Ran ran = damier(wrong.arguments, wrong.input);
    std::string line;
    for (const std::string& argument : wrong.arguments) line += argument + " ";
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << line << "\n" << ran.err;
    EXPECT_TRUE(ran.err.starts_with("damier: ")) << ran.err;
    EXPECT_NE(ran.err.find(wrong.message), std::string::npos) << line << "\n" << ran.err;
  }
  EXPECT_FALSE(std::filesystem::exists(out)) << "no wrong call leaves a file";
}

// A file without a byte on the disk that claims to be long.
std::string sparse(const std::string& path, std::string_view beginning, std::uintmax_t bytes) {
  EXPECT_TRUE(write_file_atomically(path, beginning).ok());
  std::filesystem::resize_file(path, bytes);
  return path;
}

void expect_one_line(const Ran& ran, const std::string& message) {
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
}

constexpr int kEnough = 200;  // megabytes, for whatever refuses a file

TEST_F(Models, ASmallFileThatClaimsALargeNetworkTakesNoMemory) {
  const auto claims = [&](const std::string& name, int layers, int units) {
    std::string list;
    for (int i = 0; i < layers; ++i) {
      list += fmt::format(R"({}{{"type": "dense", "units": {}}})", i == 0 ? "" : ",", units);
    }
    const std::string spec = fmt::format(R"({{"input": [{}], "layers": [{}]}})", units, list);
    EXPECT_TRUE(nn::write_safetensors(path(name), {{}, {{"damier.network", spec}}}).ok());
    return path(name);
  };
  const std::string twelve = claims("twelve", 12, 16'000), one = claims("one", 1, 8'000);
  const std::string rows = file("rows.csv", "1,2\n"), out = path("out");
  for (const auto& [model, message] :
       {std::pair(twelve, "has 256016000 weights; expected 67108864 at most"),
        std::pair(one, "the tensor layers.0.weight is missing")}) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"inspect", model},
          {"predict", model, "--input", rows},
          {"export", model, "--format", "onnx", "-o", out},
          {"report", model, "-o", out},
          {"eval", model},
          {"match", "fanorona", "net:" + model, "random", "--games", "2", "--no-store"}}) {
      expect_one_line(damier_within(kEnough, arguments), message);
    }
  }
}

TEST_F(Models, ALargeSpecificationIsRefusedBeforeItTakesMemory) {
  const std::string spec = file("large.json", R"({"input": [16000], "layers": [
      {"type": "dense", "units": 4000}, {"type": "dense", "units": 4000}]})");
  expect_one_line(damier_within(kEnough, {"init", spec, "-o", path("out"), "--seed", "1"}),
                  "large.json: the network has 80008000 weights; expected 67108864 at most");
  EXPECT_FALSE(std::filesystem::exists(path("out")));
}

TEST_F(Models, LargeFilesAreRefusedByTheirHeader) {
  constexpr std::uintmax_t kLarge = std::uintmax_t{3} << 30;
  const std::string model = by_hand("model"), out = path("out");
  const std::string nothing = sparse(path("nothing"), "", kLarge);
  const std::string longer = sparse(path("longer"), content("model"), std::uintmax_t{1} << 30);
  const std::string text = sparse(path("large.txt"), "(2, 2)\n", kLarge);
  const std::string rows = sparse(path("rows.csv"), "1,2\n", kLarge);
  const std::string recipe = sparse(path("recipe.json"), "{}", kLarge);
  const struct {
    std::vector<std::string> arguments;
    std::string message;
  } all[] = {
      {{"inspect", nothing}, "nothing: has 3221225472 bytes; expected 2147483648 at most"},
      {{"inspect", longer}, "longer: the data continue for"},
      {{"inspect", text}, "large.txt: is larger than the 1073741824 bytes expected at most"},
      {{"report", nothing, "-o", out}, "nothing: is neither a data set nor a model"},
      {{"report", longer, "-o", out}, "longer: is neither a data set nor a model"},
      {{"data", nothing}, "nothing: the header is empty"},
      {{"predict", longer, "--input", rows}, "longer: the data continue for"},
      {{"predict", model, "--input", rows}, "rows.csv:2: a line of more than"},
      {{"init", recipe, "-o", out}, "recipe.json: is larger than the 4194304 bytes"},
      {{"train", recipe}, "recipe.json: is larger than the 4194304 bytes"},
      {{"play", "--load", recipe}, "recipe.json: is larger than the"},
      {{"analyze", "minesweeper", "--board", recipe}, "recipe.json: is larger than the"},
  };
  for (const auto& [arguments, message] : all) {
    expect_one_line(damier_within(kEnough, arguments), message);
  }
}

TEST_F(Models, WeightsThatAreNotFiniteAreRefused) {
  const std::string whole = [&] {
    by_hand("model");
    return content("model");
  }();
  std::string broken = whole;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::memcpy(broken.data() + broken.size() - sizeof nan, &nan, sizeof nan);
  const std::string model = file("broken", broken), out = path("out");
  const std::string message =
      "broken: tensor 'heads.policy.0.weight': has nan at [1, 1]; expected finite numbers";
  const std::string rows = file("rows.csv", "1,2\n");
  expect_one_line(damier({"inspect", model}), message);
  expect_one_line(damier({"predict", model, "--input", rows}), message);
  expect_one_line(damier({"export", model, "--format", "onnx", "-o", out}), message);
  expect_one_line(damier({"report", model, "-o", out}), message);
  expect_one_line(damier({"match", "fanorona", "net:" + model, "random", "--no-store"}), message);
  expect_one_line(damier({"inspect", file("w.txt", "(1, 1)\nLayer : 0\nMat :\nnan\nBiais :\n1\n")}),
                  "w.txt:4:1: 'nan' in row 0 of layer 0; expected a finite number");
}

// Finite weights, but what comes out of them is not.
TEST_F(Models, ANetworkThatOverflowsPlaysOn) {
  for (const std::string& game : {std::string("fanorona"), std::string("minesweeper")}) {
    auto model = nn::read_safetensors(model::model_path(game).value());
    ASSERT_TRUE(model.ok()) << model.error().text();
    for (nn::Tensor& tensor : model->tensors) {
      if (!tensor.name.ends_with(".weight") || tensor.dtype != nn::DType::f32) continue;
      auto values = nn::values_of<float>(tensor).value();
      for (float& value : values) value = value < 0 ? -3e38f : 3e38f;
      tensor = nn::make_tensor<float>(tensor.name, tensor.shape, values);
    }
    const std::string huge = path(game);
    ASSERT_TRUE(nn::write_safetensors(huge, *model).ok());
    std::vector<std::vector<std::string>> all = {
        {"match", "fanorona", "net:" + huge, "random", "--games", "4"},
        {"match", "fanorona", "net:" + huge + ",mcts=50", "random", "--games", "4"}};
    if (game == "minesweeper") {
      all = {{"eval", "net:" + huge, "minesweeper", "--board", "9x9x10", "--games", "20"},
             {"eval", "solver:net=" + huge, "minesweeper", "--board", "9x9x10", "--games", "5"}};
    }
    for (std::vector<std::string>& arguments : all) {
      arguments.insert(arguments.end(), {"--no-store", "--seed", "1"});
      if (arguments[0] == "eval") arguments.erase(arguments.end() - 3);
      const Ran ran = damier(arguments);
      EXPECT_EQ(ran.code, 0) << arguments[0] << " " << arguments[1] << "\n" << ran.err;
    }
  }
}

TEST_F(Models, FilesInFoldersThatAreMissingAreRefused) {
  const std::string model = fresh("model", kDense), out = path("missing/out");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"init", path("model.json"), "-o", out, "--seed", "1"},
        {"export", model, "--format", "onnx", "-o", out},
        {"export", model, "--format", "safetensors", "-o", out},
        {"export", model, "--format", "text", "-o", out}}) {
    const Ran ran = damier(arguments);
    EXPECT_EQ(ran.code, 2) << arguments[0];
    EXPECT_EQ(ran.out, "") << arguments[0];
    EXPECT_TRUE(last_line(ran.err).starts_with("damier: " + out + ": cannot be written"))
        << ran.err;
  }
}

}  // namespace
}  // namespace damier::app
