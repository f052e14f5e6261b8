// A curve drawn with characters, for a terminal.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace damier::app {

// Lines of at most `width` columns, `height` of them for the drawing and one more for the scale
// below. Points are (x, y) in rising order of x; those that are not finite are left out, and
// without any there are no lines. With `unicode` a character holds 2 x 4 dots (braille).
std::vector<std::string> curve_text(const std::vector<std::pair<double, double>>& points, int width,
                                    int height, bool unicode);

}  // namespace damier::app
