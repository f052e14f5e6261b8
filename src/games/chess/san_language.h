// The pieces of SAN by the letters of a language: Nf3 is Cf3 in French.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "damier/base/text/language.h"

namespace damier::games::chess {

// Every move of a text, from English letters to those of a language.
std::string san_in_language(std::string_view text, Language language);
// One move, from the letters of a language to English ones. Letters that the language does not have
// are English already.
std::string san_in_english(std::string_view move, Language language);

// The letters of king, queen, rook, bishop and knight in English, and in languages that share them.
inline constexpr std::string_view kEnglishLetters = "KQRBN";
inline constexpr std::array<std::string_view, 10> kForeignLetters = {
    "KDTLS",   // German, Danish, Norwegian, Swedish
    "RDTFC",   // French
    "RDTAC",   // Spanish, Italian
    "KDTLP",   // Dutch
    "RDTBC",   // Portuguese
    "KHWGS",   // Polish
    "KDVSJ",   // Czech, Slovak
    "KVBFH",   // Hungarian
    "KDTLR",   // Finnish
    "RDTNC"};  // Romanian
// One move, from these letters to English ones; nothing where it has a letter of other pieces.
std::optional<std::string> san_from_letters(std::string_view move, std::string_view letters);

}  // namespace damier::games::chess
