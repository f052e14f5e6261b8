// Files of chess games: a broken game is one line, whatever is accepted is written and reads back.

#include <sstream>

#include "tests/fuzz/target.h"

#include "damier/games/chess/pgn.h"

using namespace damier;
using namespace damier::games::chess;

DAMIER_FUZZ_TARGET(pgn, input) {
  std::istringstream in{std::string(input)};
  PgnReader reader(in, "fuzz");
  PgnGame game;
  while (true) {
    const auto more = reader.next(game);
    if (!more) {
      fuzz::require_one_line(more.error().text());
      continue;
    }
    if (!*more) break;
    std::istringstream again(pgn_text(game));
    PgnReader second(again, "written");
    PgnGame read;
    const auto found = second.next(read);
    fuzz::require(found.ok() && *found, "a written game reads back");
    fuzz::require(read.line.size() == game.line.size(), "with all its moves");
  }
}
