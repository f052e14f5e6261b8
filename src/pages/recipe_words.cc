#include "damier/pages/recipe_words.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "damier/base/text/names.h"
#include "damier/base/text/text.h"

namespace damier::pages {

namespace {

std::string layers_words(const Json& layers);

// "conv2d 64, kernel 1", "residual (dense 64, relu, dense 64)"
std::string layer_words(const Json& layer) {
  if (!layer.is_object()) return json_words(layer);
  std::string words = text_in(layer, "type");
  for (const auto& [key, value] : layer.items()) {
    if (key == "type") continue;
    if (key == "layers" && value.is_array()) {
      words += fmt::format(" ({})", layers_words(value));
    } else if (key == "units" || key == "channels") {
      words += " " + json_words(value);
    } else {
      words += fmt::format(" {} {}", key, json_words(value));
    }
  }
  return words;
}

// Layers that come again and again are told once: "8 × (residual (…), relu)".
std::string layers_words(const Json& layers) {
  const auto all = listed_names(layers, layer_words);
  std::vector<std::string> told;
  for (std::size_t at = 0; at < all.size();) {
    std::size_t period = 1, times = 1;
    for (std::size_t length = 1; length <= 3; ++length) {
      std::size_t count = 1;
      while (at + (count + 1) * length <= all.size() &&
             std::equal(all.begin() + static_cast<std::ptrdiff_t>(at),
                        all.begin() + static_cast<std::ptrdiff_t>(at + length),
                        all.begin() + static_cast<std::ptrdiff_t>(at + count * length))) {
        ++count;
      }
      if (count > 1 && count * length > times * period) period = length, times = count;
    }
    const std::string part = join(std::span(all).subspan(at, period), ", ");
    told.push_back(times == 1    ? part
                   : period == 1 ? fmt::format("{} × {}", times, part)
                                 : fmt::format("{} × ({})", times, part));
    at += times * period;
  }
  return join(told, ", ");
}

std::string network_words(const Json& network) {
  std::vector<std::string> parts;
  if (const Json* input = network.find("input")) {
    const auto sizes = listed_names(*input, json_words);
    parts.push_back((sizes.empty() ? json_words(*input) : join(sizes, " x ")) + " in");
  }
  const Json& all_layers = network["layers"];
  if (all_layers.is_array()) parts.push_back(layers_words(all_layers));
  for (const auto& [name, layers] : network["heads"].items()) {
    parts.push_back(
        fmt::format("{}: {}", name, layers.is_array() ? layers_words(layers) : json_words(layers)));
  }
  return join(parts, "; ");
}

}  // namespace

std::string json_words(const Json& value) {
  if (value.is_string()) return value.text();
  std::vector<std::string> parts;
  if (value.is_array()) return join(listed_names(value, json_words), ", ");
  if (!value.is_object()) return dump_line(value);
  for (const auto& [key, entry] : value.items()) {
    // A loss may be a reward, too.
    if (key == "kind" || (key == "loss" && entry.is_string())) {
      parts.push_back(json_words(entry));
    } else if (entry.is_object()) {
      parts.push_back(fmt::format("{}: {}", key, json_words(entry)));
    } else {
      parts.push_back(fmt::format("{} {}", key, json_words(entry)));
    }
  }
  return join(parts, ", ");
}

std::vector<std::pair<std::string, std::string>> recipe_words(const Json& recipe) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const auto& [key, value] : recipe.items()) {
    if (key == "heads" && value.is_object()) {
      std::vector<std::string> heads;
      for (const auto& [head, loss] : value.items()) {
        heads.push_back(fmt::format("{}: {}", head, json_words(loss)));
      }
      words.emplace_back("losses", join(heads, "; "));
    } else {
      words.emplace_back(key, key == "network" ? network_words(value) : json_words(value));
    }
  }
  return words;
}

}  // namespace damier::pages
