// The recipes that ship, as they stand in recipes/; the build puts their texts into the library.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace damier::learn {

// Name ("fanorona-quick") and text, by name.
std::span<const std::pair<std::string_view, std::string_view>> builtin_recipes();

}  // namespace damier::learn
