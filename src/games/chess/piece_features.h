// A position as the numbers of its pieces, for networks with sparse inputs: one feature for each
// piece on each square, as one side sees it. That side's pieces come first, its first rank is the
// first, and the board is mirrored left to right when its king stands on the files e to h.
#pragma once

#include <array>
#include <cstdint>

#include "damier/games/chess/state.h"

namespace damier::games::chess {

inline constexpr int kPieceFeatures = 2 * kKinds * kSquares;
inline constexpr int kMaxPieces = 32;

constexpr bool sees_mirrored(Square own_king) { return file_of(own_king) >= kBoardSize / 2; }

constexpr int piece_feature(Side viewer, bool mirrored, Piece piece, Square square) {
  const int seen =
      index(square) ^ (viewer == Side::first ? 0 : 56) ^ (mirrored ? kBoardSize - 1 : 0);
  return ((piece.side == viewer ? 0 : kKinds) + index(piece.kind)) * kSquares + seen;
}

struct PieceFeatures {
  std::array<std::uint16_t, kMaxPieces> numbers = {};
  int count = 0;
};

// Of all pieces, at most kMaxPieces.
inline PieceFeatures piece_features(const State& state, Side viewer) {
  const bool mirrored = sees_mirrored(state.king(viewer));
  PieceFeatures features;
  for (const Side side : {Side::first, Side::second}) {
    for (int kind = 0; kind < kKinds; ++kind) {
      Bitboard squares = state.of(side, kind_at(kind));
      while (squares != 0 && features.count < kMaxPieces) {
        const int feature =
            piece_feature(viewer, mirrored, {kind_at(kind), side}, square_at(take_lowest(squares)));
        features.numbers[static_cast<std::size_t>(features.count++)] =
            static_cast<std::uint16_t>(feature);
      }
    }
  }
  return features;
}

}  // namespace damier::games::chess
