// What hints call the program.

#include "damier/base/text/program_name.h"

#include <gtest/gtest.h>

namespace damier {
namespace {

// The name is the process's: what a test sets, it puts back.
class ProgramName : public testing::Test {
 protected:
  ~ProgramName() override { set_program_name("damier"); }
};

TEST_F(ProgramName, HintsRepeatWhatWasTyped) {
  EXPECT_EQ(program_name(), "damier");
  for (const char* typed : {"./damier", "../damier/damier", "/opt/games/hexapawn"}) {
    set_program_name(typed);
    EXPECT_EQ(program_name(), typed);
    EXPECT_EQ(with_program_name("`{program} games` and `{program} help`"),
              std::string("`") + typed + " games` and `" + typed + " help`");
  }
  EXPECT_EQ(short_program_name(), "hexapawn");
}

TEST_F(ProgramName, AShellCanReadIt) {
  set_program_name("/home/me/My games/it's damier");
  EXPECT_EQ(program_name(), R"('/home/me/My games/it'\''s damier')");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("net:my.safetensors,mcts=40"), "net:my.safetensors,mcts=40");
  EXPECT_EQ(shell_word("~/x"), "'~/x'");
}

TEST_F(ProgramName, WithoutANameItIsDamier) {
  set_program_name("");
  EXPECT_EQ(program_name(), "damier");
  set_program_name("folder/");
  EXPECT_EQ(program_name(), "damier");
}

TEST_F(ProgramName, FilesSayDamierAndReadBackAsTyped) {
  set_program_name("./damier");
  EXPECT_EQ(kept_command("train chess --seed 1"), "damier train chess --seed 1");
  EXPECT_EQ(typed_command("damier train chess --seed 1"), "./damier train chess --seed 1");
  EXPECT_EQ(typed_command("damierette"), "damierette");
  EXPECT_EQ(typed_command(""), "");
}

}  // namespace
}  // namespace damier
