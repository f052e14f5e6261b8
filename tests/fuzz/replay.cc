// Runs a fuzz target over the files of a corpus: the normal tests' stand-in for libFuzzer. One
// program for all targets, because each of its own costs seconds of compiling and linking.
//
//   damier_fuzz_replay TARGET FOLDER

#include <cstdio>
#include <filesystem>
#include <map>

#include "tests/fuzz/target.h"

#include "damier/base/files/files.h"

namespace damier::fuzz {
namespace {

std::map<std::string_view, Target>& known_targets() {
  static std::map<std::string_view, Target> targets;
  return targets;
}

std::string& replayed_name() {
  static std::string name;
  return name;
}

int replay(std::string_view name, const std::filesystem::path& corpus) {
  const auto found = known_targets().find(name);
  if (found == known_targets().end() || !std::filesystem::is_directory(corpus)) {
    std::fprintf(stderr, "%s: expected a target and a folder with a few inputs\n", corpus.c_str());
    return 1;
  }
  replayed_name() = corpus.filename();
  int replayed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    const auto content = read_file(entry.path(), 1 << 22);
    if (!content) {
      std::fprintf(stderr, "%s\n", content.error().text().c_str());
      return 1;
    }
    found->second(*content);
    ++replayed;
  }
  std::printf("%d inputs replayed\n", replayed);
  return replayed > 0 ? 0 : 1;
}

}  // namespace

bool add_target(std::string_view name, Target target) {
  return known_targets().emplace(name, target).second;
}

std::string_view target_name() { return replayed_name(); }

}  // namespace damier::fuzz

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "expected TARGET FOLDER\n");
    return 1;
  }
  return damier::fuzz::replay(argv[1], argv[2]);
}
