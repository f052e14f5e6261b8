// The command line, one word a line. Commands that only say something are run; of the others the
// words are read and the help is asked for, so that nothing is played, trained or written.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tests/fuzz/target.h"
#include <fcntl.h>
#include <unistd.h>

#include "damier/app/app.h"
#include "damier/base/text/text.h"

using namespace damier;

DAMIER_FUZZ_TARGET(arguments, input) {
  static const learn::Registry registry = [] {
    dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    return learn::builtin_games();
  }();
  constexpr std::array<std::string_view, 3> kHarmless = {"help", "games", "completion"};
  std::vector<std::string> words = {"damier"};
  for (const auto line : split(input, '\n')) {
    if (line.find('\0') != line.npos || words.size() > 16) return;
    words.emplace_back(line);
  }
  const bool harmless = words.size() > 1 &&
                        std::find(kHarmless.begin(), kHarmless.end(), words[1]) != kHarmless.end();
  if (!harmless) words.emplace_back("--help");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int code = app::run(registry, static_cast<int>(words.size()), arguments.data());
  fuzz::require(code == 0 || code == 2, "words are understood or refused");
}
