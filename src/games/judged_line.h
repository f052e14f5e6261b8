// Positions with their exact answers as text, one a line: "POSITION;VALUE;MOVES".
//
// The value is win, draw or loss, with the plies to the end behind it where they are known, as
// "win 21". The moves are those that keep the value, or every legal one behind a mark that says
// what it is worth: "+21 gc3 gb2 +25 ca4 = da5 -20 rb4" has two that win in 21 plies.
#pragma once

#include <string_view>
#include <vector>

#include "damier/base/result.h"
#include "damier/games/known.h"

namespace damier::games {

struct JudgedMove {
  std::string_view text;
  Known known;
};

struct JudgedLine {
  std::string_view position;
  Known known;
  std::vector<JudgedMove> moves;  // the best first where all have marks
  bool has_marks = false;
};

// The texts are parts of `line`.
Result<JudgedLine> read_judged_line(std::string_view line);

}  // namespace damier::games
