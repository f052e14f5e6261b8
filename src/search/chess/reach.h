// Where pieces reach and what attacks a square, for code that is compiled for any processor.
#pragma once

#include "damier/games/chess/attacks.h"
#include "damier/games/chess/state.h"

namespace damier::search::chess {

class Reach {
 public:
  using Bitboard = games::chess::Bitboard;

  Reach() : tables_(games::chess::attack_tables(games::chess::SliderOrder::magic)) {}

  const games::chess::AttackTables& tables() const { return tables_; }
  Bitboard rook(int square, Bitboard occupied) const {
    return look_up(tables_.rook[square], occupied);
  }
  Bitboard bishop(int square, Bitboard occupied) const {
    return look_up(tables_.bishop[square], occupied);
  }

  // The pieces of both sides that attack the square when these squares are occupied.
  Bitboard attackers(const games::chess::State& state, int square, Bitboard occupied) const {
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
  static Bitboard look_up(const games::chess::SliderEntry& entry, Bitboard occupied) {
    return entry.reached[((occupied & entry.mask) * entry.magic) >> entry.shift];
  }

  const games::chess::AttackTables& tables_;
};

}  // namespace damier::search::chess
