// generate, data and train as a user runs them, killed and interrupted on their way.

#include <algorithm>
#include <cmath>
#include <regex>

#include "tests/app/stored_program.h"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "damier/base/json/json.h"
#include "damier/base/numbers/random.h"
#include "damier/base/text/text.h"
#include "damier/nn/safetensors.h"
#include "damier/store/store.h"

namespace damier::app {
namespace {

class TrainCommands : public StoredProgram {
 protected:
  std::string last_run() const {
    auto store = Store::open(path("runs.db"));
    if (!store) return {};
    const auto runs = store->runs("train");
    return runs && !runs->empty() ? runs->front().name : std::string();
  }
};

TEST_F(TrainCommands, GenerateWritesWhatDataReads) {
  const std::string file = path("a.data");
  const Ran made = run({"generate", "fanorona", "--count", "500", "--seed", "1", "-o", file});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(made.out.starts_with(file + ": 500 rows: ")) << made.out;
  const Ran shown = run({"data", file});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("no group is in two splits"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("damier generate fanorona --oracle exact"), std::string::npos);
  const Ran shown_json = run({"data", file, "--json", "--csv", path("a.csv")});
  const Json json = parse_json(shown_json.out, "output").value();
  EXPECT_EQ(json["schema"], "damier/data/1");
  EXPECT_EQ(json["info"]["task"], "fanorona");
  const std::string csv = contents(path("a.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 501);
  // The same seed, the same file.
  ASSERT_EQ(
      run({"generate", "fanorona", "--count", "500", "--seed", "1", "-o", path("b.data")}).code, 0);
  EXPECT_EQ(parse_json(run({"data", path("b.data"), "--json"}).out, "output").value()["checksum"],
            json["checksum"]);
}

TEST_F(TrainCommands, DataSetsAreJoined) {
  for (const char* seed : {"1", "2"}) {
    ASSERT_EQ(run({"generate", "chess", "--teacher", "engine:50", "--count", "40", "--seed", seed,
                   "-o", path(seed)})
                  .code,
              0);
  }
  const Ran joined = run({"data", path("1"), path("2"), "-o", path("all")});
  EXPECT_EQ(joined.code, 0) << joined.err;
  EXPECT_TRUE(joined.out.starts_with(path("all") + ": 2 parts, ")) << joined.out;
  const Ran shown = run({"data", path("all")});
  EXPECT_TRUE(shown.out.starts_with(path("all") + ": 80 rows")) << shown.out;
  refused(
      {"data", path("1"), path("2")},
      "several files; expected one, or -o with the name of the file that is to hold the rows of "
      "all of them");
  refused({"data", path("1"), path("1"), "-o", path("b")},
          path("1") + ": has the rows of another part; expected each part once");
}

TEST_F(TrainCommands, TrainWritesAModelThatOtherCommandsRead) {
  const std::string model = path("model.safetensors");
  const Ran ran = run({"train", "fanorona-quick", "--set", "epochs=2", "--set",
                       "data.generate.count=2000", "-o", model, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::vector<Json> lines;
  for (const auto line : split(trim(ran.out), '\n')) {
    lines.push_back(parse_json(line, "output").value());
  }
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0]["schema"], "damier/train-epoch/1");
  EXPECT_EQ(lines[1]["epoch"], 2);
  EXPECT_EQ(lines[2]["schema"], "damier/train/1");
  EXPECT_EQ(lines[2]["model"], model);
  EXPECT_EQ(lines[2]["seed"], 1);
  EXPECT_GT(lines[2]["metrics"]["test"]["value_kept"]["value"], 0.6);
  const Json inspected = parse_json(run({"inspect", model, "--json"}).out, "output").value();
  const std::string text = dump_line(inspected);
  for (const char* word : {"fanorona", "recipe_hash", "flat", "damier train fanorona-quick"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
  auto store = Store::open(path("runs.db")).value();
  const damier::Run kept = store.runs("train")->front();
  EXPECT_EQ(kept.status, RunStatus::done);
  EXPECT_EQ(kept.name, lines[2]["run"].get<std::string>());
  const Ran shown = run({"runs", "show", kept.name});
  EXPECT_EQ(shown.code, 0) << shown.err;
  // A page to read, from what it was to how to go on.
  std::size_t at = 0;
  for (const std::string& part :
       {"Run " + kept.name + ": a training, fanorona", std::string("fanorona-quick"),
        std::string("when "), std::string("status   done"), std::string("Recipe"),
        std::string("network     46 in; dense 64, relu; moves: dense 81; value: dense 1, tanh"),
        std::string("optimiser   adam, rate 0.003"), std::string("Curves"),
        std::string("training_loss: "), std::string(" in 2 epochs"), std::string("Figures"),
        std::string("95 % interval"), std::string("Files"), std::string(" bytes"),
        std::string("How to continue"), std::string("damier eval "),
        "damier report " + kept.name + " -o " + kept.name + ".html"}) {
    const auto found = shown.out.find(part, at);
    EXPECT_NE(found, std::string::npos) << part << " is missing or misplaced in\n" << shown.out;
    if (found != std::string::npos) at = found;
  }
  EXPECT_EQ(shown.out.find('{'), std::string::npos) << "no JSON";
  EXPECT_EQ(store.metrics(kept.id, "training_loss")->size(), 2u);
  EXPECT_EQ(store.metrics(kept.id, "value_kept")->size(), 2u);
}

TEST_F(TrainCommands, OneEpochIsAFigureAndNoCurve) {
  const Ran trained = run({"train", "fanorona-quick", "--set", "epochs=1", "--seed", "1"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  auto store = Store::open(path("runs.db")).value();
  const Ran shown = run({"runs", "show", store.runs("train")->front().name});
  EXPECT_TRUE(
      std::regex_search(shown.out, std::regex("\n  training_loss: [0-9.]+ after epoch 1\n")))
      << shown.out;
  EXPECT_EQ(shown.out.find("│"), std::string::npos) << shown.out;
}

// Its sixty epochs are told in a line each. The pipe to a test holds less than twenty of them, so
// that the training cannot be over before the test has read most of them.
const std::vector<std::string> kLongTraining = {"train",  "fanorona-quick",
                                                "--set",  "epochs=60",
                                                "--set",  "batch=16",
                                                "--set",  "data.generate.count=1500",
                                                "--set",  "augmentation=symmetry",
                                                "--seed", "5",
                                                "--json"};
const std::string kBegun = ", run ", kEpoch = "damier/train-epoch/1";

std::vector<std::string> with_output(const std::string& model) {
  std::vector<std::string> arguments = kLongTraining;
  arguments.insert(arguments.end(), {"-o", model});
  return arguments;
}

// Killed before the first epoch's end, and then after some epochs more until it is done: the same
// model, byte for byte.
TEST_F(TrainCommands, AKilledTrainingGoesOnToTheSameBytes) {
  const std::string whole = path("whole"), parts = path("parts");
  ASSERT_EQ(run(with_output(whole)).code, 0);
  const std::string finished = last_run();
  {
    WatchedProgram first = start(with_output(parts));
    ASSERT_TRUE(first.wait_for(kBegun)) << first.seen();
    first.send(SIGKILL);
    ASSERT_EQ(first.wait_for_end(), 128 + SIGKILL) << first.seen();
  }
  const std::string name = last_run();
  ASSERT_NE(name, finished);
  int kills = 1;
  RandomStream random(Seed{1}, "kills");
  for (bool done = false; !done;) {
    WatchedProgram part = start({"train", "--resume", name, "--json"});
    const std::uint64_t epochs = 1 + random.below(12);
    for (std::uint64_t i = 0; i < epochs && part.wait_for(kEpoch); ++i) {
    }
    part.send(SIGKILL);
    const int code = part.wait_for_end();
    done = code == 0;  // before the signal came
    if (!done) {
      ASSERT_EQ(code, 128 + SIGKILL) << part.seen();
      ++kills;
    }
  }
  EXPECT_GT(kills, 1);
  EXPECT_EQ(contents(parts), contents(whole));
  auto store = Store::open(path("runs.db")).value();
  const damier::Run kept = store.find_run(name).value();
  EXPECT_EQ(kept.status, RunStatus::done);
  EXPECT_EQ(store.metrics(kept.id, "training_loss").value(),
            store.metrics(store.find_run(finished)->id, "training_loss").value());
  const Ran again = run({"train", "--resume", name});
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.err,
            fmt::format("damier: run {} is done, nothing is left to learn; its model is {}\n", name,
                        parts));
}

// In the middle of its games, of its lessons or of its matches, wherever the kill comes. There are
// more lines of JSON than a pipe and a reader hold, so none that is killed can have reached the
// end.
TEST_F(TrainCommands, KilledSelfPlayGoesOnToTheSameBytes) {
  const std::string whole = path("whole"), parts = path("parts");
  const auto self_play = [](const std::string& model) {
    return std::vector<std::string>{"train",  "fanorona-self-play",
                                    "--set",  "generations=100",
                                    "--set",  "games=2",
                                    "--set",  "simulations=2",
                                    "--set",  "evaluation.games=2",
                                    "--set",  "evaluation.every=40",
                                    "--set",  "self_play.window=2",
                                    "--seed", "5",
                                    "--json", "-o",
                                    model};
  };
  ASSERT_EQ(run(self_play(whole)).code, 0);
  {
    WatchedProgram first = start(self_play(parts));
    ASSERT_TRUE(first.wait_for(kBegun)) << first.seen();
    first.send(SIGKILL);
    ASSERT_EQ(first.wait_for_end(), 128 + SIGKILL) << first.seen();
  }
  const std::string name = last_run();
  int kills = 1;
  for (bool done = false; !done;) {
    WatchedProgram part = start({"train", "--resume", name, "--json"});
    for (int generation = 0; generation < 12; ++generation) {
      if (!part.wait_for("damier/train-generation/1")) break;
    }
    part.send(SIGKILL);
    const int code = part.wait_for_end();
    done = code == 0;  // before the signal came
    if (!done) {
      ASSERT_EQ(code, 128 + SIGKILL) << part.seen();
    }
    kills += !done;
  }
  EXPECT_GT(kills, 1);
  EXPECT_EQ(contents(parts), contents(whole));
}

TEST_F(TrainCommands, WhoBeginsWithAModelKeepsTheFiguresOfItsBatchNorms) {
  const std::string layers =
      R"(network.layers=[{"type": "flatten"}, {"type": "dense", "units": 8}, {"type": "batch_norm"},)"
      R"({"type": "relu"}])";
  for (const auto& [recipe, length] :
       {std::pair("domineering-self-play", "generations=1"), {"domineering-q", "epochs=1"}}) {
    const auto trained = [&](const std::string& file, const std::string& start) {
      std::vector<std::string> words = {
          "train", recipe,    "--set", R"(rules={"board": "4x4"})", "--set",  layers,
          "--set", length,    "--set", "evaluation.opponents=[]",   "--seed", "1",
          "-o",    path(file)};
      words.insert(
          words.end(),
          {"--set", std::string_view(recipe) == "domineering-q" ? "steps=2000" : "games=40"});
      if (!start.empty()) words.insert(words.end(), {"--set", "start=" + path(start)});
      const Ran ran = run(words);
      EXPECT_EQ(ran.code, 0) << ran.err;
      return nn::read_safetensors(path(file)).value();
    };
    const auto first = trained("first.safetensors", "");
    const auto then = trained("then.safetensors", "first.safetensors");
    for (const char* kept : {"layers.2.running_mean", "layers.2.running_var"}) {
      EXPECT_EQ(*then.find(kept), *first.find(kept)) << recipe;
    }
    EXPECT_NE(*then.find("layers.1.weight"), *first.find("layers.1.weight")) << recipe;
  }
}

TEST_F(TrainCommands, DataJudgeWhoLearnsByPlayAndTrainingsAreComparedByThem) {
  const std::string rows = path("rows.data");
  ASSERT_EQ(run({"generate", "domineering", "--set", "board=4x4", "--count", "80", "--validation",
                 "0.5", "--seed", "1", "-o", rows})
                .code,
            0);
  const std::string rules = R"(rules={"board": "4x4"})";
  std::vector<std::string> report = {"report", "-o", path("page.html")};
  for (const auto& [recipe, epochs] :
       {std::pair("domineering-self-play", "generations=2"), {"domineering-q", "epochs=2"}}) {
    const Ran ran = run({"train", recipe, "--judge", rows, "--set", rules, "--set", epochs, "--set",
                         "evaluation.games=2", "--set", "evaluation.every=1", "--seed", "1"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find("\n  validation\n    value_kept"), std::string::npos) << ran.out;
    report.push_back(last_run());
  }
  const Ran made = run(report);
  ASSERT_EQ(made.code, 0) << made.err;
  const std::string page = contents(path("page.html"));
  EXPECT_NE(page.find("value_kept by epoch or generation"), std::string::npos);
  for (const char* recipe : {"domineering-self-play", "domineering-q"}) {
    EXPECT_NE(page.find(recipe), std::string::npos) << recipe;
  }
  // Rows of another board, without a validation split, or of another game.
  const auto wrong = [&](const std::string& recipe, const std::string& data,
                         const std::string& message) {
    refused({"train", recipe, "--judge", data, "--set", "epochs=1"}, message);
  };
  wrong("domineering-q", rows,
        rows +
            ": has positions of the encoder 'features board=4x4'; expected 'features', "
            "as the recipe's");
  wrong("fanorona-q", rows, rows + ": is no data set of fanorona");
  const std::string none = path("none.data");
  ASSERT_EQ(
      run({"generate", "fanorona", "--count", "20", "--validation", "0", "--seed", "1", "-o", none})
          .code,
      0);
  wrong("fanorona-q", none, none + ": has no rows in its validation split");
  ASSERT_EQ(run({"match", "fanorona", "random", "first", "--games", "2"}).code, 0);
  auto store = Store::open(path("runs.db"));
  ASSERT_TRUE(store.ok());
  const std::string match = store->runs("match").value().front().name;
  refused({"report", match, last_run(), "-o", path("page.html")},
          "run " + match + " is a match; expected trainings to compare");
}

TEST_F(TrainCommands, AnInterruptSavesAndTellsHowToGoOn) {
  const std::string whole = path("whole"), parts = path("parts");
  ASSERT_EQ(run(with_output(whole)).code, 0);
  WatchedProgram training = start(with_output(parts));
  for (int epoch = 1; epoch <= 3; ++epoch) ASSERT_TRUE(training.wait_for(kEpoch));
  training.send(SIGINT);
  EXPECT_EQ(training.wait_for_end(), 130);
  const std::string name = last_run();
  EXPECT_EQ(last_line(training.seen()),
            fmt::format("damier: interrupted; continue with `damier train --resume {}`", name));
  EXPECT_EQ(Store::open(path("runs.db"))->find_run(name)->status, RunStatus::stopped);
  EXPECT_FALSE(std::filesystem::exists(parts));
  const Ran resumed = run({"train", "--resume", name});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(contents(parts), contents(whole));
}

TEST_F(TrainCommands, WrongInputGetsOneLine) {
  refused({"generate", "bremen", "--teacher", "human", "-o", path("x")},
          "teacher: a human cannot be asked here; expected another player");
  refused({"generate", "bremen", "--oracle", "exact", "-o", path("x")},
          "teacher: bremen is not solved: it has no exact teacher; expected another player, as "
          "minimax:4 or uct:1000");
  refused({"data", path("none")}, path("none") + ": cannot be read: No such file or directory");
  refused({"train", "fanorona-quick", "--set", "epcohs=3"},
          "fanorona-quick: unknown key 'epcohs'; did you mean 'epochs'? (known: epochs, network, "
          "heads, batch, memory, task, data, judge, start, rule, order, seed, optimiser, schedule, "
          "patience, precision, evaluation, augmentation, initialisation)");
  refused({"train", "--resume", "nothing", "--seed", "3"},
          "--resume continues what the run was asked for; leave out RECIPE, --set, --data, "
          "--judge, --output and --seed");
  EXPECT_EQ(run({"train"}).code, 2);
  EXPECT_EQ(run({"train", "--resume", "nothing"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(path("x")));
}

}  // namespace
}  // namespace damier::app
