#include "damier/games/chess/attacks.h"

#include <array>
#include <cassert>
#include <memory>

#include "damier/games/chess/magics.h"

namespace damier::games::chess {

namespace {

struct RayStep {
  int file;
  int rank;
};

constexpr RayStep kRookSteps[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
constexpr RayStep kBishopSteps[] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
constexpr RayStep kKnightSteps[] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                    {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

bool on_board(int file, int rank) { return file >= 0 && file < 8 && rank >= 0 && rank < 8; }

Bitboard step_from(int square, RayStep step) {
  const int file = square % kBoardSize + step.file, rank = square / kBoardSize + step.rank;
  return on_board(file, rank) ? bit(square_at(file, rank)) : 0;
}

Bitboard slide_along(int square, Bitboard occupied, RayStep step) {
  Bitboard attacked = 0;
  for (Bitboard here = step_from(square, step); here != 0;
       here = step_from(lowest_bit(here), step)) {
    attacked |= here;
    if ((occupied & here) != 0) break;
  }
  return attacked;
}

// A blocker on the last square of a line changes nothing.
Bitboard mask_of(int square, Kind kind) {
  const int file = square % kBoardSize, rank = square / kBoardSize;
  const Bitboard own_file = kFileA << file, own_rank = kRank1 << (kBoardSize * rank);
  const Bitboard edges = ((kRank1 | kRank8) & ~own_rank) | ((kFileA | kFileH) & ~own_file);
  return slide(square, 0, kind) & ~edges;
}

// Fills the part of the table that belongs to a square and returns where the next part begins.
Bitboard* fill_entry(SliderEntry& entry, Isa isa, int square, Kind kind, Bitboard* attacks) {
  const Bitboard mask = mask_of(square, kind);
  entry = {mask, (kind == Kind::rook ? kRookMagics : kBishopMagics)[square], attacks,
           64 - bit_count(mask)};
  const std::uint64_t size = std::uint64_t{1} << bit_count(mask);
  // All subsets of the mask, in the order in which PEXT counts them.
  Bitboard occupied = 0;
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::uint64_t at = isa == Isa::bmi2 ? i : (occupied * entry.magic) >> entry.shift;
    const Bitboard attacked = slide(square, occupied, kind);
    assert(attacks[at] == 0 || attacks[at] == attacked);  // the magic number works
    attacks[at] = attacked;
    occupied = (occupied - mask) & mask;
  }
  return attacks + size;
}

}  // namespace

Bitboard slide(int square, Bitboard occupied, Kind rook_or_bishop) {
  Bitboard attacked = 0;
  for (const RayStep step : rook_or_bishop == Kind::rook ? kRookSteps : kBishopSteps) {
    attacked |= slide_along(square, occupied, step);
  }
  return attacked;
}

AttackTables::AttackTables(Isa isa) : knight{}, king{}, pawn{}, between{}, sliders{} {
  Bitboard* next = sliders;
  for (int square = 0; square < kSquares; ++square) {
    for (const RayStep step : kKnightSteps) knight[square] |= step_from(square, step);
    for (const RayStep step : kRookSteps) king[square] |= step_from(square, step);
    for (const RayStep step : kBishopSteps) king[square] |= step_from(square, step);
    pawn[0][square] = step_from(square, {-1, 1}) | step_from(square, {1, 1});
    pawn[1][square] = step_from(square, {-1, -1}) | step_from(square, {1, -1});
    rook_lines[square] = slide(square, 0, Kind::rook);
    bishop_lines[square] = slide(square, 0, Kind::bishop);
    for (const auto& steps : {kRookSteps, kBishopSteps}) {
      for (int i = 0; i < 4; ++i) {
        Bitboard passed = 0;
        for (Bitboard line = step_from(square, steps[i]); line != 0;
             line = step_from(lowest_bit(line), steps[i])) {
          between[square][lowest_bit(line)] = passed;
          passed |= line;
        }
      }
    }
    next = fill_entry(rook[square], isa, square, Kind::rook, next);
    next = fill_entry(bishop[square], isa, square, Kind::bishop, next);
  }
  assert(next == sliders + std::size(sliders));
}

const AttackTables& attack_tables(Isa isa) {
  if (isa == Isa::bmi2) {
    static const auto kPext = std::make_unique<const AttackTables>(Isa::bmi2);
    return *kPext;
  }
  static const auto kMagic = std::make_unique<const AttackTables>(Isa::plain);
  return *kMagic;
}

}  // namespace damier::games::chess
