// Rooms depend only on the rooms before them in the list; nn and games do not see each other.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace damier {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kRooms = {"base",  "nn",    "games", "search", "solve",
                                         "learn", "arena", "lab",   "app"};

bool may_include(const std::string& from, const std::string& to) {
  if (from == "games" && to == "nn") return false;
  const auto place = [](const std::string& room) {
    return std::find(kRooms.begin(), kRooms.end(), room) - kRooms.begin();
  };
  return place(to) <= place(from);
}

TEST(IncludeGraph, KnowsWhatIsForbidden) {
  EXPECT_TRUE(may_include("games", "base"));
  EXPECT_TRUE(may_include("games", "games"));
  EXPECT_FALSE(may_include("base", "games"));
  EXPECT_FALSE(may_include("games", "nn"));
  EXPECT_FALSE(may_include("nn", "games"));
}

TEST(IncludeGraph, RoomsSeeOnlyTheRoomsBeforeThem) {
  const fs::path source = fs::path(DAMIER_SOURCE_DIR) / "src";
  int checked = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    const auto extension = entry.path().extension();
    if (extension != ".h" && extension != ".cc") continue;
    const std::string room = fs::relative(entry.path(), source).begin()->string();
    EXPECT_NE(std::find(kRooms.begin(), kRooms.end(), room), kRooms.end())
        << entry.path() << " is in no known room";
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      const std::string begin = "#include \"";
      if (!line.starts_with(begin)) continue;
      const std::string path = line.substr(begin.size(), line.rfind('"') - begin.size());
      if (path.starts_with("bench/")) {
        EXPECT_EQ(room, "app") << entry.path() << " includes " << path;
        continue;
      }
      ASSERT_TRUE(path.starts_with("damier/"))
          << entry.path() << " includes " << path << "; write it as damier/ROOM/FILE.h";
      const std::string target = path.substr(7, path.find('/', 7) - 7);
      EXPECT_TRUE(may_include(room, target))
          << entry.path() << " in room " << room << " includes " << path;
      ++checked;
    }
  }
  EXPECT_GT(checked, 50);
}

}  // namespace
}  // namespace damier
