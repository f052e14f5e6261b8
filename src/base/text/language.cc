#include "damier/base/text/language.h"

#include <algorithm>
#include <cstdlib>

#include "damier/base/json/json.h"
#include "damier/base/text/text.h"

namespace damier {

namespace {

std::map<std::string, Translation, std::less<>> read_french() {
  std::map<std::string, Translation, std::less<>> texts;
  for (const auto& [code, text] : builtin_languages()) {
    if (code != language_code(Language::french)) continue;
    const auto json = parse_json(text, code);
    if (!json) continue;  // a test reads it
    for (const auto& [english, french] : json->items()) {
      const bool is_counted = french.is_object();
      texts[english] = {is_counted ? text_in(french, "one") : french.text(),
                        is_counted ? text_in(french, "other") : ""};
    }
  }
  return texts;
}

std::string in_language(std::string_view english, Language language) {
  if (language == Language::english) return std::string(english);
  const auto found = french_texts().find(english);
  return found == french_texts().end() ? std::string(english) : found->second.one;
}

std::string counted_in(Language language, std::uint64_t number, std::string_view one) {
  if (language == Language::english) return counted(number, one);
  const auto found = french_texts().find(one);
  if (found == french_texts().end()) return counted(number, one);
  // In French none is singular.
  return fmt::format("{} {}", number, number < 2 ? found->second.one : found->second.other);
}

Language& chosen_language() {
  static Language language = Language::english;
  return language;
}

}  // namespace

void set_language(Language language) { chosen_language() = language; }
Language language() { return chosen_language(); }

std::string_view language_code(Language language) {
  return language == Language::french ? "fr" : "en";
}

std::optional<Language> language_of_code(std::string_view code) {
  for (const Language language : {Language::english, Language::french}) {
    if (code == language_code(language)) return language;
  }
  return std::nullopt;
}

Language environment_language() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale = value;
    const bool french = locale.starts_with("fr") && (locale.size() == 2 || locale[2] == '_' ||
                                                     locale[2] == '.' || locale[2] == '@');
    return french ? Language::french : Language::english;
  }
  return Language::english;
}

const std::map<std::string, Translation, std::less<>>& french_texts() {
  static const auto texts = read_french();
  return texts;
}

std::string tr(std::string_view english) { return in_language(english, language()); }

std::string tr_counted(std::uint64_t number, std::string_view one) {
  return counted_in(language(), number, one);
}

Text Text::counted(std::uint64_t number, std::string_view one) {
  Text text(one);
  text.kind_ = Kind::counted;
  text.number_ = number;
  return text;
}

Text Text::as_place(std::string name) {
  Text text(std::move(name));
  text.kind_ = Kind::name;
  return text;
}

std::string Text::in(Language language) const {
  if (kind_ == Kind::name) return form_;
  if (kind_ == Kind::counted) return counted_in(language, number_, form_);
  const std::string form = in_language(form_, language);
  if (kind_ == Kind::whole) return form;
  std::string filled;
  std::size_t from = 0;
  for (const Text& place : places_) {
    const auto at = std::min(form.find("{}", from), form.size());
    filled += form.substr(from, at - from) + place.in(language);
    from = std::min(at + 2, form.size());
  }
  return filled + form.substr(from);
}

}  // namespace damier
