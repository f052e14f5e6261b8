// Journals and studies that go on where they were.
#include "damier/lab/study.h"

#include <cmath>

#include "tests/base/temporary_folder.h"
#include "tests/lab/study_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files/files.h"

namespace damier::lab {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

class Journals : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "deep" / "journal.json"; }
  void write(const std::string& text) const {
    std::filesystem::create_directories(path().parent_path());
    ASSERT_TRUE(write_file_atomically(path(), text));
  }
  TemporaryFolder folder_;
};

TEST_F(Journals, KeepWhatStepsFound) {
  std::string name;
  {
    auto journal = Journal::open(path()).value();
    name = journal.name();
    EXPECT_EQ(journal.find({{"n", 1}}), nullptr);
    ASSERT_TRUE(journal.keep("a", {{"n", 1}}, {{"value", 0.1}}));
    ASSERT_TRUE(journal.keep("b", {{"n", 2}}, "text"));
  }
  const auto journal = Journal::open(path()).value();
  ASSERT_NE(journal.find({{"n", 1}}), nullptr);
  EXPECT_EQ((*journal.find({{"n", 1}}))["value"].get<double>(), 0.1);
  EXPECT_EQ(*journal.find({{"n", 2}}), "text");
  EXPECT_EQ(journal.size(), 2u);
  EXPECT_EQ(journal.name(), name);
}

TEST_F(Journals, KnowNothingOfAnotherConfiguration) {
  auto journal = Journal::open(path()).value();
  ASSERT_TRUE(journal.keep("a", {{"n", 1}}, 1));
  EXPECT_EQ(journal.find({{"n", 2}}), nullptr);
  EXPECT_EQ(journal.find({{"n", 1}, {"m", 1}}), nullptr);
  ASSERT_TRUE(journal.keep("a", {{"n", 2}}, 2));
  EXPECT_EQ(journal.find({{"n", 1}}), nullptr);
  EXPECT_EQ(*journal.find({{"n", 2}}), 2);
  EXPECT_EQ(journal.size(), 1u);
}

TEST_F(Journals, NumbersComeBackWithAllTheirBits) {
  const double third = 1.0 / 3, tiny = 4.9e-324;
  {
    auto journal = Journal::open(path()).value();
    ASSERT_TRUE(journal.keep("a", {}, {third, tiny, -0.0}));
  }
  const Json found = *Journal::open(path()).value().find({});
  EXPECT_EQ(found[0].get<double>(), third);
  EXPECT_EQ(found[1].get<double>(), tiny);
  EXPECT_TRUE(std::signbit(found[2].get<double>()));
}

TEST_F(Journals, AreRefusedWhenTheyAreNotWhole) {
  {
    auto journal = Journal::open(path()).value();
    ASSERT_TRUE(journal.keep("a", {}, {{"value", 0.1}}));
  }
  const std::string whole = read_file(path(), kMaxBytes).value();
  for (const std::string& text :
       {std::string(), std::string("garbage"), whole.substr(0, whole.size() / 2), std::string("{}"),
        std::string("[1]"), std::string("\xFF\x00", 2),
        std::string(R"({"schema":"damier/journal/1","steps":[]})"),
        std::string(R"({"schema":"damier/journal/2","name":"a","steps":[{"step":1}]})"),
        std::string(R"({"schema":"damier/journal/2","name":"a","steps":{}})")}) {
    write(text);
    const auto opened = Journal::open(path());
    ASSERT_FALSE(opened) << text;
    EXPECT_NE(opened.error().message.find("is not a journal"), std::string::npos);
    EXPECT_NE(opened.error().message.find("--fresh"), std::string::npos);
    EXPECT_EQ(read_file(path(), kMaxBytes).value(), text);
  }
}

TEST_F(Journals, BelongToOneAtATime) {
  const auto journal = Journal::open(path()).value();
  const auto second = Journal::open(path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::failure);
  EXPECT_NE(second.error().message.find("another process"), std::string::npos);
}

struct Count {
  int count = 0;
};
void describe(auto& fields, Is<Count> auto& count) { fields("count", count.count); }

class Studies : public StudyFolder {
 protected:
  // Two steps, the first of which counts how often it is done.
  Result<int> run(bool fresh, StudyHooks hooks = {}, int config = 1) {
    ThreadPool pool(1);
    auto study = Study::open({path("study"), store(), fresh}, std::move(hooks), pool);
    if (!study) return std::move(study).error();
    Count one, two;
    study->measure<Count>(
        {"one", 1},
        [&] {
          return Json{{"measure", "one"}, {"config", config}};
        },
        [&]() -> Result<Count> {
          study->tell(0.5, "half");
          return Count{++done_};
        },
        one);
    study->measure<Count>(
        {"two", 3},
        [] {
          return Json{{"measure", "two"}};
        },
        [&]() -> Result<Count> {
          if (study->stopped()) return Error{"anything"};
          return one;
        },
        two);
    if (auto status = study->run(); !status) return std::move(status).error();
    return two.count;
  }

  int done_ = 0;
};

TEST_F(Studies, DoEachStepOnce) {
  EXPECT_EQ(run(false).value(), 1);
  EXPECT_EQ(run(false).value(), 1);
  EXPECT_EQ(done_, 1);
  EXPECT_EQ(run(true).value(), 2);
  EXPECT_EQ(run(false, {}, 2).value(), 2);  // the second step has not changed
  EXPECT_EQ(done_, 3);
}

TEST_F(Studies, StopAndGoOn) {
  StudyHooks hooks;
  hooks.stop = [this] { return done_ > 0; };
  const auto stopped = run(false, hooks);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, interruption().message);
  EXPECT_EQ(run(false).value(), 1);
  EXPECT_EQ(done_, 1);
}

TEST_F(Studies, TellHowFarTheyAre) {
  std::vector<StudyProgress> told;
  std::vector<std::pair<std::string, bool>> steps;
  StudyHooks hooks;
  hooks.on_progress = [&](const StudyProgress& progress) { told.push_back(progress); };
  hooks.on_step = [&](const std::string& step, bool known) { steps.emplace_back(step, known); };
  ASSERT_TRUE(run(false, hooks));
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[1].name, "one");
  EXPECT_EQ(told[1].detail, "half");
  EXPECT_EQ(told[1].step, 1u);
  EXPECT_EQ(told[1].steps, 2u);
  EXPECT_DOUBLE_EQ(told[1].done, 0.125);
  EXPECT_DOUBLE_EQ(told[2].done, 0.25);
  ASSERT_TRUE(run(false, hooks));
  EXPECT_EQ(told.size(), 3u);
  const std::vector<std::pair<std::string, bool>> expected = {
      {"one", false}, {"two", false}, {"one", true}, {"two", true}};
  EXPECT_EQ(steps, expected);
}

TEST_F(Studies, GarbageIsAnErrorUntilTheyBeginAnew) {
  ASSERT_TRUE(run(false));
  ASSERT_TRUE(write_file_atomically(path("study/journal.json"), "{\"sch"));
  EXPECT_FALSE(run(false));
  EXPECT_EQ(run(true).value(), 2);
}

// A training of a study, small enough for a moment.
class TrainedStudies : public StudyFolder {
 protected:
  Result<TrainedNetwork> train(StudyHooks hooks = {}, bool fresh = false) {
    ThreadPool pool(1);
    auto recipe = learn::find_recipe(
        "fanorona-quick", {"epochs=2", "data.generate.count=300", R"(evaluation.sets=["test"])"});
    if (!recipe) return std::move(recipe).error();
    StudyOptions options{path("study"), store(), fresh};
    options.command = "damier reproduce x";
    auto study = Study::open(std::move(options), std::move(hooks), pool);
    if (!study) return std::move(study).error();
    TrainedNetwork network, again;
    study->train("train", *recipe, Seed{3}, network);
    study->train("train the same", *recipe, Seed{3}, again);
    if (auto status = study->run(); !status) return std::move(status).error();
    EXPECT_EQ(again.run, network.run);
    return network;
  }
  std::vector<damier::Run> runs() const {
    return Store::open(store()).value().runs("train").value();
  }
};

TEST_F(TrainedStudies, TrainingsAreRunsOfTheStoreAndLeaveModels) {
  const auto network = train();
  ASSERT_TRUE(network) << network.error().text();
  ASSERT_EQ(runs().size(), 1u);
  const damier::Run run = runs().front();
  EXPECT_EQ(run.name, network->run);
  EXPECT_EQ(run.status, RunStatus::done);
  EXPECT_EQ(run.seed, Seed{3});
  EXPECT_EQ(run.request.game, "fanorona");
  EXPECT_EQ(text_in(run.request.config, "command"), "damier reproduce x");
  EXPECT_TRUE(std::filesystem::exists(network->model));
  EXPECT_EQ(network->epochs, 2);
  EXPECT_EQ(network->curve("training_loss").size(), 2u);
  EXPECT_GT(network->parameters, 1000u);
  EXPECT_GT(network->metric("test", "value_kept").n, 10);
  EXPECT_EQ(network->metric("test", "value_kept").kind, EstimateKind::share);
  EXPECT_EQ(network->metric("test", "nothing").n, 0);
}

TEST_F(TrainedStudies, AreNotDoneTwiceUnlessTheModelIsGoneOrTheStudyBeginsAnew) {
  const auto first = train();
  ASSERT_TRUE(first) << first.error().text();
  EXPECT_EQ(train().value().run, first->run);
  std::filesystem::remove(first->model);
  const auto second = train();
  ASSERT_TRUE(second);
  EXPECT_NE(second->run, first->run);
  const auto fresh = train({}, true);
  ASSERT_TRUE(fresh);
  EXPECT_NE(fresh->run, second->run);
  EXPECT_EQ(runs().size(), 3u);
  EXPECT_EQ(read_file(fresh->model, kMaxBytes).value(),
            read_file(second->model, kMaxBytes).value());
}

TEST_F(TrainedStudies, StoppedTheyGoOnAsTheSameRun) {
  int asked = 0;
  StudyHooks hooks;
  hooks.stop = [&] { return ++asked > 5; };
  const auto stopped = train(hooks);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, interruption().message);
  ASSERT_EQ(runs().size(), 1u);
  EXPECT_EQ(runs().front().status, RunStatus::stopped);
  const auto network = train();
  ASSERT_TRUE(network) << network.error().text();
  EXPECT_EQ(runs().size(), 1u);
  const auto whole = train({}, true);
  EXPECT_EQ(read_file(network->model, kMaxBytes).value(),
            read_file(whole.value().model, kMaxBytes).value());
}

}  // namespace
}  // namespace damier::lab
