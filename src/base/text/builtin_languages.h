// The dictionaries of languages/, as texts by the language's code.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace damier {

std::span<const std::pair<std::string_view, std::string_view>> builtin_languages();

}  // namespace damier
