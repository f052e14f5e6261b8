#include "damier/games/options.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "damier/base/text/text.h"

namespace damier::games {

Result<OptionValues> parse_options(std::string_view text) {
  OptionValues values;
  for (const std::string_view part : split(text, ',')) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return Error{fmt::format("rule option {} is not of the form name=value", in_quotes(part))};
    }
    values.emplace_back(trim(part.substr(0, equals)), trim(part.substr(equals + 1)));
  }
  return values;
}

std::string options_text(const OptionValues& values) {
  std::string out;
  for (const auto& [name, value] : values) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", name, value);
  }
  return out;
}

Status OptionReader::check() const {
  std::vector<std::string> names;
  for (const Option& option : options_) names.emplace_back(option.name);
  for (auto value = values_.begin(); value != values_.end(); ++value) {
    if (std::ranges::find(names, value->first) == names.end()) {
      return unknown_name("rule option", value->first, names);
    }
    if (std::any_of(values_.begin(), value,
                    [&](const auto& other) { return other.first == value->first; })) {
      return Error{fmt::format("rule option {} is given twice", in_quotes(value->first))};
    }
  }
  return Done{};
}

const Option& OptionReader::option(std::string_view name) const {
  const auto at = std::ranges::find(options_, name, &Option::name);
  assert(at != options_.end());
  return *at;
}

std::string_view OptionReader::text(std::string_view name) const {
  const auto given = std::ranges::find(values_, name, &OptionValues::value_type::first);
  return given == values_.end() ? option(name).default_value : given->second;
}

Result<int> OptionReader::choice(std::string_view name) const {
  const auto words = split(option(name).expected, '|');
  const auto at = std::ranges::find(words, text(name));
  if (at == words.end()) {
    return Error{fmt::format("rule option {} is {}; expected {}", name, in_quotes(text(name)),
                             option(name).expected)};
  }
  return static_cast<int>(at - words.begin());
}

Result<int> OptionReader::integer(std::string_view name, int low, int high) const {
  auto value = TRY(parse_integer(text(name), low, high, fmt::format("rule option {}", name)));
  return static_cast<int>(value);
}

}  // namespace damier::games
