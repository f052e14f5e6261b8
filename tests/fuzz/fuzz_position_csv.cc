// Tables of chess positions: a wrong line is one line of error, an accepted one reads back.

#include <sstream>

#include "tests/fuzz/target.h"

#include "damier/games/chess/encoders.h"

using namespace damier;
using namespace damier::games::chess;

DAMIER_FUZZ_TARGET(position_csv, input) {
  std::istringstream in{std::string(input)};
  PositionCsvReader reader(in, "fuzz");
  PositionRow row;
  for (int lines = 0; lines < 1000; ++lines) {
    const auto more = reader.next(row);
    if (!more) {
      fuzz::require_one_line(more.error().text());
      continue;
    }
    if (!*more) break;
    std::ostringstream out;
    PositionCsvWriter(out).write(row.state, row.target);
    std::istringstream again(out.str());
    PositionCsvReader second(again, "written");
    PositionRow read;
    const auto found = second.next(read);
    fuzz::require(found.ok() && *found && read.state == row.state, "a written row reads back");
  }
}
