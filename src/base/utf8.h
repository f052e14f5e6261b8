// Characters in UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace damier {

// The length of the valid sequence at the start of a text that is not empty, 0 when there is none.
std::size_t utf8_length(std::string_view text);
// The character that such a sequence stands for.
char32_t utf8_code_point(std::string_view character);

}  // namespace damier
