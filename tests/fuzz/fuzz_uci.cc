// A UCI session with any lines: what it says are printable lines, and it ends when it is told to.

#include <algorithm>
#include <cctype>
#include <string>

#include "tests/fuzz/target.h"

#include "damier/app/chess/uci_session.h"
#include "damier/base/text/text.h"

using namespace damier;

DAMIER_FUZZ_TARGET(uci, input) {
  std::string lower(input);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // Memory, threads and time that a text may ask for are not what is tested here.
  for (const char* word : {"hash", "threads", "bench", "evalfile"}) {
    if (lower.find(word) != lower.npos) return;
  }
  app::UciSession session([](std::string_view line) { fuzz::require_one_line(line); });
  for (const std::string_view line : split(input, '\n')) {
    if (!session.take(line)) return;
    session.take("stop");
  }
}
