// The pieces of SAN by the letters of a language: Nf3 is Cf3 in French.
#pragma once

#include <string>
#include <string_view>

#include "damier/base/language.h"

namespace damier::games::chess {

// Every move of a text, from English letters to those of a language.
std::string san_in_language(std::string_view text, Language language);
// One move, from the letters of a language to English ones. Letters that the language does not have
// are English already.
std::string san_in_english(std::string_view move, Language language);

}  // namespace damier::games::chess
