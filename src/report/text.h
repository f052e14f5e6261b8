// A page as text for a terminal: its facts, tables and curves. What is for the eyes alone (bars,
// maps, boards) and what is for programs (JSON, commands in blocks) stands on the page of HTML.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/report/page.h"

namespace damier::report {

struct TextStyle {
  int columns = 100;    // no line is longer, but those of facts that are kept whole
  bool unicode = true;  // else ASCII
  // Titles and headings, as the terminal marks them.
  std::function<std::string(std::string_view)> strong = [](std::string_view text) {
    return std::string(text);
  };
};

std::string text(const Page& page, const TextStyle& style);

// A curve drawn with characters: `height` lines of at most `width` columns, and one more for the
// scale below. Points are (x, y) in rising order of x; those that are not finite are left out, and
// without any there are no lines. With `unicode` a character holds 2 x 4 dots (braille).
std::vector<std::string> curve_text(const std::vector<std::pair<double, double>>& points, int width,
                                    int height, bool unicode);

}  // namespace damier::report
