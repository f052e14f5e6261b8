// Chess positions: whatever is accepted has moves that can be played, prints, and reads back.

#include "tests/fuzz/target.h"

#include "damier/games/chess/chess.h"
#include "damier/games/chess/fen.h"

using namespace damier;
using namespace damier::games::chess;

DAMIER_FUZZ_TARGET(fen, input) {
  static const Chess game;
  const auto state = game.parse_position(input);
  if (!state) return fuzz::require_one_line(state.error().text());
  const auto again = game.parse_position(fen_text(*state));
  fuzz::require(again.ok() && *again == *state, "an accepted position reads back");
  for (const Move move : game.legal_moves(*state)) {
    State after = *state;
    game.play(after, move);
    fen_text(after);
  }
}
