// Which Damier this is.
#pragma once

#include <string_view>

namespace damier {

std::string_view version();         // "0.1.0"
std::string_view version_text();    // "damier 0.1.0"
std::string_view build_compiler();  // "GNU 12.2.0"

}  // namespace damier
