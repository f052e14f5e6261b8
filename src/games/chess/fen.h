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

// Whether the pieces on a board and the side to move can be a position of chess: one king a side
// and not side by side, no pawns on the last ranks, no more pieces than promotion allows, the side
// that has moved not in check, at most two checks at once. Castling rights and en passant are not
// looked at. The move generator may be given nothing that fails here.
Status check_position(const State& state, const Generator& generator);

// The 960 starting positions of Chess960 (Fischer random chess) by Scharnagl's numbers, from 0 to
// 959; 518 is the start of chess.
State chess960_start(int number);

// Whether kings and rooks that may still castle stand as in chess.
bool castles_as_in_chess(const State& state);

}  // namespace damier::games::chess
