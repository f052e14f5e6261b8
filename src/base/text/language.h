// The language of what people read: help, play and report pages. languages/fr.json has the French
// text of every English one; the English texts are the keys, and stand in the code. JSON, files,
// names on the command line and the errors of parsers are English always.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace damier {

enum class Language : std::uint8_t { english, french };

// English until somebody says otherwise.
void set_language(Language language);
Language language();

// "en", "fr"
std::string_view language_code(Language language);
std::optional<Language> language_of_code(std::string_view code);
// What LC_ALL, LC_MESSAGES or LANG asks for, the first of them that is set.
Language environment_language();

// The text in the language that is set: in English, and where there is no French one, the text
// itself. A text that was filled in already ("3 moves") is found by its form ("{} moves"), and what
// stands in its places is looked up in turn.
std::string tr(std::string_view english);
// The same for what need not have a French text: the name of a file, a number, a text of a game of
// one's own.
std::string tr_known(std::string_view english);

// A form in the language that is set, filled in. A test holds the places of both forms equal.
template <class... Args>
std::string tr_format(fmt::format_string<Args...> form, Args&&... args) {
  const fmt::string_view text = form;
  return fmt::vformat(tr({text.data(), text.size()}), fmt::make_format_args(args...));
}

// "1 move", "2 moves", "0 coup"
std::string tr_counted(std::uint64_t number, std::string_view one);
std::string tr_counted(std::integral auto number, std::string_view one) {
  return tr_counted(static_cast<std::uint64_t>(number), one);
}

// For tests of the dictionary: all of it, and what was asked for in vain or found since the start.
const std::vector<std::pair<std::string, std::string>>& french_texts();
struct LookedUp {
  std::set<std::string, std::less<>> found;
  std::set<std::string, std::less<>> missing;
};
const LookedUp& looked_up_texts();

}  // namespace damier
