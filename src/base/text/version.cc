#include "damier/base/text/version.h"

namespace damier {

std::string_view version() { return DAMIER_VERSION; }
std::string_view version_text() { return "damier " DAMIER_VERSION; }
std::string_view build_compiler() { return DAMIER_COMPILER; }

}  // namespace damier
