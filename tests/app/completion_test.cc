// The tab key: what the program offers, and that each shell offers it to a person.

#include <algorithm>
#include <filesystem>

#include "tests/app/stored_program.h"

#include "damier/base/files/files.h"
#include "damier/base/text/text.h"
#include "damier/store/store.h"

namespace damier::app {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class Completion : public StoredProgram {
 protected:
  // What can stand in the place of the last word.
  Words offered(Words words) const {
    words.insert(words.begin(), "complete");
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    Words candidates;
    for (const auto line : split(ran.out, '\n')) {
      if (!line.empty()) candidates.emplace_back(line.substr(0, line.find('\t')));
    }
    return candidates;
  }
  void offers(const Words& words, const Words& expected) const {
    const Words all = offered(words);
    for (const std::string& one : expected) {
      EXPECT_NE(std::find(all.begin(), all.end(), one), all.end())
          << one << " after " << join(words, " ") << "\namong " << join(all, " ");
    }
  }

  // A folder with the program in it, to be called as in a clone; for a PATH, too.
  std::string program_folder(const std::string& name = "damier") const {
    fs::create_directories(path("bin"));
    fs::create_symlink(DAMIER_PROGRAM, path("bin/" + name));
    return path("bin");
  }
  Environment shell_environment(const std::string& folder) const {
    Environment all = environment();
    all.emplace_back("PATH", folder + ":" + std::string(std::getenv("PATH")));
    all.emplace_back("HOME", path("home"));
    fs::create_directories(path("home"));
    return all;
  }
};

TEST_F(Completion, KnowsWhatEveryKindOfArgumentCanBe) {
  offers({""}, {"play", "train", "help", "--version"});
  EXPECT_EQ(offered({"tourn"}), Words{"tournament"});
  EXPECT_EQ(offered({"play", "fan"}), Words{"fanorona"});
  offers({"play", "minesweeper", ""}, {"beginner", "expert"});
  offers({"play", "bremen", "--as", ""}, {"blue", "both"});
  offers({"play", "bremen", "--vs", ""}, {"random", "uct", "uct:", "minimax:", "net", "net:"});
  offers({"match", "bremen", "uct:10", ""}, {"random", "minimax:"});
  offers({"match", "bremen", "uct:10,"}, {"uct:10,c=", "uct:10,name="});
  offers({"tournament", "bremen", "random", "first", ""}, {"flat:"});
  EXPECT_EQ(offered({"tournament", "bremen", "random", "first", "perf"}), Words{})
      << "what that game does not have";
  offers({"match", "fanorona", "net:"}, {"net:fanorona"});
  offers({"play", "bremen", "--rules", "winner=mover,"}, {"winner=mover,retreat="});
  offers({"inspect", ""}, {"fanorona", "minesweeper", ":files"});
  offers({"train", ""}, {"fanorona-quick", "bremen", ":files"});
  offers({"generate", "minesweeper"}, {"minesweeper", "minesweeper-patch"});
  offers({"reproduce", ""}, {"fanorona", "minesweeper", "domineering"});
  offers({"bench", ""}, {"games", "nn"});
  offers({"bench", "nn", "--peer", ""}, {"pytorch"});
  offers({"bench", "self-play", "--game", ""}, {"bremen", "fanorona"});
  offers({"help", "pl"}, {"play", "players"});
  offers({"completion", ""}, {"bash", "zsh", "fish"});
  offers({"play", "chess", "--lang", ""}, {"en", "fr"});
  EXPECT_EQ(offered({"play", "chess", "--lang=f"}), Words{"--lang=fr"});
  EXPECT_EQ(offered({"data", ""}), Words{":files"});
  EXPECT_EQ(offered({"eval", "x.safetensors", "--data", ""}), Words{":files"});
  EXPECT_EQ(offered({"play", "fanorona", "--pos"}), Words{"--position"});
  EXPECT_EQ(offered({"play", "fanorona", "--seed", ""}), Words{}) << "a number";
  EXPECT_EQ(offered({"--json", "perft", "dom"}), Words{"domineering"});
}

TEST_F(Completion, KnowsTheRunsAndWhatWasTrained) {
  EXPECT_EQ(offered({"runs", "show", ""}), Words{});
  EXPECT_FALSE(fs::exists(path("runs.db"))) << "looking makes no store";
  ASSERT_EQ(run({"train", "fanorona-quick", "--set", "epochs=1", "--seed", "1"}).code, 0);
  const auto runs = Store::open(path("runs.db")).value().runs();
  ASSERT_EQ(runs->size(), 1u);
  const std::string name = runs->front().name;
  EXPECT_EQ(offered({"runs", "show", ""}), Words{name});
  EXPECT_EQ(offered({"train", "--resume", name.substr(0, 3)}), Words{name});
  offers({"report", ""}, {name, "fanorona", ":files"});
  const std::string model = path("state/damier/runs/" + name + "/model.safetensors");
  offers({"eval", ""}, {model});
  offers({"match", "fanorona", "net:"}, {"net:" + model});
  offers({"match", "fanorona", "net:" + path("state/")}, {"net:" + path("state/damier/")});
}

TEST_F(Completion, WorksInBash) {
  const std::string folder = program_folder();
  const auto replies = [&](const std::string& words, int current) {
    return run_command({"bash", "-c",
                        "source <(damier completion bash); COMP_WORDS=(" + words +
                            "); COMP_CWORD=" + std::to_string(current) +
                            "; _damier; echo \"${COMPREPLY[*]}\"; complete -p damier"},
                       "", shell_environment(folder));
  };
  const std::string registered = "complete -F _damier damier\n";
  EXPECT_EQ(replies("damier play fan", 2).out, "fanorona\n" + registered);
  EXPECT_EQ(replies(path("bin/damier") + " play fan", 2).out, "fanorona\n" + registered);
  // Bash takes words apart at colons and equals signs, and keeps what stands before.
  EXPECT_EQ(replies("damier match fanorona net : fanorona-h", 5).out,
            "fanorona-held-out\n" + registered);
  EXPECT_EQ(replies("damier play chess --lang = f", 5).out, "fr\n" + registered);
  EXPECT_EQ(replies("damier match bremen uct : 10,na", 5).out, "10,name=\n" + registered);
  ASSERT_TRUE(write_file_atomically(path("bin/rows.data"), "x"));
  EXPECT_EQ(replies("damier data " + path("bin/ro"), 2).out, path("bin/rows.data\n") + registered);
}

TEST_F(Completion, WorksInFish) {
  if (run_command({"fish", "--version"}).code != 0) GTEST_SKIP() << "fish is missing";
  const std::string folder = program_folder();
  const auto offered_for = [&](const std::string& line) {
    return run_command(
               {"fish", "-c",
                "cd " + folder + "; damier completion fish | source; complete -C '" + line + "'"},
               "", shell_environment(folder))
        .out;
  };
  EXPECT_EQ(offered_for("damier play fan"), "fanorona\tFanoron-telo\n");
  EXPECT_EQ(offered_for("./damier play fan"), "fanorona\tFanoron-telo\n");
  EXPECT_NE(offered_for("damier match fanorona net:").find("net:fanorona\t"), std::string::npos);
  ASSERT_TRUE(write_file_atomically(path("bin/rows.data"), "x"));
  EXPECT_NE(offered_for("damier data ro").find("rows.data"), std::string::npos);
}

// On a terminal: zsh completes nowhere else.
TEST_F(Completion, WorksInZsh) {
  if (run_command({"zsh", "--version"}).code != 0) GTEST_SKIP() << "zsh is missing";
  const std::string folder = program_folder();
  Environment all = shell_environment(folder);
  all.emplace_back("TERM", "dumb");
  OnTerminal shell({"zsh", "-f", "-i"}, all);
  // What is typed is seen, too: the answers are what was not typed.
  shell.type("cd " + folder + "; PS1='re''ady> '; autoload -Uz compinit; compinit -D -u\n");
  shell.type("source <(damier completion zsh); print lo''aded\n");
  ASSERT_TRUE(shell.wait_for("loaded")) << shell.seen();
  ASSERT_TRUE(shell.wait_for("ready> ")) << shell.seen();
  shell.type("damier perft fan\t");
  EXPECT_TRUE(shell.wait_for("orona ")) << shell.seen();
  shell.type("1\n");
  EXPECT_TRUE(shell.wait_for("\n5\r\n")) << "the line is as it was completed\n" << shell.seen();
  ASSERT_TRUE(shell.wait_for("ready> "));
  shell.type("./damier match fanorona net:fanorona-h\t");
  EXPECT_TRUE(shell.wait_for("eld-out ")) << shell.seen();
  shell.type(
      "\x15"
      "exit\n");
  EXPECT_EQ(shell.wait_for_end(), 0);
}

TEST_F(Completion, AProgramOfOnesOwnHasItByItsName) {
  const std::string folder = program_folder("hexa-pawn");
  const Ran bash =
      run_command({"bash", "-c",
                   "cd " + folder +
                       "; source <(./hexa-pawn completion bash); complete -p hexa-pawn; "
                       "COMP_WORDS=(./hexa-pawn perft dom); COMP_CWORD=2; _hexa_pawn; "
                       "echo ${COMPREPLY[*]}"},
                  "", shell_environment(folder));
  EXPECT_EQ(bash.out, "complete -F _hexa_pawn hexa-pawn\ndomineering\n") << bash.err;
  for (const char* shell : {"zsh", "fish"}) {
    const Ran script = run_command({path("bin/hexa-pawn"), "completion", shell});
    EXPECT_NE(script.out.find(" hexa-pawn"), std::string::npos) << script.out;
    for (const char* mark : {"@name@", "@function@", "@path@", "{program}"}) {
      EXPECT_EQ(script.out.find(mark), std::string::npos) << script.out;
    }
  }
}

TEST_F(Completion, TheHelpSaysNothingOfTheHiddenCommand) {
  EXPECT_EQ(run({"help"}).out.find("\n  complete "), std::string::npos);
}

}  // namespace
}  // namespace damier::app
