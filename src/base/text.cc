#include "damier/base/text.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/parse_number.h"

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
constexpr std::size_t kLongestWord = 64;

std::size_t farness(std::string_view word, std::string_view name) {
  word = word.substr(0, kLongestWord);
  if (!word.empty() && name.starts_with(word)) return 1;
  return 2 * edit_distance(word, name);
}

}  // namespace

std::vector<std::string> nearest_first(std::string_view word, std::span<const std::string> names) {
  std::vector<std::string> sorted(names.begin(), names.end());
  std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) {
    return farness(word, a) < farness(word, b);
  });
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

namespace {

// Length of the valid UTF-8 sequence at the start of `text`, 0 when there is none.
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

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0 || c < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:02x}", c);
      ++i;
    } else {
      out += text.substr(i, length);
      i += length;
    }
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return "'" + printable(text) + "'";
  // Not in the middle of a character: its other bytes begin with 10.
  std::size_t end = kLongest;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;
  return "'" + printable(text.substr(0, end)) + "…'";
}

}  // namespace damier
