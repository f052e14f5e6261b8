// How the attacks of a slider are looked up, in one of two orders of their tables, and how bits are
// counted. Code that is compiled for several instruction sets takes one of these as a parameter;
// everything is always inlined, so that no copy for wide instructions can be shared.
#pragma once

#include "damier/games/chess/attacks.h"

namespace damier::games::chess {

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
  const SliderEntry& entry = tables.rook[square];
  return entry.attacks[Bits::slot(entry, occupied)];
}

template <class Bits>
[[gnu::always_inline]] inline Bitboard bishop_attacks(const AttackTables& tables, int square,
                                                      Bitboard occupied) {
  const SliderEntry& entry = tables.bishop[square];
  return entry.attacks[Bits::slot(entry, occupied)];
}

}  // namespace damier::games::chess
