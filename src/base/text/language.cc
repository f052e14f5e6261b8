#include "damier/base/text/language.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

#include "damier/base/json/json.h"
#include "damier/base/text/builtin_languages.h"
#include "damier/base/text/text.h"

namespace damier {

namespace {

// French has a space before : ; ! ? » and after «, at which no line is broken.
std::string with_firm_spaces(std::string text) {
  constexpr std::string_view kFirmSpace = "\u00a0";
  for (const std::string_view sign : {":", ";", "!", "?", "»"}) {
    const std::string loose = " " + std::string(sign);
    for (std::size_t at = 0; (at = text.find(loose, at)) != text.npos; at += kFirmSpace.size()) {
      text.replace(at, 1, kFirmSpace);
    }
  }
  constexpr std::string_view kOpening = "« ";
  for (std::size_t at = 0; (at = text.find(kOpening, at)) != text.npos; at += kOpening.size()) {
    text.replace(at + kOpening.size() - 1, 1, kFirmSpace);
  }
  return text;
}

// What may stand in a place: anything, which is looked up in turn; {n}: a number; {name}: a name,
// which stays as it is.
enum class Place { any, number, name };

// A form, taken apart at its places: "{} of {n} games" is "", " of ", " games", with a number in
// the second place.
struct TextParts {
  std::vector<std::string> texts = {""};
  std::vector<Place> places;
};

TextParts parts_of(std::string_view form) {
  TextParts parts;
  for (std::size_t at = 0; at < form.size(); ++at) {
    const bool doubled = at + 1 < form.size() && form[at + 1] == form[at];
    const auto end = form.find('}', at);
    if ((form[at] == '{' || form[at] == '}') && doubled) {
      parts.texts.back() += form[at++];
    } else if (form[at] == '{' && end != form.npos) {
      const std::string_view place = form.substr(at, end + 1 - at);
      parts.places.push_back(place == "{n}"      ? Place::number
                             : place == "{name}" ? Place::name
                                                 : Place::any);
      parts.texts.emplace_back();
      at = end;
    } else {
      parts.texts.back() += form[at];
    }
  }
  return parts;
}

// What stands in the places of a text of this form.
std::optional<std::vector<std::string_view>> places_in(std::string_view text,
                                                       const TextParts& parts) {
  const auto& texts = parts.texts;
  if (!text.starts_with(texts.front())) return std::nullopt;
  std::vector<std::string_view> places;
  text.remove_prefix(texts.front().size());
  for (std::size_t i = 1; i < texts.size(); ++i) {
    const bool last = i + 1 == texts.size();
    if (last && text.size() < texts[i].size()) return std::nullopt;
    const auto at = last ? text.size() - texts[i].size() : text.find(texts[i]);
    if (at == text.npos || text.substr(at, texts[i].size()) != texts[i]) return std::nullopt;
    const std::string_view place = text.substr(0, at);
    if (parts.places[i - 1] == Place::number &&
        (place.empty() || place.find_first_not_of("0123456789.,'+-") != place.npos)) {
      return std::nullopt;
    }
    places.push_back(place);
    text.remove_prefix(at + texts[i].size());
  }
  return places;
}

struct TextForm {
  TextParts english, french;
  std::string key;
  std::size_t letters = 0;  // outside of places
};

// The French texts, in the order of the file, and those with places by how much they say.
struct FrenchTexts {
  std::vector<std::pair<std::string, std::string>> all;
  std::map<std::string, std::string, std::less<>> exact;
  std::vector<TextForm> forms;
  LookedUp asked;
  std::mutex mutex;  // pages are made by any thread

  FrenchTexts() {
    for (const auto& [name, text] : builtin_languages()) {
      if (name != language_code(Language::french)) continue;
      const auto json = parse_json(text, name);
      if (!json) continue;  // a test reads it
      for (const auto& [english, french] : json->items())
        add(english, with_firm_spaces(french.text()));
    }
    std::stable_sort(forms.begin(), forms.end(),
                     [](const auto& a, const auto& b) { return a.letters > b.letters; });
  }

  void add(const std::string& english, const std::string& french) {
    all.emplace_back(english, french);
    exact.emplace(english, french);
    TextForm form{parts_of(english), parts_of(french), english};
    const auto& places = form.english.places;
    if (places.empty()) return;
    for (const std::string& part : form.english.texts) form.letters += part.size();
    // A form that says little fits too many texts: it is for tr_format alone.
    constexpr std::size_t kFewLetters = 8;
    const bool says_little = form.english.texts.front().empty() && form.letters < kFewLetters;
    const bool numbers_only = std::all_of(places.begin(), places.end(),
                                          [](Place place) { return place == Place::number; });
    if (!says_little || numbers_only) forms.push_back(std::move(form));
  }

  std::optional<std::string> find(std::string_view text) {
    if (const auto found = exact.find(text); found != exact.end()) {
      asked.found.insert(found->first);
      return found->second;
    }
    for (const TextForm& form : forms) {
      const auto places = places_in(text, form.english);
      if (!places || places->size() != form.french.places.size()) continue;
      asked.found.insert(form.key);
      std::string filled = form.french.texts.front();
      for (std::size_t i = 0; i < places->size(); ++i) {
        const std::string_view place = (*places)[i];
        const bool is_name = form.english.places[i] == Place::name;
        const auto inner = !is_name && place.size() < text.size() ? find(place) : std::nullopt;
        filled += inner ? *inner : std::string(place);
        filled += form.french.texts[i + 1];
      }
      return filled;
    }
    return std::nullopt;
  }
};

FrenchTexts& french() {
  static FrenchTexts texts;
  return texts;
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

std::string tr(std::string_view english) {
  if (language() == Language::english || english.empty()) return std::string(english);
  FrenchTexts& texts = french();
  const std::lock_guard lock(texts.mutex);
  if (auto found = texts.find(english)) return *std::move(found);
  texts.asked.missing.emplace(english);
  return std::string(english);
}

std::string tr_known(std::string_view english) {
  if (language() == Language::english) return std::string(english);
  FrenchTexts& texts = french();
  const std::lock_guard lock(texts.mutex);
  auto found = texts.find(english);
  return found ? *std::move(found) : std::string(english);
}

std::string tr_counted(std::uint64_t number, std::string_view one) {
  // In French none is singular.
  const bool single = number == 1 || (number == 0 && language() == Language::french);
  return fmt::format("{} {}", number, tr(plural(single ? 1 : 2, one)));
}

const std::vector<std::pair<std::string, std::string>>& french_texts() { return french().all; }
const LookedUp& looked_up_texts() { return french().asked; }

}  // namespace damier
