// A position in 24 bytes, as the side to move sees it, and the numbers of its pieces that the
// evaluation network reads (games/chess/piece_features.h).
#pragma once

#include <span>

#include "damier/games/chess/piece_features.h"

namespace damier::model::chess {

// The squares that are taken, in 8 bytes, and for each of them in order a piece in half a byte: its
// kind, and 8 for one of the side that waits.
inline constexpr std::size_t kPackedPieces = 24;
// What the mover sees, then what the other side sees; -1: no piece.
inline constexpr std::size_t kPieceInputs = 2 * games::chess::kMaxPieces;

// The bytes as numbers.
void pack_pieces(const games::chess::State& state, std::span<float, kPackedPieces> out);
// Whatever the bytes are, there are numbers of features.
void unpack_pieces(std::span<const float, kPackedPieces> packed,
                   std::span<float, kPieceInputs> out);

}  // namespace damier::model::chess
