// What can fail in ways that are easily forgotten is done in one place each: printing, starting
// threads, replacing files. And nobody but one place says what the program is called.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace damier {
namespace {

struct OnePlace {
  const char* words;  // a pattern
  const char* place;  // the file that may use them, without its ending
  const char* instead;
};

const std::vector<OnePlace> kOnePlaces = {
    {R"(fmt::print\(|std::(cout|cerr|clog|puts|printf|fprintf|perror)\b)",
     "base/text/standard_streams", "print_output() and print_message()"},
    {R"(std::j?thread\(|std::async\()", "base/parallel/threads", "start_thread() or a ThreadPool"},
    {R"([^\w]::rename\(|\bmkostemp|\bmkstemp|std::ofstream|\bfopen\()", "base/files/atomic_file",
     "AtomicFile"},
};

TEST(OnePlace, NobodyElsePrintsStartsThreadsOrReplacesFiles) {
  const std::filesystem::path root = DAMIER_SOURCE_DIR;
  for (const OnePlace& rule : kOnePlaces) {
    const std::regex words(rule.words);
    bool used = false;
    for (const char* folder : {"src", "bench"}) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
        const auto extension = entry.path().extension();
        if (extension != ".h" && extension != ".cc") continue;
        std::ifstream file(entry.path());
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        const std::string place =
            std::filesystem::relative(entry.path(), root / folder).replace_extension().string();
        std::smatch found;
        if (!std::regex_search(text, found, words)) continue;
        used = used || place == rule.place;
        EXPECT_EQ(place, rule.place)
            << entry.path() << " uses " << found.str() << "; expected " << rule.instead;
      }
    }
    // The streams' own place writes to descriptors.
    EXPECT_TRUE(used || std::string(rule.place) == "base/text/standard_streams") << rule.place;
  }
}

// A hint that says `damier` is wrong in a clone, where it is `./damier`, and in a program of one's
// own.
TEST(OnePlace, CommandsInTextsBeginWithTheNameThatWasTyped) {
  const std::filesystem::path root = DAMIER_SOURCE_DIR;
  const std::regex comment(R"((^|\s)//.*)"), command(R"((\b|\\n)damier( |$))");
  for (const char* folder : {"src", "bench", "examples"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cc") continue;
      const auto place = std::filesystem::relative(entry.path(), root);
      if (place == "src/base/text/program_name.cc") continue;  // "damier 0.1.0"
      std::ifstream file(entry.path());
      int number = 0;
      for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.find("namespace ") != std::string::npos) continue;
        line = std::regex_replace(line, comment, "");
        EXPECT_FALSE(std::regex_search(line, command))
            << place << ":" << number << ": " << line
            << "\nexpected program_name(), {program} in a help text, or kept_command() in a file";
      }
    }
  }
}

}  // namespace
}  // namespace damier
