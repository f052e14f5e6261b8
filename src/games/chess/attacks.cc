#include "damier/games/chess/attacks.h"

#include <cassert>
#include <memory>

namespace damier::games::chess {

namespace {

// Multipliers that gather a slider's relevant squares into an index: one a square, found by trying
// random numbers with few bits until no two different reaches collide.
// clang-format off
constexpr std::uint64_t kRookMagics[kSquares] = {
  0x008000122C804000, 0xA840004010002004, 0x1080081000802000, 0x8100040810002100,
  0x0200020020100804, 0x0500040012280100, 0x04004A01009C1008, 0x2100005282092100,
  0x2100800080304000, 0x0001002090400102, 0x0101002001001040, 0x4000800800100080,
  0x0020800400080080, 0x010A001042000408, 0x0446000108040200, 0x80020001021040A4,
  0x0100888000401020, 0x0A40018020004082, 0x12A0010020124300, 0x8081010020100009,
  0x4001010010080004, 0x0400808004000200, 0x0080840008810210, 0x314052000B80C421,
  0x4000400180006092, 0x0110004040002004, 0x4010100080200085, 0x03C0420200201008,
  0x0148000404004020, 0xA002000280040080, 0x0200216400100882, 0xA002034200009124,
  0x04C0008020800040, 0x0860200080804000, 0x8A05001041002008, 0x05E0801000800804,
  0x0402280082800400, 0x1180200408011040, 0x00A8882104000210, 0x01162040A2000401,
  0x2080008140028020, 0x0820004010014024, 0x2201004020090011, 0x2003001000090021,
  0x0008008004008008, 0x0006000400090100, 0x0001501A08240081, 0x0020B10080420004,
  0x00402440800D0100, 0x0060100028400040, 0x0000401080220200, 0x0002100008008280,
  0x0488208041001002, 0x2022020080040080, 0x8482020810010400, 0x008014009C450200,
  0x4090208010410202, 0x2046002100408016, 0x1404800811204202, 0x0051088420100101,
  0x0181000208001005, 0x0011000400080201, 0x000810900A01480C, 0x00804412804108E2,
};

constexpr std::uint64_t kBishopMagics[kSquares] = {
  0x0002040802004A08, 0x0345500212002000, 0x0004140086188002, 0x0004052200003C80,
  0x2802021071000000, 0x00010108C104C201, 0x0882080209840040, 0x0255040044040404,
  0x0002285014082A50, 0x0000041042004311, 0x0000041400820002, 0x0280141D02021000,
  0x000208484100A406, 0x1800810421040000, 0x0800060101284000, 0x0004005048041002,
  0x107000200D410808, 0x2003000414081A00, 0x0008041021224230, 0x0022002020244060,
  0x001500089040080A, 0x0122004409010820, 0x002101060501A080, 0x017202A022010424,
  0x0020204511041101, 0x0A04242002300440, 0x0048140008004010, 0x2010040000440008,
  0x810901002C104005, 0x0205090000700800, 0x3808024821845414, 0x8004044021184201,
  0x00B0042040040888, 0x0051012100080801, 0x000128A800100082, 0x1001440400180120,
  0x500C004200440090, 0x0008080422291000, 0x00102202010080C0, 0x0001044102220B00,
  0x0000D82028003018, 0x8161043002148481, 0x0035144028001002, 0x0100008401021020,
  0x0108902010400200, 0x0008700882004020, 0x4010810230841401, 0x0010040100411030,
  0x0081009050080008, 0x112021041004420C, 0x0100282A01101942, 0x0020080020880008,
  0x0004831002088400, 0x020021200A288090, 0x0284444802040001, 0x0508280104002218,
  0x00420100411008A0, 0x0900008404010404, 0x0400200040441002, 0x2021020400411080,
  0x0004202031020600, 0x0004280420042100, 0x0040111002408400, 0x1004181008409100,
};
// clang-format on

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
    pawn[0][square] = step_from(square, {-1, 1}) | step_from(square, {1, 1});
    pawn[1][square] = step_from(square, {-1, -1}) | step_from(square, {1, -1});
    rook_lines[square] = slide(square, 0, Kind::rook);
    bishop_lines[square] = slide(square, 0, Kind::bishop);
    for (const auto& steps : {kRookSteps, kBishopSteps}) {
      for (int i = 0; i < 4; ++i) {
        king[square] |= step_from(square, steps[i]);
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
