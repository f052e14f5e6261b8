// The names of things, as errors list them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace damier {

// listed_names(players, &Player::name)
std::vector<std::string> listed_names(const auto& things, auto name) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.emplace_back(std::invoke(name, thing));
  return names;
}

}  // namespace damier
