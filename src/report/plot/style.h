// The colours of figures and pages. Marks carry class names, and the style sheet turns those into
// colours for a light page, a dark one and paper.
#pragma once

#include <string>
#include <string_view>

namespace damier::report {

// Steps of the colour ramps of heat maps: classes q0 … and, for ramps with a middle, d0 ….
constexpr int kRampSteps = 17;

// Page and drawing have the same ground, so that rings around markers vanish into it.
constexpr std::string_view kLightSurface = "#ffffff";
constexpr std::string_view kDarkSurface = "#14171c";

// The declarations of the colour variables, without a selector.
std::string light_variables();
std::string dark_variables();

}  // namespace damier::report
