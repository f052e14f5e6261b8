// One concept has one name, and sentences are plain: the words that lost are found nowhere in
// comments, help, errors and documents. CONTRIBUTING.md has the glossary.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace damier {
namespace {

namespace fs = std::filesystem;

struct Replacement {
  const char* loser;  // a pattern of whole words
  const char* say;
};

const std::vector<Replacement> kReplacements = {
    // One name a concept.
    {"labell?ers?", "teacher"},
    {"scorers?", "teacher"},
    {"shel(f|ves) of players", "cache"},
    {"fsck", "verify"},
    // Plain sentences.
    {"whoever", "who, the caller, the player that"},
    {"nobody need", "no … is needed"},
    {"lest", "so that … not"},
    {"so many", "a number: N, this many, the number of"},
    {"how manieth", "the position of"},
    {"by lot", "at random"},
    {"none the less", "anyway"},
    {"whom", "that, which"},
    {"goes? on (with|from|where)|gone on with|going on with", "continue"},
    {"begins? anew", "start over"},
    {"made right", "corrected"},
};

std::string contents(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> texts() {
  const fs::path root = DAMIER_SOURCE_DIR;
  std::vector<fs::path> files = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const char* folder : {"src", "bench", "docs", "examples", "recipes", "experiments"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const auto ending = entry.path().extension();
      for (const char* known : {".h", ".cc", ".in", ".md", ".json"}) {
        if (ending == known) files.push_back(entry.path());
      }
    }
  }
  return files;
}

TEST(Words, OneNameAConceptAndPlainSentences) {
  const auto files = texts();
  EXPECT_GT(files.size(), 400u);
  std::string all = "(^|[^A-Za-z_])(";
  for (const Replacement& each : kReplacements) all += std::string(all.ends_with('(') ? "" : "|") + each.loser;
  const std::regex any(all + ")(?![A-Za-z_])", std::regex::icase);
  for (const fs::path& file : files) {
    if (file.filename() == "CONTRIBUTING.md") continue;  // the glossary names what is not said
    std::ifstream in(file);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      std::smatch found;
      if (!std::regex_search(line, found, any)) continue;
      for (const Replacement& each : kReplacements) {
        if (!std::regex_match(found[2].str(), std::regex(each.loser, std::regex::icase))) continue;
        ADD_FAILURE() << fs::relative(file, DAMIER_SOURCE_DIR).string() << ":" << number << ": "
                      << found[2] << "; say: " << each.say;
      }
    }
  }
}

}  // namespace
}  // namespace damier
