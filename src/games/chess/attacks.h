// What pieces attack: tables made once, when the first game of chess is.
//
// A slider's attacks depend on the few squares in its mask. They are gathered into an index by a
// multiplication (magic) or by the PEXT instruction, and a table holds the attacks for each; the
// two orders differ, so there is a table for each way and a kernel must have its own.
#pragma once

#include "damier/base/parallel/isa.h"
#include "damier/games/chess/board.h"

namespace damier::games::chess {

struct SliderEntry {
  Bitboard mask;            // the squares that matter: the lines without their last squares
  std::uint64_t magic;      // of the magic order only
  const Bitboard* attacks;  // by index
  int shift;                // 64 less the number of squares in the mask
};

struct AttackTables {
  explicit AttackTables(Isa isa);
  AttackTables(const AttackTables&) = delete;  // the entries point into `sliders`
  AttackTables& operator=(const AttackTables&) = delete;

  Bitboard knight[kSquares];
  Bitboard king[kSquares];
  Bitboard pawn[2][kSquares];  // by side: the squares that a pawn there attacks
  SliderEntry rook[kSquares];
  SliderEntry bishop[kSquares];
  Bitboard rook_lines[kSquares];  // attacks on the empty board
  Bitboard bishop_lines[kSquares];
  Bitboard between[kSquares][kSquares];  // strictly; none unless on one line
  Bitboard sliders[102'400 + 5'248];
};

// In PEXT's order for bmi2, in magic order for the others. Made on the first call.
const AttackTables& attack_tables(Isa isa);

// The plain way, step by step: what the tables are made from.
Bitboard slide(int square, Bitboard occupied, Kind rook_or_bishop);

// How the attacks of a slider are looked up, in one of two orders of their tables, and how bits are
// counted. Code that is compiled for several instruction sets takes one of these as a parameter;
// everything is always inlined, so that no copy for wide instructions can be shared.
// On any processor, with attack_tables(Isa::plain).
struct MagicBits {
  [[gnu::always_inline]] static int count(Bitboard x) { return bit_count(x); }
  [[gnu::always_inline]] static std::uint64_t slot(const SliderEntry& entry, Bitboard occupied) {
    return ((occupied & entry.mask) * entry.magic) >> entry.shift;
  }
};

// With POPCNT and PEXT and attack_tables(Isa::bmi2).
#if defined(__BMI2__) && defined(__POPCNT__)
struct PextBits {
  [[gnu::always_inline]] static int count(Bitboard x) { return __builtin_popcountll(x); }
  [[gnu::always_inline]] static std::uint64_t slot(const SliderEntry& entry, Bitboard occupied) {
    return __builtin_ia32_pext_di(occupied, entry.mask);
  }
};
#endif

template <class Bits>
[[gnu::always_inline]] inline Bitboard rook_attacks(const AttackTables& tables, int square,
                                                    Bitboard occupied) {
  return tables.rook[square].attacks[Bits::slot(tables.rook[square], occupied)];
}

template <class Bits>
[[gnu::always_inline]] inline Bitboard bishop_attacks(const AttackTables& tables, int square,
                                                      Bitboard occupied) {
  return tables.bishop[square].attacks[Bits::slot(tables.bishop[square], occupied)];
}

}  // namespace damier::games::chess
