// Positions as text: Forsyth-Edwards notation, with the castling fields of X-FEN and Shredder-FEN
// for Chess960 ("KQkq" means the outermost rooks, a file's letter any other).
#pragma once

#include <string>
#include <string_view>

#include "damier/base/result.h"
#include "damier/games/chess/generator.h"

namespace damier::games::chess {

// The en passant square is written only when the capture is legal.
std::string fen_text(const State& state);

// Takes four fields (the clocks are then 0 and 1) or six. The error names the field. Positions that
// cannot be are refused: other than one king a side, pawns on the last ranks, more pieces than
// promotion allows, the side that has moved in check, rights to castle or to take en passant that
// the board contradicts.
Result<State> parse_fen(std::string_view text, const Generator& generator);

// "KQRBNP" for White, small for Black; nothing for any other letter.
std::optional<Piece> piece_of_letter(char letter);
char fen_letter(Piece piece);

}  // namespace damier::games::chess
