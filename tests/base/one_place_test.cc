// What can fail in ways that are easily forgotten is done in one place each: printing, starting
// threads, replacing files.

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
    {R"(fmt::print\(|std::(cout|cerr|clog|puts|printf|fprintf|perror)\b)", "base/standard_streams",
     "print_output() and print_message()"},
    {R"(std::j?thread\(|std::async\()", "base/threads", "start_thread() or a ThreadPool"},
    {R"([^\w]::rename\(|\bmkostemp|\bmkstemp|std::ofstream|\bfopen\()", "base/atomic_file",
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
    EXPECT_TRUE(used || std::string(rule.place) == "base/standard_streams") << rule.place;
  }
}

}  // namespace
}  // namespace damier
