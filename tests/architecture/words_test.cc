// One concept has one name, and sentences are plain: the words that lost are found nowhere in
// comments, help, errors and documents. CONTRIBUTING.md has the glossary.

#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace damier {
namespace {

namespace fs = std::filesystem;

struct Replacement {
  std::string_view loser, say;
  bool everywhere = true;  // otherwise in documents and recipes alone
};

const std::vector<Replacement> kReplacements = {
    // One name a concept.
    {"labeller", "teacher"},
    {"labeler", "teacher"},
    {"scorer", "teacher", false},
    // Plain sentences.
    {"whoever", "who, the caller, the player that", false},
    {"whom", "that, which"},
    {"lest", "so that … not"},
    {"so many", "N, this many, the number of", false},
    {"how manieth", "the position of"},
    {"by lot", "at random", false},
    {"none the less", "anyway"},
    {"nobody need", "no … is needed"},
    {"go on with", "continue"},
    {"goes on with", "continues"},
    {"gone on with", "continued"},
    {"begin anew", "start over"},
    {"begins anew", "starts over"},
};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// `words` in `text`, not as a part of longer ones.
bool says(std::string_view text, std::string_view words) {
  for (auto at = text.find(words); at != text.npos; at = text.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) {
      return true;
    }
  }
  return false;
}

std::vector<fs::path> texts() {
  const fs::path root = DAMIER_SOURCE_DIR;
  std::vector<fs::path> files = {root / "README.md"};
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
  for (const fs::path& file : files) {
    const auto ending = file.extension();
    const bool is_code = ending != ".md" && ending != ".json";
    std::ifstream in(file);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      for (char& c : line) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      for (const Replacement& each : kReplacements) {
        EXPECT_FALSE((each.everywhere || !is_code) && says(line, each.loser))
            << fs::relative(file, DAMIER_SOURCE_DIR).string() << ":" << number << ": " << each.loser
            << "; say: " << each.say;
      }
    }
  }
}

}  // namespace
}  // namespace damier
