// docs/recipes.md has every key of every recipe.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace damier {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The keys of an object of a recipe, layers and a game's own options apart, as a regular expression
// finds them.
std::set<std::string> keys_of(std::string recipe) {
  recipe = std::regex_replace(recipe, std::regex("//[^\n]*"), "");
  // What other pages explain: the network, and the options of the data.
  for (const char* part : {"\"network\": \\{", "\"generate\": \\{", "\"rules\": \\{"}) {
    std::smatch found;
    if (!std::regex_search(recipe, found, std::regex(part))) continue;
    auto at = static_cast<std::size_t>(found.position() + found.length());
    const std::size_t begin = at;
    for (int open = 1; open > 0 && at < recipe.size(); ++at) {
      open += recipe[at] == '{' ? 1 : recipe[at] == '}' ? -1 : 0;
    }
    recipe.erase(begin, at - begin);
  }
  static const std::regex kKey("\"([a-z_0-9]+)\":");
  std::set<std::string> keys;
  for (std::sregex_iterator at(recipe.begin(), recipe.end(), kKey), end; at != end; ++at) {
    keys.insert((*at)[1]);
  }
  return keys;
}

TEST(Recipes, EveryKeyIsInTheReference) {
  const fs::path root = DAMIER_SOURCE_DIR;
  const std::string page = contents(root / "docs/recipes.md");
  // Heads have names of the recipe's own.
  const std::set<std::string> heads = {"moves", "value", "policy", "distance", "wins", "bomb"};
  int recipes = 0;
  for (const auto& entry : fs::directory_iterator(root / "recipes")) {
    ++recipes;
    for (const std::string& key : keys_of(contents(entry.path()))) {
      const bool known = std::regex_search(page, std::regex("[`.\"]" + key + "[`\"]"));
      EXPECT_TRUE(known || heads.contains(key)) << key << " of " << entry.path().filename();
    }
  }
  EXPECT_GT(recipes, 20);
}

}  // namespace
}  // namespace damier
