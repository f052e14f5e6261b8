// Small helpers for reading words typed by people, and for telling them what they may have meant.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "damier/base/result.h"

namespace damier {

std::string_view trim(std::string_view text);

// A text that is a number and nothing else: nothing when anything else stands in it, or when T
// cannot hold the number.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  T number = {};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "a,b,,c" -> {"a", "b", "", "c"}; an empty text gives one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);

// A whole number in [low, high] and nothing else; the error names `what`.
Result<std::int64_t> parse_integer(std::string_view text, std::int64_t low, std::int64_t high,
                                   std::string_view what);

// The name of `number` things: "ply", "plies"; "loss", "losses".
std::string plural(std::uint64_t number, std::string_view one);
// With the number before it: "1 ply", "2 plies".
std::string counted(std::integral auto number, std::string_view one) {
  return std::to_string(number) + " " + plural(static_cast<std::uint64_t>(number), one);
}

std::string join(std::span<const std::string> parts, std::string_view separator);

// Names ordered by how near they are to `word`, nearest first (edit distance with transpositions,
// a shared beginning counts as near).
std::vector<std::string> nearest_first(std::string_view word, std::span<const std::string> names);

// The nearest name when it is near enough to be a slip of the keyboard.
std::optional<std::string> did_you_mean(std::string_view word, std::span<const std::string> names);

// "unknown game 'fanorna'; did you mean 'fanorona'? (known: fanorona, bremen)"
Error unknown_name(std::string_view what, std::string_view word,
                   std::span<const std::string> names);

// `text` as one line that any terminal can print: line breaks, control characters, characters that
// turn the direction of writing, and what is not UTF-8 are shown as \x0a, \u202e and so on.
std::string printable(std::string_view text);

// The same for text of several lines: line breaks and tabs stay. In JSON, whose own escapes leave
// only characters above U+007E, the result is the same document.
enum class Colours {
  shown,  // as any other control characters
  kept,   // those that terminal.h makes: \x1b[38;5;33;1m
};
std::string terminal_text(std::string_view text, Colours colours);

// `text` for an error line: printable, in quotes, shortened when it is long.
std::string in_quotes(std::string_view text);

// The length of the valid sequence at the start of a text that is not empty, 0 when there is none.
std::size_t utf8_length(std::string_view text);
// The character that such a sequence stands for.
char32_t utf8_code_point(std::string_view character);

}  // namespace damier
