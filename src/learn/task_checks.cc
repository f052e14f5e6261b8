#include "damier/learn/task_checks.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/text.h"

namespace damier::learn {

Status check_word(std::string_view what, const std::string& word,
                  const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return Done{};
  return unknown_name(what, word, known);
}

Status check_shares(const GenerateOptions& options) {
  if (options.validation >= 0 && options.test >= 0 && options.validation + options.test <= 0.9) {
    return Done{};
  }
  return Error{
      fmt::format("the shares of validation and test are {} and {}; expected 0.9 in all at most",
                  options.validation, options.test)};
}

}  // namespace damier::learn
