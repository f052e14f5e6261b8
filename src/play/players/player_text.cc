#include "damier/play/players/player_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/text.h"

namespace damier::play {

namespace {

constexpr std::string_view kAliasKey = "name";

std::string_view name_in(std::string_view form) {
  return form.starts_with(':') ? std::string_view() : form.substr(0, form.find('='));
}

// For the help, where nobody cares for an end that is far away.
template <class Number>
Text short_range(Number low, Number high) {
  constexpr Number kFar = 1'000'000;
  return high >= kFar ? Text::of("from {} on", fmt::to_string(low))
                      : Text::of("from {} to {}", fmt::to_string(low), fmt::to_string(high));
}

// "most or bound"
Text any_of(std::span<const std::string_view> words) {
  Text text = Text::of("{}", words.front());
  for (const std::string_view word : words.subspan(1)) text = Text::of("{} or {}", text, word);
  return text;
}

void add_default(PlayerOption& option, std::string_view value) {
  option.values = Text::of("{}, default {}", option.values, value);
}

// What a backslash may stand before.
bool is_player_mark(char letter) { return letter == ',' || letter == '=' || letter == '\\'; }

// The next mark in a text that no backslash stands before.
std::size_t find_mark(std::string_view text, char mark) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == mark) return i;
    if (text[i] == '\\' && i + 1 < text.size() && is_player_mark(text[i + 1])) ++i;
  }
  return std::string_view::npos;
}

std::vector<std::string_view> player_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = find_mark(text, ',');
    parts.push_back(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return parts;
}

std::string without_backslashes(std::string_view value) {
  std::string plain;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\' && i + 1 < value.size() && is_player_mark(value[i + 1])) ++i;
    plain += value[i];
  }
  return plain;
}

constexpr std::size_t kMaxNameWidth = 24;

// The text with `parts` of each path kept, from its end: "net:…/runs/model.safetensors,mcts=40".
std::string with_short_paths(std::string_view text, std::size_t parts) {
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    std::size_t to = from;
    while (to < text.size() && std::string_view(":,=").find(text[to]) == text.npos) ++to;
    const std::string_view word = text.substr(from, to - from);
    std::size_t cut = word.size();
    for (std::size_t i = 0; i < parts && cut != word.npos && cut > 0; ++i) {
      cut = word.rfind('/', cut - 1);
    }
    const bool is_cut = cut != word.npos && cut > 0;
    if (is_cut) out += "…";
    out += is_cut ? word.substr(cut) : word;
    if (to < text.size()) out += text[to++];
    from = to;
  }
  return out;
}

std::size_t parts_of(std::string_view text) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '/'));
}

}  // namespace

std::string player_value(std::string_view value) {
  std::string text;
  for (const char letter : value) {
    if (is_player_mark(letter)) text += '\\';
    text += letter;
  }
  return text;
}

std::string_view PlayerOption::name() const { return name_in(form); }

Result<PlayerText> PlayerText::parse(std::string_view text, PlayerUse use) {
  PlayerText parsed;
  parsed.use_ = use;
  parsed.text_ = std::string(trim(text));
  const std::string_view whole = parsed.text_;
  const auto colon = whole.find(':');
  parsed.name_ = std::string(whole.substr(0, std::min(colon, whole.find(','))));
  if (parsed.name_.empty()) return Error{fmt::format("player {} has no name", in_quotes(whole))};
  if (parsed.name_.size() == whole.size()) return parsed;
  // What stands right after the colon is the value; further words without a value are flags.
  bool after_colon = whole[parsed.name_.size()] == ':';
  for (const std::string_view part : player_parts(whole.substr(parsed.name_.size() + 1))) {
    const auto equals = find_mark(part, '=');
    const bool named = equals != std::string_view::npos;
    const bool is_value = after_colon && !named;
    after_colon = false;
    const std::string key(is_value ? "" : trim(part.substr(0, equals)));
    const std::string value(is_value ? trim(part) : named ? trim(part.substr(equals + 1)) : "");
    if (is_value || named ? value.empty() || (named && key.empty()) : key.empty()) {
      return Error{fmt::format("player {}: {} is not of the form VALUE or name=VALUE",
                               in_quotes(whole), in_quotes(part))};
    }
    if (parsed.has(key)) {
      return Error{fmt::format("player {}: {} is given twice", in_quotes(whole),
                               key.empty() ? "the value after the colon" : in_quotes(key))};
    }
    parsed.options_.emplace_back(key, without_backslashes(value));
  }
  const auto alias =
      std::ranges::find(parsed.options_, kAliasKey, &std::pair<std::string, std::string>::first);
  if (alias != parsed.options_.end()) {
    if (alias->second.empty()) {
      return Error{
          fmt::format("player {}: expected name=NAME, what tables call it", in_quotes(whole))};
    }
    parsed.alias_ = std::move(alias->second);
    parsed.options_.erase(alias);
  }
  parsed.taken_.resize(parsed.options_.size());
  return parsed;
}

std::optional<std::string_view> PlayerText::declare(std::string_view form, std::string_view help,
                                                    Text values) {
  declared_.push_back({std::string(form), std::string(help), std::move(values)});
  const std::string_view name = name_in(form);
  for (std::size_t i = 0; i < options_.size(); ++i) {
    if (options_[i].first != name) continue;
    taken_[i] = true;
    return options_[i].second;
  }
  return std::nullopt;
}

void PlayerText::wrong_value(std::string_view form, std::string_view value,
                             std::string_view expected) {
  if (error_) return;
  const std::string_view name = name_in(form);
  error_ =
      Error{fmt::format("player {}: {}{} is not {}", in_quotes(text_),
                        name.empty() ? "" : fmt::format("{}=", name), printable(value), expected)};
}

std::optional<std::int64_t> PlayerText::integer(std::string_view form, std::string_view help,
                                                std::int64_t low, std::int64_t high) {
  const auto value = declare(form, help, short_range(low, high));
  if (!value) return std::nullopt;
  const auto parsed = parse_integer(*value, low, high, form);
  if (parsed) return *parsed;
  wrong_value(form, *value, fmt::format("a whole number from {} to {}", low, high));
  return std::nullopt;
}

std::int64_t PlayerText::integer(std::string_view form, std::string_view help, std::int64_t low,
                                 std::int64_t high, std::int64_t default_value) {
  const auto value = integer(form, help, low, high);
  add_default(declared_.back(), fmt::to_string(default_value));
  return value.value_or(default_value);
}

std::optional<double> PlayerText::number(std::string_view form, std::string_view help, double low,
                                         double high) {
  const auto value = declare(form, help, short_range(low, high));
  if (!value) return std::nullopt;
  const auto parsed = parse_number<double>(*value);
  if (parsed && std::isfinite(*parsed) && *parsed >= low && *parsed <= high) return parsed;
  wrong_value(form, *value, fmt::format("a number from {} to {}", low, high));
  return std::nullopt;
}

double PlayerText::number(std::string_view form, std::string_view help, double low, double high,
                          double default_value) {
  const auto value = number(form, help, low, high);
  add_default(declared_.back(), fmt::to_string(default_value));
  return value.value_or(default_value);
}

std::string PlayerText::word(std::string_view form, std::string_view help,
                             std::span<const std::string_view> words) {
  const auto value = declare(form, help, any_of(words));
  add_default(declared_.back(), words.front());
  if (!value) return std::string(words.front());
  if (std::ranges::find(words, *value) == words.end()) {
    wrong_value(form, *value, fmt::format("one of {}", fmt::join(words, ", ")));
  }
  return std::string(*value);
}

std::optional<std::string> PlayerText::text(std::string_view form, std::string_view help) {
  const auto value = declare(form, help, "");
  return value ? std::optional<std::string>(*value) : std::nullopt;
}

std::string PlayerText::text(std::string_view form, std::string_view help,
                             std::string_view default_value) {
  return text(form, help).value_or(std::string(default_value));
}

bool PlayerText::flag(std::string_view form, std::string_view help) {
  const auto value = declare(form, help, "");
  if (value && !value->empty()) wrong_value(form, *value, "a word that stands alone");
  return value.has_value();
}

std::vector<std::pair<std::string, std::string>> PlayerText::others(std::string_view form,
                                                                    std::string_view help) {
  declared_.push_back({std::string(form), std::string(help), ""});
  std::vector<std::pair<std::string, std::string>> found;
  for (std::size_t i = 0; i < options_.size(); ++i) {
    if (taken_[i] || options_[i].first.empty()) continue;
    taken_[i] = true;
    found.push_back(options_[i]);
  }
  return found;
}

std::string PlayerText::place() const { return fmt::format("player {}", in_quotes(text_)); }

Status PlayerText::finish() {
  if (error_) return *error_;
  std::vector<std::string> known;
  for (const PlayerOption& option : declared_) {
    if (!option.name().empty()) known.emplace_back(option.name());
  }
  for (std::size_t i = 0; i < options_.size(); ++i) {
    if (taken_[i]) continue;
    const auto& [key, value] = options_[i];
    if (known.empty() || key.empty()) {
      const std::string given = value.empty() ? key : key.empty() ? value : key + "=" + value;
      return Error{fmt::format("player '{}' takes no {}; got {}", name_,
                               known.empty() ? "options" : "value after the colon",
                               in_quotes(given))};
    }
    return unknown_name(fmt::format("option of player '{}'", name_), key, known);
  }
  is_read_ = true;
  if (use_ == PlayerUse::none) return Error{"nothing is opened"};
  return Done{};
}

std::optional<std::string> player_alias(std::string_view text) {
  const auto parsed = PlayerText::parse(text);
  return parsed ? parsed->alias() : std::nullopt;
}

std::vector<std::string> shown_players(std::span<const std::string> texts) {
  std::vector<std::string> names;
  const auto is_ambiguous = [&](std::size_t i, const std::string& name) {
    for (std::size_t j = 0; j < texts.size(); ++j) {
      if (texts[j] == texts[i]) continue;
      const auto alias = player_alias(texts[j]);
      if (name == alias.value_or(texts[j])) return true;
      if (alias) continue;
      for (std::size_t parts = 1; parts < parts_of(texts[j]); ++parts) {
        if (name == with_short_paths(texts[j], parts)) return true;
      }
    }
    return false;
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string name = player_alias(texts[i]).value_or(texts[i]);
    if (name == texts[i] && width_of({&texts[i], 1}) > kMaxNameWidth) {
      std::size_t parts = 1;
      do {
        name = with_short_paths(texts[i], parts++);
      } while (is_ambiguous(i, name) && parts < parts_of(texts[i]));
    }
    names.push_back(printable(is_ambiguous(i, name) ? texts[i] : name));
  }
  return names;
}

std::size_t width_of(std::span<const std::string> names) {
  std::size_t width = 0;
  for (const std::string& name : names) {
    // Bytes that begin with 10 continue a character.
    const auto columns =
        std::count_if(name.begin(), name.end(), [](char c) { return (c & 0xC0) != 0x80; });
    width = std::max(width, static_cast<std::size_t>(columns));
  }
  return width;
}

}  // namespace damier::play
