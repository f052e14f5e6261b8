// A training recipe as a person would tell it: what is learnt from which rows, by which network,
// how.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "damier/base/json/json.h"

namespace damier::pages {

// A subject and what the recipe says of it: {"network", "46 in; dense 64, relu; moves: dense 81"}.
// Keys that this does not know are told too, in their order.
std::vector<std::pair<std::string, std::string>> recipe_words(const Json& recipe);

// Any value in words: {"kind": "adam", "rate": 0.003} is "adam, rate 0.003".
std::string json_words(const Json& value);

}  // namespace damier::pages
