#include "damier/arena/player_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text.h"

namespace damier::arena {

Result<PlayerText> PlayerText::parse(std::string_view text) {
  PlayerText parsed;
  parsed.text_ = std::string(trim(text));
  const std::string_view whole = parsed.text_;
  const auto colon = whole.find(':');
  parsed.name_ = std::string(whole.substr(0, std::min(colon, whole.find(','))));
  if (parsed.name_.empty()) return Error{fmt::format("player {} has no name", in_quotes(whole))};
  if (parsed.name_.size() == whole.size()) return parsed;
  // What stands right after the colon is the value; further words without a value are flags.
  bool after_colon = whole[parsed.name_.size()] == ':';
  for (const std::string_view part : split(whole.substr(parsed.name_.size() + 1), ',')) {
    const auto equals = part.find('=');
    const bool named = equals != std::string_view::npos;
    const bool is_value = after_colon && !named;
    after_colon = false;
    const std::string key(is_value ? "" : trim(part.substr(0, equals)));
    const std::string value(is_value ? trim(part) : named ? trim(part.substr(equals + 1)) : "");
    if (is_value || named ? value.empty() || (named && key.empty()) : key.empty()) {
      return Error{fmt::format("player {}: {} is not of the form VALUE or name=VALUE",
                               in_quotes(whole), in_quotes(part))};
    }
    for (const auto& [other, ignored] : parsed.options_) {
      if (other != key) continue;
      return Error{fmt::format("player {}: {} is given twice", in_quotes(whole),
                               key.empty() ? "the value after the colon" : in_quotes(key))};
    }
    parsed.options_.emplace_back(key, value);
  }
  parsed.taken_.resize(parsed.options_.size());
  return parsed;
}

bool PlayerText::has(std::string_view key) const {
  return std::any_of(options_.begin(), options_.end(),
                     [&](const auto& option) { return option.first == key; });
}

std::optional<std::string_view> PlayerText::take(std::string_view key) {
  if (!key.empty()) known_.emplace_back(key);
  for (std::size_t i = 0; i < options_.size(); ++i) {
    if (options_[i].first != key) continue;
    taken_[i] = true;
    return options_[i].second;
  }
  return std::nullopt;
}

void PlayerText::fail(std::string_view key, std::string_view value, std::string_view expected) {
  if (error_) return;
  error_ =
      Error{fmt::format("player {}: {}{} is not {}", in_quotes(text_),
                        key.empty() ? "" : fmt::format("{}=", key), printable(value), expected)};
}

std::int64_t PlayerText::integer(std::string_view key, std::int64_t low, std::int64_t high,
                                 std::int64_t otherwise) {
  const auto value = take(key);
  if (!value) return otherwise;
  const auto parsed = parse_integer(*value, low, high, key);
  if (parsed) return *parsed;
  fail(key, *value, fmt::format("a whole number from {} to {}", low, high));
  return otherwise;
}

double PlayerText::number(std::string_view key, double low, double high, double otherwise) {
  const auto value = take(key);
  if (!value) return otherwise;
  double parsed = 0;
  const auto result = std::from_chars(value->data(), value->data() + value->size(), parsed);
  const bool whole = result.ec == std::errc() && result.ptr == value->data() + value->size();
  if (whole && std::isfinite(parsed) && parsed >= low && parsed <= high) return parsed;
  fail(key, *value, fmt::format("a number from {} to {}", low, high));
  return otherwise;
}

std::string PlayerText::word(std::string_view key, std::span<const std::string_view> words) {
  const auto value = take(key);
  if (!value) return std::string(words.front());
  if (std::find(words.begin(), words.end(), *value) == words.end()) {
    fail(key, *value, fmt::format("one of {}", fmt::join(words, ", ")));
    return std::string(words.front());
  }
  return std::string(*value);
}

std::string PlayerText::text(std::string_view key, std::string otherwise) {
  const auto value = take(key);
  return value ? std::string(*value) : otherwise;
}

bool PlayerText::flag(std::string_view key) {
  const auto value = take(key);
  if (value && !value->empty()) fail(key, *value, "a word that stands alone");
  return value.has_value();
}

void PlayerText::expect(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) known_.emplace_back(key);
}

void PlayerText::fail(Error error) {
  if (!error_) error_ = std::move(error).in(fmt::format("player {}", in_quotes(text_)));
}

Status PlayerText::finish() const {
  if (error_) return *error_;
  for (std::size_t i = 0; i < options_.size(); ++i) {
    if (taken_[i]) continue;
    const auto& [key, value] = options_[i];
    if (known_.empty() || key.empty()) {
      const std::string given = value.empty() ? key : key.empty() ? value : key + "=" + value;
      return Error{fmt::format("player '{}' takes no {}; got {}", name_,
                               known_.empty() ? "options" : "value after the colon",
                               in_quotes(given))};
    }
    return unknown_name(fmt::format("option of player '{}'", name_), key, known_);
  }
  return Done{};
}

}  // namespace damier::arena
