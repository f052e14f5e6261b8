// Rooms depend only on the rooms before them in the list, and inside a room generic files know no
// game: one file a room registers the games.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "damier/games/registry.h"

namespace damier {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kRooms = {"base",  "store", "nn",   "games",  "search",
                                         "exact", "model", "play", "learn",  "report",
                                         "pages", "lab",   "app",  "testing"};

// The files that may include the folders of games: where a game is entered, and taken out.
const std::set<std::string> kRegisters = {"games/builtin.h", "learn/tasks.cc", "lab/experiment.cc"};

const fs::path& root() {
  static const fs::path kRoot = DAMIER_SOURCE_DIR;
  return kRoot;
}

// A game is what has a folder among the rules.
const std::set<std::string>& game_folders() {
  static const std::set<std::string> kGames = [] {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(root() / "src/games")) {
      if (entry.is_directory()) names.insert(entry.path().filename().string());
    }
    return names;
  }();
  return kGames;
}

// "play/minesweeper/network.h" is in the room learn and belongs to the game minesweeper.
struct Place {
  std::string room;
  std::string game;  // empty for generic files
};

Place place_of(const std::string& path) {
  std::vector<std::string> parts;
  for (const auto& part : fs::path(path)) parts.push_back(part.string());
  Place place{parts.front(), ""};
  if (parts.size() > 2 && game_folders().count(parts[1]) > 0) place.game = parts[1];
  return place;
}

bool may_see(const std::string& from, const std::string& to) {
  const auto number = [](const std::string& room) {
    return std::find(kRooms.begin(), kRooms.end(), room) - kRooms.begin();
  };
  if (from == to || to == "base") return true;
  if (from == "report" || from == "nn" || from == "games" || from == "store") return false;
  return number(to) < number(from);
}

// What is wrong with this line in a file of src/, if anything.
std::optional<std::string> error(const std::string& file, const std::string& included) {
  const Place from = place_of(file);
  if (included.starts_with("bench/")) {
    if (from.room == "app" && included == "bench/suites.h") return std::nullopt;
    return "the program knows only which benchmarks there are";
  }
  const std::string prefix = "damier/";
  if (!included.starts_with(prefix)) return "expected damier/ROOM/FILE.h";
  const Place to = place_of(included.substr(prefix.size()));
  if (!may_see(from.room, to.room)) return "the room " + from.room + " does not see " + to.room;
  if (to.game.empty() || to.game == from.game || kRegisters.count(file) > 0) return std::nullopt;
  return from.game.empty() ? "a generic file includes the folder of a game"
                           : "a game includes the folder of another one";
}

// The headers of ours that a text includes: in quotes, or in brackets below damier/ or bench/.
std::vector<std::string> includes_in(std::istream& text) {
  static const std::regex kInclude(
      R"re(^\s*#\s*include\s*(?:"([^"]+)"|<((?:damier|bench)/[^>]+)>).*)re");
  std::vector<std::string> found;
  std::smatch match;
  for (std::string line; std::getline(text, line);) {
    if (!std::regex_match(line, match, kInclude)) continue;
    found.push_back(match[1].matched ? match[1].str() : match[2].str());
  }
  return found;
}

bool is_source(const fs::path& path) {
  const auto extension = path.extension();
  return extension == ".h" || extension == ".cc" || extension == ".in";
}

// Calls use(path below `folder`, header) for every include.
template <class Use>
void for_each_include(const std::string& folder, const Use& use) {
  for (const auto& entry : fs::recursive_directory_iterator(root() / folder)) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    std::ifstream file(entry.path());
    for (const std::string& header : includes_in(file)) {
      use(fs::relative(entry.path(), root() / folder).string(), header);
    }
  }
}

TEST(IncludeGraph, KnowsWhatIsForbidden) {
  EXPECT_FALSE(error("games/perft.h", "damier/base/result.h"));
  EXPECT_FALSE(error("games/perft.h", "damier/games/game.h"));
  EXPECT_FALSE(error("learn/task.h", "damier/nn/spec.h"));
  EXPECT_FALSE(error("app/commands/bench.cc", "bench/suites.h"));
  EXPECT_TRUE(error("app/commands/bench.cc", "bench/suite.h"));
  EXPECT_TRUE(error("base/json/json.h", "damier/games/game.h"));
  EXPECT_TRUE(error("games/perft.h", "damier/nn/spec.h"));
  EXPECT_TRUE(error("games/perft.h", "damier/report/page.h"));
  EXPECT_TRUE(error("nn/spec.h", "damier/games/game.h"));
  EXPECT_TRUE(error("report/page.h", "damier/nn/spec.h"));
  EXPECT_TRUE(error("play/contest/contest.h", "damier/lab/study.h"));
  EXPECT_TRUE(error("lab/study.h", "bench/games.h"));
  EXPECT_TRUE(error("lab/study.h", "study.h"));
}

TEST(IncludeGraph, KnowsWhatBelongsToAGame) {
  EXPECT_FALSE(error("learn/chess/task.cc", "damier/games/chess/chess.h"));
  EXPECT_FALSE(error("learn/chess/task.cc", "damier/learn/task.h"));
  EXPECT_FALSE(error("games/builtin.h", "damier/games/chess/chess.h"));
  EXPECT_TRUE(error("learn/task.cc", "damier/games/chess/chess.h"));
  EXPECT_TRUE(error("learn/train/learner.cc", "damier/learn/chess/task.h"));
  EXPECT_TRUE(error("learn/chess/task.cc", "damier/games/bremen/bremen.h"));
}

TEST(IncludeGraph, SeesEveryWayToWriteAnInclude) {
  std::istringstream text(R"(
#include "damier/base/a.h"
  #include <damier/base/b.h>
#  include  "c.h"  // why
// #include "damier/base/not.h"
#include <vector>
#include <bench/d.h>
)");
  EXPECT_EQ(includes_in(text),
            (std::vector<std::string>{"damier/base/a.h", "damier/base/b.h", "c.h", "bench/d.h"}));
}

TEST(IncludeGraph, RoomsSeeOnlyTheRoomsBeforeThemAndGenericFilesNoGame) {
  int checked = 0;
  for_each_include("src", [&](const std::string& file, const std::string& header) {
    const auto wrong = error(file, header);
    EXPECT_FALSE(wrong) << "src/" << file << " includes " << header << ": " << *wrong;
    ++checked;
  });
  EXPECT_GT(checked, 500);
  for (const auto& entry : fs::directory_iterator(root() / "src")) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(!entry.is_directory() ||
                std::find(kRooms.begin(), kRooms.end(), name) != kRooms.end())
        << name << " is no known room";
  }
}

TEST(IncludeGraph, BenchmarksSeeEverythingButTheProgram) {
  int checked = 0;
  for_each_include("bench", [&](const std::string& file, const std::string& header) {
    EXPECT_TRUE(file == "main.cc" || !header.starts_with("damier/app/"))
        << "bench/" << file << " includes " << header;
    ++checked;
  });
  EXPECT_GT(checked, 10);
}

// The build and the tests look for a game's files under its name.
TEST(IncludeGraph, EveryGameThatShipsHasTheFolderOfItsName) {
  std::set<std::string> folders;
  for (std::string name : games::builtin_games().names()) {
    std::replace(name.begin(), name.end(), '-', '_');
    folders.insert(name);
  }
  EXPECT_EQ(folders, game_folders());
}

// A file that registers nothing any more must not keep its right.
TEST(IncludeGraph, EveryRegisterNamesAGame) {
  for (const std::string& file : kRegisters) {
    std::ifstream text(root() / "src" / file);
    ASSERT_TRUE(text) << file;
    bool names_one = false;
    for (const std::string& header : includes_in(text)) {
      names_one =
          names_one || (header.starts_with("damier/") && !place_of(header.substr(7)).game.empty());
    }
    EXPECT_TRUE(names_one) << file;
  }
}

}  // namespace
}  // namespace damier
