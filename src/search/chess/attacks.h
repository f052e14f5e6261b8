// What pieces attack, for code that is compiled for any processor.
#pragma once

#include "damier/games/chess/slider_bits.h"
#include "damier/games/chess/state.h"

namespace damier::search::chess {

class Attacks {
 public:
  using Bitboard = games::chess::Bitboard;

  Attacks() : tables_(games::chess::attack_tables(Isa::plain)) {}

  Bitboard rook(int square, Bitboard occupied) const {
    return games::chess::rook_attacks<games::chess::MagicBits>(tables_, square, occupied);
  }
  Bitboard bishop(int square, Bitboard occupied) const {
    return games::chess::bishop_attacks<games::chess::MagicBits>(tables_, square, occupied);
  }

  // The pieces of both sides that attack the square when these squares are occupied.
  Bitboard to(int square, const games::chess::State& state, Bitboard occupied) const {
    using games::chess::Kind;
    const Bitboard queens = state.of(Kind::queen);
    return (tables_.pawn[1][square] & state.sides[0] & state.of(Kind::pawn)) |
           (tables_.pawn[0][square] & state.sides[1] & state.of(Kind::pawn)) |
           (tables_.knight[square] & state.of(Kind::knight)) |
           (tables_.king[square] & state.of(Kind::king)) |
           (rook(square, occupied) & (state.of(Kind::rook) | queens)) |
           (bishop(square, occupied) & (state.of(Kind::bishop) | queens));
  }

 private:
  const games::chess::AttackTables& tables_;
};

}  // namespace damier::search::chess
