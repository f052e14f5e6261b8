// Journals and studies that go on where they were, verdicts, and the list of experiments.
#include "damier/lab/experiment.h"

#include <cmath>
#include <set>

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files.h"

namespace damier::lab {
namespace {

constexpr std::size_t kMost = std::size_t{1} << 20;

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
  {
    auto journal = Journal::open(path()).value();
    EXPECT_EQ(journal.find("a", {{"n", 1}}), nullptr);
    ASSERT_TRUE(journal.keep("a", {{"n", 1}}, {{"value", 0.1}}));
    ASSERT_TRUE(journal.keep("b", {}, "text"));
  }
  const auto journal = Journal::open(path()).value();
  ASSERT_NE(journal.find("a", {{"n", 1}}), nullptr);
  EXPECT_EQ((*journal.find("a", {{"n", 1}}))["value"].get<double>(), 0.1);
  EXPECT_EQ(*journal.find("b", {}), "text");
  EXPECT_EQ(journal.size(), 2u);
}

TEST_F(Journals, KnowNothingOfAnotherConfiguration) {
  auto journal = Journal::open(path()).value();
  ASSERT_TRUE(journal.keep("a", {{"n", 1}}, 1));
  EXPECT_EQ(journal.find("a", {{"n", 2}}), nullptr);
  EXPECT_EQ(journal.find("a", {{"n", 1}, {"m", 1}}), nullptr);
  ASSERT_TRUE(journal.keep("a", {{"n", 2}}, 2));
  EXPECT_EQ(journal.find("a", {{"n", 1}}), nullptr);
  EXPECT_EQ(*journal.find("a", {{"n", 2}}), 2);
  EXPECT_EQ(journal.size(), 1u);
  ASSERT_TRUE(journal.forget("a"));
  ASSERT_TRUE(journal.forget("a"));
  EXPECT_EQ(journal.size(), 0u);
}

TEST_F(Journals, NumbersComeBackWithAllTheirBits) {
  const double third = 1.0 / 3, tiny = 4.9e-324;
  {
    auto journal = Journal::open(path()).value();
    ASSERT_TRUE(journal.keep("a", {}, {third, tiny, -0.0}));
  }
  const Json found = *Journal::open(path()).value().find("a", {});
  EXPECT_EQ(found[0].get<double>(), third);
  EXPECT_EQ(found[1].get<double>(), tiny);
  EXPECT_TRUE(std::signbit(found[2].get<double>()));
}

TEST_F(Journals, AreRefusedWhenTheyAreNotWhole) {
  {
    auto journal = Journal::open(path()).value();
    ASSERT_TRUE(journal.keep("a", {}, {{"value", 0.1}}));
  }
  const std::string whole = read_file(path(), kMost).value();
  for (const std::string& text :
       {std::string(), std::string("garbage"), whole.substr(0, whole.size() / 2), std::string("{}"),
        std::string("[1]"), std::string("\xFF\x00", 2),
        std::string(R"({"schema":"damier/journal/2","steps":[]})"),
        std::string(R"({"schema":"damier/journal/1","steps":[{"step":1}]})"),
        std::string(R"({"schema":"damier/journal/1","steps":{}})")}) {
    write(text);
    const auto opened = Journal::open(path());
    ASSERT_FALSE(opened) << text;
    EXPECT_NE(opened.error().message.find("is no journal"), std::string::npos);
    EXPECT_NE(opened.error().message.find("--fresh"), std::string::npos);
    EXPECT_EQ(read_file(path(), kMost).value(), text);
  }
}

TEST_F(Journals, BelongToOneAtATime) {
  const auto journal = Journal::open(path()).value();
  const auto second = Journal::open(path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::failure);
  EXPECT_NE(second.error().message.find("another process"), std::string::npos);
}

class Studies : public testing::Test {
 protected:
  // Two steps, the first of which counts how often it is done.
  Result<Json> run(bool fresh, StudyHooks hooks = {}, int config = 1) {
    auto study = Study::open(folder_.path() / "study", fresh, std::move(hooks));
    if (!study) return std::move(study).error();
    study->plan({{"one", 1}, {"two", 3}});
    auto one = study->step("one", {{"config", config}}, [&]() -> Result<Json> {
      study->tell(0.5, "half");
      return Json(++done_);
    });
    if (!one) return one;
    return study->step("two", {}, [&]() -> Result<Json> {
      if (study->stopped()) return Error{"anything"};
      return Json(*one);
    });
  }

  TemporaryFolder folder_;
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

TEST_F(Studies, GarbageIsAFaultUntilTheyBeginAnew) {
  ASSERT_TRUE(run(false));
  ASSERT_TRUE(write_file_atomically(folder_.path() / "study" / "journal.json", "{\"sch"));
  EXPECT_FALSE(run(false));
  EXPECT_EQ(run(true).value(), 2);
}

TEST(Verdicts, LookAtTheFigureFirstAndThenAtItsInterval) {
  const Estimate metric{0.9, {0.85, 0.95}, 100};
  EXPECT_EQ(verdict_at_least(metric, 0.9), report::Verdict::reached);
  EXPECT_EQ(verdict_at_least(metric, 0.95), report::Verdict::within);
  EXPECT_EQ(verdict_at_least(metric, 0.96), report::Verdict::missed);
  EXPECT_EQ(verdict_at_most(metric, 0.9), report::Verdict::reached);
  EXPECT_EQ(verdict_at_most(metric, 0.85), report::Verdict::within);
  EXPECT_EQ(verdict_at_most(metric, 0.84), report::Verdict::missed);
}

TEST(ComparisonTables, SayWhatWasGivenAndWhatIsAGoal) {
  const Estimate share{0.75, {0.74, 0.76}, 1000, EstimateKind::share};
  const std::vector<Comparison> rows = {
      {"plain", Yardstick::none, "", share},
      {"published", Yardstick::published, "0.77", share, verdict_at_least(share, 0.77)},
      {"goal", Yardstick::goal, "≥ 70 %", bare_estimate(EstimateKind::share, 0.75, 1000),
       report::Verdict::reached}};
  const report::Table table = comparison_table(rows);
  EXPECT_EQ(plain_text(table),
            "Our figures beside the published ones\n"
            "\n"
            "What         Published     Ours        Interval  Verdict\n"
            "─────────  ───────────  ───────  ──────────────  ─────────\n"
            "plain        not given  75.00 %  [74.00, 76.00]  not given\n"
            "published         0.77  75.00 %  [74.00, 76.00]  missed\n"
            "goal       goal ≥ 70 %  75.00 %                  reached\n"
            "\n" +
                table.note + "\n");
  const Json json = to_json(rows[1]);
  EXPECT_EQ(json["published"], "0.77");
  EXPECT_EQ(json["verdict"], "missed");
  EXPECT_EQ(to_json(rows[0])["published"], nullptr);
  EXPECT_EQ(to_json(rows[0])["verdict"], nullptr);
  EXPECT_EQ(to_json(rows[2])["interval"], nullptr);
  EXPECT_EQ(to_json(rows[2])["is_goal"], true);
}

TEST(Experiments, AreKnownByName) {
  std::set<std::string_view> names;
  for (const Experiment* experiment : experiments()) {
    EXPECT_TRUE(names.insert(experiment->name()).second) << experiment->name();
    EXPECT_EQ(find_experiment(experiment->name()).value(), experiment);
    EXPECT_FALSE(experiment->title().empty());
    EXPECT_FALSE(experiment->source().empty());
    EXPECT_FALSE(experiment->published().empty());
    EXPECT_GT(experiment->duration().full, experiment->duration().quick);
    EXPECT_LE(experiment->duration().quick, 300);
  }
  EXPECT_TRUE(names.count("fanorona"));
  const auto unknown = find_experiment("fanorna");
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(unknown.error().message.starts_with(
      "unknown experiment 'fanorna'; did you mean 'fanorona'? (known: fanorona"))
      << unknown.error().message;
}

TEST(Experiments, HaveAFolderForEachSizeAndSeed) {
  ExperimentOptions options;
  options.seed = Seed{7};
  EXPECT_EQ(experiment_folder("x", options).filename(), "x-7");
  options.quick = true;
  EXPECT_EQ(experiment_folder("x", options).filename(), "x-quick-7");
  EXPECT_EQ(experiment_folder("x", options).parent_path().filename(), "experiments");
  options.folder = "here";
  EXPECT_EQ(experiment_folder("x", options), "here");
}

TEST(AboutTexts, AreNoMoreExactThanAnEstimate) {
  EXPECT_EQ(about_text(3), "5 seconds");
  EXPECT_EQ(about_text(60), "60 seconds");
  EXPECT_EQ(about_text(130), "3 minutes");
  EXPECT_EQ(about_text(5400), "1.5 hours");
  EXPECT_EQ(about_text(7300), "2.5 hours");
}

}  // namespace
}  // namespace damier::lab
