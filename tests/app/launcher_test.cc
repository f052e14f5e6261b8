// ./damier and ./test themselves, and what the documents repeat of the program.

#include <filesystem>

#include "tests/app/program.h"
#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files/files.h"

namespace damier::app {
namespace {

namespace fs = std::filesystem;

// A folder with the launcher but without a build, and a PATH with these commands alone.
class LauncherTest : public ::testing::Test {
 protected:
  LauncherTest() : root_(folder_.path() / "damier"), bin_(folder_.path() / "bin") {
    const fs::path source = DAMIER_SOURCE_DIR;
    fs::create_directories(root_ / "cmake");
    fs::create_directories(bin_);
    for (const char* file : {"damier", "test", "packages.txt", "cmake/launch.sh"}) {
      fs::copy_file(source / file, root_ / file);
    }
    for (const char* command : {"bash", "env", "readlink", "dirname", "sed", "awk", "cat", "id",
                                "mkdir", "touch", "tail", "flock", "rm"}) {
      for (const char* place : {"/usr/bin", "/bin"}) {
        if (fs::exists(fs::path(place) / command) && !fs::exists(bin_ / command)) {
          fs::create_symlink(fs::path(place) / command, bin_ / command);
        }
      }
    }
  }

  void add_command(const std::string& name, const std::string& script) {
    ASSERT_TRUE(write_file_atomically(bin_ / name, "#!/bin/bash\n" + script + "\n"));
    fs::permissions(bin_ / name, fs::perms::all);
  }

  Ran launch(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), (root_ / "damier").string());
    return run_command(arguments, "", {{"PATH", bin_.string()}});
  }

  TemporaryFolder folder_;
  fs::path root_;
  fs::path bin_;
};

TEST_F(LauncherTest, WithoutAptItListsWhatIsNeededAndStops) {
  const Ran ran = launch({"games"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("this system has no apt"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("\n  libfmt-dev\n"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("clang"), std::string::npos) << "optional packages are not asked for";
}

TEST_F(LauncherTest, MissingPackagesAreInstalledAndSaid) {
  const std::string log = folder_.path() / "log";
  // Here g++ alone is missing; the build ends early, for want of cmake.
  add_command("dpkg-query", "[ \"${!#}\" = g++ ] || printf 'install ok installed'");
  add_command("apt-get", "echo \"$@\" >>" + log);
  add_command("id", "echo 0");
  const Ran ran = launch({"games"});
  EXPECT_NE(ran.err.find("damier: installing with apt-get: g++\n"), std::string::npos) << ran.err;
  EXPECT_EQ(contents(log), "update -qq\ninstall -y -qq --no-install-recommends g++\n");
}

TEST_F(LauncherTest, AFailedInstallStopsWithAMessage) {
  add_command("dpkg-query", "exit 1");
  add_command("apt-get", "echo 'no network' >&2; exit 100");
  add_command("id", "echo 0");
  const Ran ran = launch({"games"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("the packages could not be installed"), std::string::npos) << ran.err;
}

// Packages, CMake and Ninja that do as the real ones, with a program that says hello.
class BuiltLauncherTest : public LauncherTest {
 protected:
  BuiltLauncherTest() {
    add_command("apt-get", "exit 1");
    add_command("dpkg-query", "printf 'install ok installed'");
    add_command(
        "cmake",
        "echo cmake >>../log; mkdir -p build/release/src/app; touch build/release/build.ninja\n"
        "echo \"CMAKE_HOME_DIRECTORY:INTERNAL=$PWD\" >build/release/CMakeCache.txt\n"
        "printf '#!/bin/bash\necho hello\n' >build/release/src/app/damier\n"
        "chmod +x build/release/src/app/damier");
    add_command("ninja",
                "if [ \"$3\" = -n ]; then [ -f \"$2/built\" ] && echo 'ninja: no work to do.'\n"
                "else echo ninja >>\"$2/../../../log\"; touch \"$2/built\"; fi; true");
    fs::create_symlink("/bin/chmod", bin_ / "chmod");
  }
  std::string log() const { return contents((folder_.path() / "log").string()); }
};

TEST_F(BuiltLauncherTest, WhenNothingChangedItIsSilent) {
  const Ran first = launch({"games"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.out, "hello\n");
  EXPECT_NE(first.err.find("damier: building what has changed"), std::string::npos) << first.err;
  const Ran again = launch({"games"});
  EXPECT_EQ(again.out, "hello\n");
  EXPECT_EQ(again.err, "");
  EXPECT_EQ(log(), "cmake\nninja\n");
}

TEST_F(BuiltLauncherTest, TheBenchmarksAreBuiltWhenTheyAreAskedFor) {
  add_command("ninja", "log=$2/../../../log; shift 2; [ \"$1\" = -n ] || echo \"$@\" >>\"$log\"");
  EXPECT_EQ(launch({"games"}).out, "hello\n");
  EXPECT_EQ(launch({"bench", "games"}).out, "hello\n");
  EXPECT_EQ(log(), "cmake\ndamier_program\ndamier_program damier_bench\n");
}

TEST_F(BuiltLauncherTest, AMovedCloneBuildsTheSourcesOfItsNewPlace) {
  ASSERT_EQ(launch({"games"}).code, 0);
  fs::rename(root_, folder_.path() / "moved");
  root_ = folder_.path() / "moved";
  const Ran moved = launch({"games"});
  EXPECT_EQ(moved.out, "hello\n");
  EXPECT_NE(moved.err.find("configured in another place"), std::string::npos) << moved.err;
  EXPECT_EQ(log(), "cmake\nninja\ncmake\nninja\n");
  EXPECT_EQ(launch({"games"}).err, "");
}

TEST_F(BuiltLauncherTest, TheTabKeyBuildsNothing) {
  const Ran before = launch({"complete", "pl"});
  EXPECT_EQ(before.code, 0);
  EXPECT_EQ(before.out + before.err, "");
  EXPECT_FALSE(fs::exists(folder_.path() / "log"));
  ASSERT_EQ(launch({"games"}).code, 0);
  EXPECT_EQ(launch({"complete", "pl"}).out, "hello\n") << "what is built answers";
  EXPECT_EQ(log(), "cmake\nninja\n");
}

// Hints of the program can be typed again.
TEST_F(BuiltLauncherTest, TheProgramLearnsWhatWasTyped) {
  ASSERT_EQ(launch({"games"}).code, 0);
  const fs::path program = root_ / "build/release/src/app/damier";
  fs::remove(program);
  fs::create_symlink("/bin/bash", program);  // whose $0 is what it was started as
  const auto typed = [&](const std::string& line, const std::string& path) {
    return run_command({"bash", "-c", "cd " + root_.string() + "; " + line + " -c 'echo $0'"}, "",
                       {{"PATH", path}})
        .out;
  };
  const std::string path = bin_.string();
  EXPECT_EQ(typed("./damier", path), "./damier\n");
  EXPECT_EQ(typed("../damier/damier", path), "../damier/damier\n");
  EXPECT_EQ(typed((root_ / "damier").string(), path), (root_ / "damier").string() + "\n");
  fs::create_symlink(root_ / "damier", bin_ / "damier");
  EXPECT_EQ(typed("damier", path), "damier\n");
}

// A glob that CMake looks at again in every build would leave Ninja work to do for ever.
TEST(Launcher, ABuildThatIsDoneLeavesNoWork) {
  EXPECT_TRUE(fs::exists(fs::path(DAMIER_BUILD_DIR) / "CMakeCache.txt"));
  EXPECT_FALSE(fs::exists(fs::path(DAMIER_BUILD_DIR) / "CMakeFiles/VerifyGlobs.cmake"));
}

TEST(Documents, ThePageOfStrengthsHoldsTheTablesOfTheProgram) {
  const std::string page = contents(DAMIER_SOURCE_DIR "/docs/strength.md");
  const std::string tables = damier({"strength", "--markdown"}).out;
  EXPECT_NE(page.find(tables.substr(0, tables.find_last_not_of('\n') + 1)), std::string::npos)
      << "docs/strength.md is not what `damier strength --markdown` prints:\n"
      << tables;
}

TEST_F(LauncherTest, TestRefusesUnknownPresets) {
  const Ran ran =
      run_command({(root_ / "test").string(), "--preset", "fast"}, "", {{"PATH", bin_.string()}});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "damier: unknown preset 'fast'; expected release, debug, asan or tsan\n");
}

}  // namespace
}  // namespace damier::app
