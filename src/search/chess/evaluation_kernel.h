// The body of the hand-written evaluation, included once for each instruction set by a file that is
// compiled with its own flags. As in games/chess/move_kernel.h nothing here may come out as a
// shared inline function: hence plain arrays and internal linkage only.
#pragma once

#include "damier/games/chess/attacks.h"
#include "damier/search/chess/evaluation.h"
#include "damier/search/chess/evaluation_weights.h"

namespace damier::search::chess {

namespace {

using namespace games::chess;

enum : int { kPawn, kKnight, kBishop, kRook, kQueen, kKing };

constexpr Bitboard kAllSquares = ~Bitboard{0};

[[gnu::always_inline]] inline Bitboard beside(Bitboard x) {
  return ((x & ~kFileA) >> 1) | ((x & ~kFileH) << 1);
}
[[gnu::always_inline]] inline Bitboard fill_up(Bitboard x) {
  x |= x << 8;
  x |= x << 16;
  return x | x << 32;
}
[[gnu::always_inline]] inline Bitboard fill_down(Bitboard x) {
  x |= x >> 8;
  x |= x >> 16;
  return x | x >> 32;
}
[[gnu::always_inline]] inline int distance(int a, int b) {
  const int files = (a & 7) - (b & 7), ranks = (a >> 3) - (b >> 3);
  const int file_distance = files < 0 ? -files : files, rank_distance = ranks < 0 ? -ranks : ranks;
  return file_distance > rank_distance ? file_distance : rank_distance;
}

// The board as one side sees it: its first rank is the lowest.
template <bool kWhite>
struct Sight {
  static Bitboard forward(Bitboard x) { return kWhite ? x << 8 : x >> 8; }
  static Bitboard pawn_attacks(Bitboard x) { return forward(beside(x)); }
  static Bitboard fill_forward(Bitboard x) { return kWhite ? fill_up(x) : fill_down(x); }
  static Bitboard in_front(Bitboard x) { return fill_forward(forward(x)); }
  static Bitboard rank(int n) { return kRank1 << (8 * (kWhite ? n : 7 - n)); }
  static int rank_of(int square) { return kWhite ? square >> 3 : 7 - (square >> 3); }
  // Left and right are the same: half a board of weights.
  static int half(int square) {
    const int file = square & 7;
    return 4 * rank_of(square) + (file < 4 ? file : 7 - file);
  }
};

template <class Bits>
class EvaluationPass {
 public:
  EvaluationPass(const AttackTables& tables, const State& state) : tables_(tables), state_(state) {
    occupied_ = state.sides[0] | state.sides[1];
    for (int side = 0; side < 2; ++side) {
      king_[side] = lowest_bit(state.sides[side] & state.kinds[kKing]);
      pawns_[side] = state.sides[side] & state.kinds[kPawn];
    }
  }

  // The pawns alone, or what is known of them.
  void pawn_structure(PawnEntry& entry) {
    if (entry.pawns[0] == pawns_[0] && entry.pawns[1] == pawns_[1]) {
      total_ = entry.score;
      return;
    }
    entry.passed = 0;
    pawns_of<true>(entry.passed);
    pawns_of<false>(entry.passed);
    entry.pawns[0] = pawns_[0];
    entry.pawns[1] = pawns_[1];
    entry.score = total_;
  }

  void pieces(Bitboard passed) {
    prepare<true>();
    prepare<false>();
    pieces_of<true>();
    pieces_of<false>();
    threats_of<true>();
    threats_of<false>();
    passed_of<true>(passed);
    passed_of<false>(passed);
    king_of<true>();
    king_of<false>();
  }

  // The weights of all terms, packed, in White's view.
  int total() const { return total_; }

  int phase() const {
    const Bitboard minors = state_.kinds[kKnight] | state_.kinds[kBishop];
    const int phase = Bits::count(minors) + 2 * Bits::count(state_.kinds[kRook]) +
                      4 * Bits::count(state_.kinds[kQueen]);
    return phase < kWholePhase ? phase : kWholePhase;
  }

  // How much of the endgame advantage of that side counts, in 64ths.
  int scale(bool white_is_ahead) const {
    const int strong = white_is_ahead ? 0 : 1, weak = 1 - strong;
    const Bitboard own = state_.sides[strong], others = state_.sides[weak];
    const Bitboard bishops = state_.kinds[kBishop];
    const int value = non_pawn_material(own), against = non_pawn_material(others);
    if (pawns_[strong] == 0) {
      if (value < 5) return 0;  // a minor piece alone cannot mate
      if (value == 6 && (occupied_ & others & ~state_.kinds[kKing]) == 0 &&
          (own & state_.kinds[kKnight]) == (own & ~state_.kinds[kKing])) {
        return 0;  // nor can two knights
      }
      if (value - against < 4) return 8;
    } else if (value == 3 && against == 0 && (own & bishops) != 0 && corner_is_held(strong)) {
      return 0;
    }
    if (Bits::count(own & bishops) == 1 && Bits::count(others & bishops) == 1 &&
        Bits::count(bishops & kLightSquares) == 1) {
      return value == 3 && against == 3 ? 24 : 48;
    }
    const int pawns = Bits::count(pawns_[strong]);
    return pawns >= 4 ? 64 : 44 + 5 * pawns;
  }

  // A lone king is driven to the edge and towards the other king; by bishop and knight into a
  // corner of the bishop's colour. White's view.
  int mop_up(bool white_is_ahead) const {
    const int strong = white_is_ahead ? 0 : 1, weak = 1 - strong;
    if ((state_.sides[weak] & ~state_.kinds[kKing]) != 0) return 0;
    const Bitboard own = state_.sides[strong];
    const int value = non_pawn_material(own);
    if (value < 5) return 0;
    const int king = king_[weak], file = king & 7, rank = king >> 3;
    const int from_centre = (file < 4 ? 3 - file : file - 4) + (rank < 4 ? 3 - rank : rank - 4);
    int score = 200 + 20 * from_centre + 10 * (7 - distance(king_[0], king_[1]));
    const Bitboard bishops = own & state_.kinds[kBishop], knights = own & state_.kinds[kKnight];
    if (value == 6 && bishops != 0 && knights != 0) {
      const bool light = (bishops & kLightSquares) != 0;
      const int first = distance(king, light ? 7 : 0), second = distance(king, light ? 56 : 63);
      score += 40 * (7 - (first < second ? first : second));
    }
    return white_is_ahead ? score : -score;
  }

 private:
  // Of pieces but pawns and kings, in pawns.
  int non_pawn_material(Bitboard pieces) const {
    return 3 * Bits::count(pieces & (state_.kinds[kKnight] | state_.kinds[kBishop])) +
           5 * Bits::count(pieces & state_.kinds[kRook]) +
           9 * Bits::count(pieces & state_.kinds[kQueen]);
  }

  // All pawns on one edge file, whose last square the bishop cannot guard and the other king can.
  bool corner_is_held(int strong) const {
    const Bitboard pawns = pawns_[strong];
    const bool on_a = (pawns & ~kFileA) == 0, on_h = (pawns & ~kFileH) == 0;
    if (!on_a && !on_h) return false;
    const int corner = (on_a ? 0 : 7) + (strong == 0 ? 56 : 0);
    const Bitboard bishops = state_.sides[strong] & state_.kinds[kBishop];
    const bool corner_is_light = (bit(corner) & kLightSquares) != 0;
    const bool bishop_is_light = (bishops & kLightSquares) != 0;
    return corner_is_light != bishop_is_light && distance(king_[1 - strong], corner) <= 1;
  }

  template <bool kWhite>
  [[gnu::always_inline]] void add(int weight, int times = 1) {
    total_ += kWhite ? weight * times : -weight * times;
  }

  template <bool kWhite>
  void pawns_of(Bitboard& passed) {
    using S = Sight<kWhite>;
    constexpr int kUs = kWhite ? 0 : 1;
    const Bitboard own = pawns_[kUs], others = pawns_[1 - kUs];
    const Bitboard attacks = S::pawn_attacks(own);
    const Bitboard other_attacks = Sight<!kWhite>::pawn_attacks(others);
    // Squares that an own pawn can ever attack, and those that another pawn can stop or take on.
    const Bitboard ever_attacked = S::fill_forward(attacks);
    const Bitboard front_of_others = Sight<!kWhite>::in_front(others);
    const Bitboard stopped = front_of_others | beside(front_of_others);
    for (Bitboard left = own; left != 0;) {
      const int square = take_lowest(left);
      const Bitboard here = bit(square);
      const int rank = S::rank_of(square);
      add<kWhite>(kWeights.material[kPawn]);
      add<kWhite>(kWeights.square[kPawn][S::half(square)]);
      const Bitboard file = fill_up(fill_down(here)), neighbours = beside(file);
      const bool open = (file & S::in_front(here) & others) == 0;
      const bool phalanx = (beside(here) & own) != 0, supported = (attacks & here) != 0;
      if ((S::in_front(here) & own) != 0) add<kWhite>(kWeights.doubled);
      if (phalanx) add<kWhite>(kWeights.phalanx[rank]);
      if (supported) add<kWhite>(kWeights.supported[rank]);
      if ((neighbours & own) == 0) {
        add<kWhite>(kWeights.isolated[open ? 1 : 0]);
      } else if (!phalanx && !supported && (ever_attacked & here) == 0 &&
                 (S::forward(here) & (other_attacks | others)) != 0) {
        add<kWhite>(kWeights.backward[open ? 1 : 0]);
      }
      if ((here & stopped) == 0 && (S::in_front(here) & own) == 0) {
        passed |= here;
        add<kWhite>(kWeights.passed[rank]);
      } else if (open && rank >= 3) {
        // Held up by neighbours alone, and no more of them than help it.
        const int guards = Bits::count(S::in_front(beside(here)) & others);
        const int helpers =
            Bits::count(beside(here) & own) + Bits::count(Sight<!kWhite>::pawn_attacks(here) & own);
        if (helpers >= guards) add<kWhite>(kWeights.candidate[rank]);
      }
    }
  }

  template <bool kWhite>
  void prepare() {
    using S = Sight<kWhite>;
    constexpr int kUs = kWhite ? 0 : 1;
    const int king = king_[kUs];
    const Bitboard by_pawns = S::pawn_attacks(pawns_[kUs]);
    const Bitboard by_king = tables_.king[king];
    attacked_by_[kUs][kPawn] = by_pawns;
    attacked_by_[kUs][kKing] = by_king;
    attacked_[kUs] = by_pawns | by_king;
    attacked_twice_[kUs] = (by_pawns & by_king) | (S::forward((pawns_[kUs] & ~kFileA) >> 1) &
                                                   S::forward((pawns_[kUs] & ~kFileH) << 1));
    zone_[kUs] = by_king | bit(king) | S::forward(by_king);
    // Own pawns that cannot move, or have not yet, and the king are in the way.
    const Bitboard blocked =
        pawns_[kUs] & (Sight<!kWhite>::forward(occupied_) | S::rank(1) | S::rank(2));
    area_[kUs] = ~(blocked | bit(king) | Sight<!kWhite>::pawn_attacks(pawns_[1 - kUs]));
  }

  // What every piece but pawns and kings has: its place, its mobility, its part in an attack on the
  // king.
  template <bool kWhite, int kKind>
  void non_pawn(int square, Bitboard attacks, const Weight* mobility) {
    constexpr int kUs = kWhite ? 0 : 1;
    constexpr int kUnits[5] = {0, 3, 2, 3, 5};
    add<kWhite>(kWeights.material[kKind]);
    add<kWhite>(kWeights.square[kKind][Sight<kWhite>::half(square)]);
    attacked_twice_[kUs] |= attacked_[kUs] & attacks;
    attacked_[kUs] |= attacks;
    attacked_by_[kUs][kKind] |= attacks;
    add<kWhite>(mobility[Bits::count(attacks & area_[kUs])]);
    if (const Bitboard near = attacks & zone_[1 - kUs]; near != 0) {
      ++attackers_[kUs];
      units_[kUs] += kUnits[kKind] + Bits::count(near);
    }
  }

  template <bool kWhite>
  void pieces_of() {
    using S = Sight<kWhite>;
    constexpr int kUs = kWhite ? 0 : 1;
    const Bitboard own = state_.sides[kUs];
    const Bitboard by_pawns = attacked_by_[kUs][kPawn];
    const Bitboard other_pawns = pawns_[1 - kUs];
    const Bitboard pawn_attack_span =
        beside(Sight<!kWhite>::in_front(other_pawns));  // where they can ever attack
    const Bitboard outposts = (S::rank(3) | S::rank(4) | S::rank(5)) & by_pawns & ~pawn_attack_span;
    const Bitboard sheltered = Sight<!kWhite>::forward(state_.kinds[kPawn]);
    const Bitboard queens = state_.kinds[kQueen];

    const Bitboard knights = own & state_.kinds[kKnight];
    for (Bitboard left = knights; left != 0;) {
      const int square = take_lowest(left);
      non_pawn<kWhite, kKnight>(square, tables_.knight[square], kWeights.knight_mobility);
    }
    add<kWhite>(kWeights.knight_outpost, Bits::count(knights & outposts));
    const Bitboard bishops = own & state_.kinds[kBishop];
    for (Bitboard left = bishops; left != 0;) {
      const int square = take_lowest(left);
      non_pawn<kWhite, kBishop>(square,
                                bishop_attacks<Bits>(tables_, square, occupied_ ^ (queens & own)),
                                kWeights.bishop_mobility);
      const Bitboard colour = (bit(square) & kLightSquares) != 0 ? kLightSquares : ~kLightSquares;
      add<kWhite>(kWeights.bishop_pawns, Bits::count(colour & pawns_[kUs]));
    }
    add<kWhite>(kWeights.bishop_outpost, Bits::count(bishops & outposts));
    if ((bishops & kLightSquares) != 0 && (bishops & ~kLightSquares) != 0) {
      add<kWhite>(kWeights.bishop_pair);
    }
    add<kWhite>(kWeights.minor_behind_pawn, Bits::count((knights | bishops) & sheltered));
    const Bitboard own_files = fill_up(fill_down(pawns_[kUs]));
    const Bitboard other_files = fill_up(fill_down(other_pawns));
    for (Bitboard left = own & state_.kinds[kRook]; left != 0;) {
      const int square = take_lowest(left);
      non_pawn<kWhite, kRook>(
          square,
          rook_attacks<Bits>(tables_, square, occupied_ ^ (own & (queens | state_.kinds[kRook]))),
          kWeights.rook_mobility);
      if ((bit(square) & own_files) == 0) {
        add<kWhite>(kWeights.rook_open[(bit(square) & other_files) == 0 ? 1 : 0]);
      }
    }
    for (Bitboard left = own & queens; left != 0;) {
      const int square = take_lowest(left);
      non_pawn<kWhite, kQueen>(square,
                               rook_attacks<Bits>(tables_, square, occupied_) |
                                   bishop_attacks<Bits>(tables_, square, occupied_),
                               kWeights.queen_mobility);
    }
  }

  template <bool kWhite>
  void threats_of() {
    using S = Sight<kWhite>;
    constexpr int kUs = kWhite ? 0 : 1, kThem = 1 - kUs;
    const Bitboard others = state_.sides[kThem];
    const Bitboard non_pawns = others & ~pawns_[kThem] & ~state_.kinds[kKing];
    const Bitboard by_pawns = attacked_by_[kUs][kPawn];
    const Bitboard by_minors = attacked_by_[kUs][kKnight] | attacked_by_[kUs][kBishop];
    const Bitboard guarded =
        attacked_by_[kThem][kPawn] | (attacked_twice_[kThem] & ~attacked_twice_[kUs]);
    for (int kind = kKnight; kind <= kQueen; ++kind) {
      const Bitboard targets = others & state_.kinds[kind];
      add<kWhite>(kWeights.threat_by_pawn[kind], Bits::count(targets & by_pawns));
      add<kWhite>(kWeights.threat_by_minor[kind],
                  Bits::count(targets & by_minors & (kind >= kRook ? kAllSquares : ~guarded)));
      add<kWhite>(kWeights.threat_by_rook[kind],
                  Bits::count(targets & attacked_by_[kUs][kRook] &
                              (kind >= kQueen ? kAllSquares : ~guarded)));
    }
    const Bitboard loose = others & ~guarded & attacked_[kUs];
    add<kWhite>(kWeights.threat_by_king, Bits::count(loose & attacked_by_[kUs][kKing] &
                                                     ~attacked_[kThem] & ~state_.kinds[kKing]));
    add<kWhite>(kWeights.hanging,
                Bits::count(loose & ~state_.kinds[kKing] &
                            (~attacked_[kThem] | (non_pawns & attacked_twice_[kUs]))));
    // Steps of pawns that would attack another piece, onto squares where they may stay.
    const Bitboard safe =
        ~occupied_ & ~attacked_by_[kThem][kPawn] & (attacked_[kUs] | ~attacked_[kThem]);
    Bitboard steps = S::forward(pawns_[kUs]) & ~occupied_;
    steps |= S::forward(steps & S::rank(2)) & ~occupied_;
    add<kWhite>(kWeights.push_threat, Bits::count(S::pawn_attacks(steps & safe) & non_pawns));
    // Room behind the own pawns in the centre.
    constexpr Bitboard kCentreFiles = 0x3C3C3C3C3C3C3C3C;
    const Bitboard room = kCentreFiles & (S::rank(1) | S::rank(2) | S::rank(3)) & ~pawns_[kUs] &
                          ~attacked_by_[kThem][kPawn];
    add<kWhite>(kWeights.space, Bits::count(room));
  }

  template <bool kWhite>
  void passed_of(Bitboard passed) {
    using S = Sight<kWhite>;
    constexpr int kUs = kWhite ? 0 : 1, kThem = 1 - kUs;
    for (Bitboard left = passed & pawns_[kUs]; left != 0;) {
      const int square = take_lowest(left);
      const int rank = S::rank_of(square), next = square + (kWhite ? 8 : -8);
      if (rank < 3) continue;
      const int row = rank - 3;
      add<kWhite>(kWeights.passed_own_king[row][distance(king_[kUs], next)]);
      add<kWhite>(kWeights.passed_other_king[row][distance(king_[kThem], next)]);
      const Bitboard path = S::in_front(bit(square));
      if ((bit(next) & occupied_) == 0) {
        const Bitboard unsafe = attacked_[kThem] | state_.sides[kThem];
        if ((path & unsafe) == 0) {
          add<kWhite>(kWeights.passed_free[row][2]);
        } else if ((bit(next) & unsafe) == 0 || (bit(next) & attacked_[kUs]) != 0) {
          add<kWhite>(kWeights.passed_free[row][(bit(next) & unsafe) == 0 ? 1 : 0]);
        }
      }
      const Bitboard behind = Sight<!kWhite>::in_front(bit(square)) & state_.kinds[kRook];
      if ((behind & state_.sides[kUs]) != 0) add<kWhite>(kWeights.passed_rook[0]);
      if ((behind & state_.sides[kThem]) != 0) add<kWhite>(kWeights.passed_rook[1]);
    }
  }

  // The safety of a king: its shelter, and how much attacks it.
  template <bool kWhite>
  void king_of() {
    using S = Sight<kWhite>;
    constexpr int kUs = kWhite ? 0 : 1, kThem = 1 - kUs;
    const int king = king_[kUs], file = king & 7;
    add<kWhite>(kWeights.square[kKing][S::half(king)]);
    const int centre = file < 1 ? 1 : file > 6 ? 6 : file;
    const Bitboard not_behind = S::fill_forward(kRank1 << (king & 56));
    for (int f = centre - 1; f <= centre + 1; ++f) {
      const Bitboard column = kFileA << f;
      const Bitboard own = pawns_[kUs] & column & not_behind;
      const Bitboard others = pawns_[kThem] & column & not_behind;
      const int edge = f < 4 ? f : 7 - f;
      const int own_rank = own == 0 ? 0 : S::rank_of(nearest<kWhite>(own));
      const int other_rank = others == 0 ? 0 : S::rank_of(nearest<kWhite>(others));
      add<kWhite>(kWeights.shelter[edge][own_rank]);
      const bool blocked = own_rank != 0 && other_rank == own_rank + 1;
      add<kWhite>(blocked ? kWeights.blocked_storm[other_rank] : kWeights.storm[edge][other_rank]);
    }
    if (attackers_[kThem] == 0) return;
    // Squares where a check could not be answered by taking.
    const Bitboard weak = attacked_[kThem] & ~attacked_twice_[kUs] &
                          (~attacked_[kUs] | attacked_by_[kUs][kKing] | attacked_by_[kUs][kQueen]);
    const Bitboard safe =
        ~state_.sides[kThem] & (~attacked_[kUs] | (weak & attacked_twice_[kThem]));
    const Bitboard straight = rook_attacks<Bits>(tables_, king, occupied_);
    const Bitboard diagonal = bishop_attacks<Bits>(tables_, king, occupied_);
    int units = units_[kThem];
    if ((tables_.knight[king] & safe & attacked_by_[kThem][kKnight]) != 0) units += 8;
    if ((diagonal & safe & attacked_by_[kThem][kBishop]) != 0) units += 5;
    if ((straight & safe & attacked_by_[kThem][kRook]) != 0) units += 9;
    if (((straight | diagonal) & safe & attacked_by_[kThem][kQueen]) != 0) units += 7;
    units += 2 * Bits::count(zone_[kUs] & weak);
    if (attackers_[kThem] == 1) units /= 2;
    if ((state_.sides[kThem] & state_.kinds[kQueen]) == 0) units /= 2;
    add<kWhite>(kWeights.king_danger[units < kDangerSteps ? units : kDangerSteps - 1]);
  }

  // Of some squares on one file: the one nearest to that side's first rank.
  template <bool kWhite>
  static int nearest(Bitboard squares) {
    return kWhite ? lowest_bit(squares) : 63 - __builtin_clzll(squares);
  }

  const AttackTables& tables_;
  const State& state_;
  int total_ = 0;
  Bitboard occupied_;
  Bitboard pawns_[2];
  int king_[2];
  Bitboard attacked_by_[2][6] = {};
  Bitboard attacked_[2];
  Bitboard attacked_twice_[2];
  Bitboard zone_[2];
  Bitboard area_[2];  // where a piece has room: mobility counts these squares
  int attackers_[2] = {};
  int units_[2] = {};
};

// The two weights of the sum mixed by what is left on the board, for the side to move.
template <class Bits>
int evaluate_position(const AttackTables& tables, const State& state, PawnEntry& entry) {
  EvaluationPass<Bits> pass(tables, state);
  pass.pawn_structure(entry);
  pass.pieces(entry.passed);
  const int middle = middlegame_of(pass.total()), end = endgame_of(pass.total());
  const int phase = pass.phase(), scale = pass.scale(end > 0);
  int score = (middle * phase + end * scale / 64 * (kWholePhase - phase)) / kWholePhase;
  score = scale == 0 ? score / 32 : score + pass.mop_up(end > 0);
  if (state.side != games::Side::first) score = -score;
  score += kEvaluationTempo;
  constexpr int kMaxScore = 15'000;
  return score > kMaxScore ? kMaxScore : score < -kMaxScore ? -kMaxScore : score;
}

}  // namespace

}  // namespace damier::search::chess
