#include "damier/base/text/text.h"

#include <algorithm>

#include <fmt/format.h>

namespace damier {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

Result<std::int64_t> parse_integer(std::string_view text, std::int64_t low, std::int64_t high,
                                   std::string_view what) {
  const auto value = parse_number<std::int64_t>(text);
  if (!value || *value < low || *value > high) {
    return Error{fmt::format("{} is {}; expected a whole number from {} to {}", what,
                             in_quotes(text), low, high)};
  }
  return *value;
}

std::string plural(std::uint64_t number, std::string_view one) {
  const auto ends_in = [&](std::string_view end) { return one.ends_with(end); };
  const auto follows_a_vowel = [&] {
    return one.size() > 1 && std::string_view("aeiou").find(one[one.size() - 2]) != one.npos;
  };
  std::string word(one);
  if (number == 1) return word;
  if (ends_in("y") && !follows_a_vowel()) return word.replace(word.size() - 1, 1, "ies");
  if (ends_in("och")) return word += "s";  // "epochs"
  return word += ends_in("s") || ends_in("x") || ends_in("ch") || ends_in("sh") ? "es" : "s";
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

namespace {

// Optimal string alignment distance: insertions, deletions, substitutions, swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

// Words longer than any name need not be compared in full.
constexpr std::size_t kMaxWordLength = 64;

std::size_t farness(std::string_view word, std::string_view name) {
  word = word.substr(0, kMaxWordLength);
  if (!word.empty() && name.starts_with(word)) return 1;
  return 2 * edit_distance(word, name);
}

}  // namespace

std::vector<std::string> nearest_first(std::string_view word, std::span<const std::string> names) {
  std::vector<std::string> sorted(names.begin(), names.end());
  std::ranges::stable_sort(sorted, {}, [&](const auto& name) { return farness(word, name); });
  return sorted;
}

std::optional<std::string> did_you_mean(std::string_view word, std::span<const std::string> names) {
  const auto sorted = nearest_first(word, names);
  if (sorted.empty() || word.empty()) return std::nullopt;
  const std::size_t allowed = 2 * std::max<std::size_t>(1, sorted.front().size() / 3);
  if (farness(word, sorted.front()) > allowed) return std::nullopt;
  return sorted.front();
}

Error unknown_name(std::string_view what, std::string_view word,
                   std::span<const std::string> names) {
  std::string message = fmt::format("unknown {} {}", what, in_quotes(word));
  if (const auto name = did_you_mean(word, names)) {
    message += fmt::format("; did you mean '{}'?", *name);
  }
  if (names.empty()) return Error{message};
  return Error{fmt::format("{} (known: {})", message, fmt::join(nearest_first(word, names), ", "))};
}

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80                    ? 1
                             : lead >= 0xC2 && lead <= 0xDF ? 2
                             : (lead & 0xF0) == 0xE0        ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (lead == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
  if (lead == 0xED && byte(1) > 0x9F) return 0;  // surrogates
  if (lead == 0xF0 && byte(1) < 0x90) return 0;  // overlong
  if (lead == 0xF4 && byte(1) > 0x8F) return 0;  // above U+10FFFF
  return length;
}

char32_t utf8_code_point(std::string_view character) {
  // A first byte of several has a bit for each of them, then a zero; the others begin with 10.
  const unsigned lead = character.size() == 1 ? 0x7F : 0x7Fu >> character.size();
  char32_t code = static_cast<unsigned char>(character[0]) & lead;
  for (const char c : character.substr(1)) code = code << 6 | (static_cast<unsigned>(c) & 0x3F);
  return code;
}

namespace {

// Characters that a terminal would obey rather than show.
bool commands_terminal(char32_t c) {
  const auto in = [c](char32_t low, char32_t high) { return c >= low && c <= high; };
  return in(0, 0x1F) || in(0x7F, 0x9F) ||             // C0, DEL and C1
         in(0x202A, 0x202E) || in(0x2066, 0x2069) ||  // direction of writing
         in(0x200E, 0x200F) || c == 0x061C;
}

// Adds the first character of `text`, shown as an escape where it has to be; its length.
std::size_t add_safely(std::string& out, std::string_view text) {
  const std::size_t length = utf8_length(text);
  if (length == 0) {
    out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    return 1;
  }
  const char32_t c = utf8_code_point(text.substr(0, length));
  if (!commands_terminal(c)) {
    out += text.substr(0, length);
  } else if (c < 0x20) {
    out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
  } else {
    out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  }
  return length;
}

// The length of a colour at the start of `text`, 0 if there is none: numbers of terminal.h only, so
// that nothing can hide itself or blink.
std::size_t colour_length(std::string_view text) {
  constexpr std::string_view kStart = "\x1b[";
  if (!text.starts_with(kStart)) return 0;
  const auto end = text.find('m');
  constexpr std::size_t kMaxLength = 32;
  if (end == std::string_view::npos || end > kMaxLength) return 0;
  const auto parts = split(text.substr(kStart.size(), end - kStart.size()), ';');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == "0" || parts[i] == "1" || parts[i] == "4") continue;
    const bool from_palette = (parts[i] == "38" || parts[i] == "48") && i + 2 < parts.size() &&
                              parts[i + 1] == "5" && parse_number<std::uint8_t>(parts[i + 2]);
    if (!from_palette) return 0;
    i += 2;
  }
  return end + 1;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) text.remove_prefix(add_safely(out, text));
  return out;
}

std::string terminal_text(std::string_view text, Colours colours) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char c = text[0];
    const std::size_t plain = (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t' ? 1 : 0;
    const std::size_t kept = plain > 0 || colours == Colours::shown ? plain : colour_length(text);
    out += text.substr(0, kept);
    text.remove_prefix(kept > 0 ? kept : add_safely(out, text));
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMaxLength = 60;
  if (text.size() <= kMaxLength) return "'" + printable(text) + "'";
  // Not in the middle of a character: its other bytes begin with 10.
  std::size_t end = kMaxLength;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;
  return "'" + printable(text.substr(0, end)) + "…'";
}

}  // namespace damier
