// What every task asks of the options that it is given, each fault in one line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "damier/learn/task.h"

namespace damier::learn {

// A fault that lists the known words, the nearest first.
Status check_word(std::string_view what, const std::string& word,
                  const std::vector<std::string>& known);

// Validation and test must leave something to learn from.
Status check_shares(const GenerateOptions& options);

}  // namespace damier::learn
