// reproduce and report as a user runs them.

#include "tests/app/stored_program.h"
#include "tests/report/sound_page.h"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "damier/base/files/files.h"
#include "damier/base/json/json.h"
#include "damier/store/store.h"

namespace damier::app {
namespace {

class ReproduceCommands : public StoredProgram {
 protected:
  std::string page(const std::string& name) const { return contents(path(name)); }
};

using SlowReproduceCommands = ReproduceCommands;

TEST_F(ReproduceCommands, ListsTheExperiments) {
  const Ran listed = run({"reproduce"});
  ASSERT_EQ(listed.code, 0) << listed.err;
  for (const char* text : {"fanorona", "Ramaroson", "not given", "on two cores", "--quick"}) {
    EXPECT_NE(listed.out.find(text), std::string::npos) << text;
  }
  const Json json = parse_json(run({"reproduce", "--json"}).out, "output").value();
  EXPECT_EQ(json["schema"], "damier/experiments/1");
  EXPECT_EQ(json["experiments"][0]["name"], "fanorona");
  EXPECT_EQ(json["experiments"][0]["published"][0]["value"], nullptr);
  EXPECT_GT(json["experiments"][0]["seconds"]["full"], 0);
}

TEST_F(ReproduceCommands, WrongInputGetsOneLineBeforeTheWork) {
  const Ran unknown = run({"reproduce", "fanorna"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(unknown.err.starts_with(
      "damier: unknown experiment 'fanorna'; did you mean 'fanorona'? (known: fanorona"))
      << unknown.err;
  const std::string nowhere = path("none/report.html");
  refused({"reproduce", "fanorona", "-o", nowhere},
          nowhere + ": cannot be written: No such file or directory");
  refused({"reproduce", "fanorona", "-o", path("")},
          path("") + ": is a folder; expected the name of a file");
  refused({"reproduce", "--quick"},
          "reproduce: which experiment? `damier reproduce` alone lists them");
  EXPECT_EQ(run({"reproduce", "fanorona", "--seed", "x"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(path("state")));
}

TEST_F(ReproduceCommands, AnInterruptTellsHowToGoOn) {
  WatchedProgram study = start({"reproduce", "fanorona", "--seed", "3", "-o", path("r.html")});
  ASSERT_TRUE(study.wait_for("seed 3; ")) << study.seen();
  study.send(SIGINT);
  EXPECT_EQ(study.wait_for_end(), 130);
  EXPECT_EQ(
      last_line(study.seen()),
      fmt::format("damier: interrupted; finished steps are kept: continue with `damier reproduce "
                  "fanorona --seed 3 -o {}`",
                  path("r.html")));
  EXPECT_FALSE(std::filesystem::exists(path("r.html")));
  EXPECT_TRUE(std::filesystem::exists(path("state/damier/experiments/fanorona-3")));
}

TEST_F(ReproduceCommands, AJournalOfGarbageIsAnError) {
  const std::string folder = path("state/damier/experiments/fanorona-quick-1");
  std::filesystem::create_directories(folder);
  const std::string journal = folder + "/journal.json";
  ASSERT_TRUE(write_file_atomically(journal, "garbage"));
  refused({"reproduce", "fanorona", "--quick", "-o", path("r.html")},
          journal + ": is not a journal of a study (it is not JSON); --fresh starts over");
}

// Stopped after each of its first steps, then done to the end, then read again from its journal.
TEST_F(SlowReproduceCommands, QuickFanoronaEndsWithAPage) {
  const std::vector<std::string> command = {"reproduce", "fanorona", "--quick", "-o",
                                            path("r.html")};
  for (int steps = 1; steps <= 3; ++steps) {
    WatchedProgram part = start(command);
    ASSERT_TRUE(part.wait_for(": done\n")) << part.seen();
    part.send(SIGINT);
    EXPECT_EQ(part.wait_for_end(), 130) << part.seen();
  }
  const Ran ran = run(command);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("train fanorona-report: done before"), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("Our figures beside the published ones"), std::string::npos);
  report::expect_sound(page("r.html"));
  const std::string first = page("r.html");
  const Ran again = run({"reproduce", "fanorona", "--quick", "-o", path("r.html"), "--json"});
  ASSERT_EQ(again.code, 0) << again.err;
  const Json json = parse_json(again.out, "output").value();
  EXPECT_EQ(json["schema"], "damier/reproduce/1");
  EXPECT_EQ(json["rows"].size(), 9u);
  EXPECT_EQ(json["rows"][0]["verdict"], nullptr);
  EXPECT_NE(again.err.find(": done before\n"), std::string::npos) << again.err;
  EXPECT_EQ(again.err.find(": done\n"), std::string::npos) << "a step was done again";
  EXPECT_EQ(page("r.html"), first);
}

TEST_F(ReproduceCommands, ReportsARunOfEachKind) {
  ASSERT_EQ(run({"train", "fanorona-quick", "--set", "data.generate.count=2000", "-o",
                 path("m.safetensors")})
                .code,
            0);
  ASSERT_EQ(run({"match", "fanorona", "perfect", "random", "--games", "10", "--seed", "1"}).code,
            0);
  ASSERT_EQ(run({"match", "fanorona", "perfect", "minimax:3", "--games", "10", "--seed", "1"}).code,
            0);
  ASSERT_EQ(run({"tournament", "fanorona", "random", "minimax:2", "perfect", "--games", "6",
                 "--seed", "1"})
                .code,
            0);
  ASSERT_EQ(run({"eval", "solver", "minesweeper", "--games", "20", "--seed", "1"}).code, 0);
  auto store = Store::open(path("runs.db")).value();
  std::size_t pages = 0;
  const auto runs = store.runs().value();
  for (const damier::Run& kept : runs) {
    const Ran made = run({"report", kept.name, "-o", path("r.html")});
    ASSERT_EQ(made.code, 0) << made.err;
    const std::string html = page("r.html");
    report::expect_sound(html);
    EXPECT_NE(html.find(kept.name), std::string::npos);
    EXPECT_NE(html.find("<svg"), std::string::npos) << kept.request.kind;
    EXPECT_NE(html.find("<table"), std::string::npos) << kept.request.kind;
    ++pages;
  }
  EXPECT_EQ(pages, 5u);
  const Ran model = run({"report", path("m.safetensors"), "-o", path("r.html"), "--json"});
  ASSERT_EQ(model.code, 0) << model.err;
  EXPECT_EQ(parse_json(model.out, "output").value()["kind"], "model");
  report::expect_sound(page("r.html"));
  for (const char* text : {"recipe_hash", "dense", "How large the weights are"}) {
    EXPECT_NE(page("r.html").find(text), std::string::npos) << text;
  }
}

TEST_F(ReproduceCommands, ReportsADataSet) {
  const std::string data = path("a.data");
  ASSERT_EQ(run({"generate", "fanorona", "--count", "500", "--seed", "1", "-o", data}).code, 0);
  const Ran made = run({"report", data, "-o", path("r.html")});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.out, path("r.html") + ": Data set a.data\n");
  report::expect_sound(page("r.html"));
  EXPECT_NE(page("r.html").find("The classes of &#39;value&#39;"), std::string::npos);
  // Damaged: the checksum tells.
  std::string bytes = contents(data);
  bytes[bytes.size() - 9] = static_cast<char>(bytes[bytes.size() - 9] ^ 1);
  ASSERT_TRUE(write_file_atomically(data, bytes));
  EXPECT_EQ(run({"report", data, "-o", path("x.html")}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(path("x.html")));
}

TEST_F(ReproduceCommands, ReportTellsWhatItCannotRead) {
  refused({"report", "zzz", "-o", path("x.html")},
          "'zzz' is no file and no model, and no run is called 'zzz'");
  refused({"report", path(""), "-o", path("x.html")},
          path("") + ": is a folder; expected a run, a data set or a model");
  ASSERT_TRUE(write_file_atomically(path("text"), "hello"));
  const Ran text = run({"report", path("text"), "-o", path("x.html")});
  EXPECT_EQ(text.code, 2);
  EXPECT_TRUE(text.err.starts_with(
      fmt::format("damier: {}: is neither a data set nor a model: ", path("text"))))
      << text.err;
  refused({"report", path("text"), "-o", path("none/x.html")},
          path("none/x.html") + ": cannot be written: No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(path("x.html")));
}

}  // namespace
}  // namespace damier::app
