// The language of what people read: help, play and report pages. A text is looked up before its
// places are filled in: its English form, which stands in the code, is the key of
// languages/fr.json. JSON, files, names on the command line and the errors of parsers are English
// always.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace damier {

enum class Language : std::uint8_t { english, french };

// English by default.
void set_language(Language language);
Language language();

// "en", "fr"
std::string_view language_code(Language language);
std::optional<Language> language_of_code(std::string_view code);
// What LC_ALL, LC_MESSAGES or LANG asks for, the first of them that is set.
Language environment_language();

// The text in the language that is set; itself where the dictionary does not have it, such as a
// text of a game of one's own.
std::string tr(std::string_view english);

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

// A text that is made before its reader's language is known, as games and errors do: an English
// form, and what stands in its places.
class Text {
 public:
  Text() = default;
  // Without places, looked up as it stands.
  Text(std::string english) : form_(std::move(english)) {}
  Text(std::string_view english) : form_(english) {}
  Text(const char* english) : form_(english) {}

  // A place holds another Text, which is looked up in turn, or a name or number, which is not.
  template <class... Places>
  static Text of(std::string_view form, const Places&... places) {
    Text text(form);
    text.kind_ = Kind::form;
    (text.places_.push_back(as_place(places)), ...);
    return text;
  }
  // "1 bomb", "2 bombs"
  static Text counted(std::uint64_t number, std::string_view one);

  bool empty() const { return form_.empty(); }
  std::string in(Language language) const;
  std::string english() const { return in(Language::english); }
  std::string shown() const { return in(language()); }
  bool operator==(const Text&) const = default;
  friend bool operator==(const Text& text, const char* english) {
    return text.english() == english;
  }

 private:
  enum class Kind : std::uint8_t { whole, form, counted, name };

  static Text as_place(const Text& text) { return text; }
  static Text as_place(std::string name);
  static Text as_place(std::string_view name) { return as_place(std::string(name)); }
  static Text as_place(const char* name) { return as_place(std::string(name)); }
  static Text as_place(std::integral auto number) { return as_place(std::to_string(number)); }

  std::string form_;
  std::vector<Text> places_;
  std::uint64_t number_ = 0;
  Kind kind_ = Kind::whole;
};

// The French of a text; of what is counted also of more than one.
struct Translation {
  std::string one, other;
};
const std::map<std::string, Translation, std::less<>>& french_texts();

// The dictionaries of languages/, as texts by the language's code.
std::span<const std::pair<std::string_view, std::string_view>> builtin_languages();

}  // namespace damier
