// How networks read chess. Beside the board's own features there are a report's 97 bytes, as they
// are ("raw-bytes") or divided by 255 ("bytes"), its 769 bits ("bits", games/chess/encoders.h), and
// "mover": the 768 bits of the board as the side to move sees it. Rows of data sets keep the 97
// bytes that they follow from. "pieces" is for the engine's evaluation network: the numbers of the
// pieces as each side sees them (piece_rows.h), kept in 24 bytes.
//
// A head "value" that ends in a sigmoid says what White may expect, or, of "pieces", the side to
// move; any other one what the side to move may, as in every game.
#pragma once

#include "damier/games/chess/chess.h"
#include "damier/model/encoder.h"

namespace damier::model {

template <>
std::vector<EncoderKind<games::chess::Chess>> encoder_kinds();

namespace chess {

// Whether an encoder of that name, with or without rules behind it, keeps pieces.
bool reads_pieces(std::string_view encoder);

bool ends_in_sigmoid(const nn::NetworkSpec& spec, int head);

}  // namespace chess

}  // namespace damier::model
