// Runs a fuzz target over the files of its corpus: the normal tests' stand-in for libFuzzer.

#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "damier/base/files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  int replayed = 0;
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) {
      std::fprintf(stderr, "%s: is no folder; expected a corpus of a few inputs\n", argv[i]);
      return 1;
    }
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      const auto content = damier::read_file(entry.path(), 1 << 22);
      if (!content) {
        std::fprintf(stderr, "%s\n", content.error().text().c_str());
        return 1;
      }
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(content->data()),
                             content->size());
      ++replayed;
    }
  }
  std::printf("%d inputs replayed\n", replayed);
  return replayed > 0 ? 0 : 1;
}
