// Static exchange evaluation (SEE): what a capture gains when both sides go on taking on its
// square, each time with the least piece, for as long as it pays.
#pragma once

#include "damier/games/chess/attacks.h"
#include "damier/games/chess/state.h"

namespace damier::search::chess {

// What pieces attack, for code that is compiled for any processor.
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

// By kind, in hundredths of a pawn; a king is never lost.
inline constexpr int kSeeValues[games::chess::kKinds] = {100, 320, 330, 500, 950, 0};

// Whether the move gains at least `threshold`. Pins are ignored.
bool see_ge(const Attacks& attacks, const games::chess::State& state, games::chess::Move move,
            int threshold);

}  // namespace damier::search::chess
