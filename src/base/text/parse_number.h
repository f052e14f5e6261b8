// A text that is a number and nothing else.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace damier {

// Nothing when anything else stands in the text, or when T cannot hold the number.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  T number = {};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace damier
