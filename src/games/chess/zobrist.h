// The random numbers behind the hash of a position (Zobrist, 1970): one for each thing that can be
// so or not, joined by exclusive or, so that a move changes only what it touches.
#pragma once

#include "damier/base/numbers/random.h"
#include "damier/games/chess/state.h"

namespace damier::games::chess {

struct ZobristKeys {
  std::uint64_t pieces[2][kKinds][kSquares] = {};
  std::uint64_t castling[kSquares] = {};  // by the rook's square
  std::uint64_t en_passant[kBoardSize] = {};
  std::uint64_t black_to_move = 0;
};

constexpr ZobristKeys make_zobrist_keys() {
  ZobristKeys keys;
  std::uint64_t counter = 0;
  const auto next = [&counter] { return mix64(counter += 0x9E3779B97F4A7C15u); };
  for (auto& side : keys.pieces) {
    for (auto& kind : side) {
      for (auto& square : kind) square = next();
    }
  }
  for (auto& square : keys.castling) square = next();
  for (auto& file : keys.en_passant) file = next();
  keys.black_to_move = next();
  return keys;
}

inline constexpr ZobristKeys kZobrist = make_zobrist_keys();

// From scratch: what playing keeps up to date step by step.
inline std::uint64_t zobrist_hash(const State& state) {
  std::uint64_t hash = state.side == Side::second ? kZobrist.black_to_move : 0;
  for (int side = 0; side < 2; ++side) {
    for (int kind = 0; kind < kKinds; ++kind) {
      for (Bitboard squares = state.sides[side] & state.kinds[kind]; squares != 0;) {
        hash ^= kZobrist.pieces[side][kind][take_lowest(squares)];
      }
    }
  }
  for (Bitboard rooks = state.castling; rooks != 0;) hash ^= kZobrist.castling[take_lowest(rooks)];
  if (state.en_passant != Square::none) hash ^= kZobrist.en_passant[file_of(state.en_passant)];
  return hash;
}

}  // namespace damier::games::chess
