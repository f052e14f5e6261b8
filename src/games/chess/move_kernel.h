// The body of the move generator, included once for each instruction set by a file that is compiled
// with its own flags. Nothing here may come out as a shared inline function, or the linker could
// pick the wide version for everybody: hence plain arrays and internal linkage only.
//
// No move is tried out. Checks and pins are found from the king's square first; then every piece
// gets exactly the squares that it may go to. A pinned piece stays on the line between its king and
// the pinner, and since no move leads from one pin line to another, all lines of a sort (straight,
// diagonal) are one set.
#pragma once

#include "damier/games/chess/attacks.h"
#include "damier/games/chess/generator.h"

namespace damier::games::chess {

namespace {

constexpr Bitboard kEverywhere = ~Bitboard{0};

// Directions as shifts of a white pawn's steps; Black's are the opposite.
template <bool kWhite>
struct Pawns {
  static Bitboard forward(Bitboard x) { return kWhite ? x << 8 : x >> 8; }
  static Bitboard take_left(Bitboard x) { return kWhite ? (x & ~kFileA) << 7 : (x & ~kFileA) >> 9; }
  static Bitboard take_right(Bitboard x) {
    return kWhite ? (x & ~kFileH) << 9 : (x & ~kFileH) >> 7;
  }
  static constexpr int kForward = kWhite ? 8 : -8;
  static constexpr int kLeft = kWhite ? 7 : -9;
  static constexpr int kRight = kWhite ? 9 : -7;
  static constexpr Bitboard kAfterFirstStep = kWhite ? kRank1 << 16 : kRank1 << 40;
  static constexpr Bitboard kLastRank = kWhite ? kRank8 : kRank1;
};

// Where generated moves go: only counted, or written down.
template <class Bits>
struct Counter {
  int count = 0;

  void piece(MoveType, int, Bitboard targets) { count += Bits::count(targets); }
  template <int kStep>
  void pawns(MoveType, Bitboard targets, Bitboard last_rank) {
    count += Bits::count(targets);
    if (const Bitboard promoting = targets & last_rank; promoting != 0) {
      count += 3 * Bits::count(promoting);
    }
  }
  void one(MoveType, int, int) { ++count; }
};

// The number of a move is linear in its squares, so a set of them is written in one go. The second
// argument of Bits::write is a length that most sets stay within.
template <class Bits>
struct Lister {
  Move* next;

  void piece(MoveType type, int from, Bitboard targets) {
    next = Bits::template write<1, 8>(next, number(from, type), targets);
  }
  template <int kStep>
  void pawns(MoveType type, Bitboard targets, Bitboard last_rank) {
    for (Bitboard promoting = targets & last_rank; promoting != 0;) {
      const int to = take_lowest(promoting);
      one(MoveType::promote_queen, to - kStep, to);
      one(MoveType::promote_knight, to - kStep, to);
      one(MoveType::promote_rook, to - kStep, to);
      one(MoveType::promote_bishop, to - kStep, to);
    }
    constexpr int kUsual = kStep % 8 != 0 ? 2 : 4;  // captures are rarer than steps
    next = Bits::template write<65, kUsual>(next, number(-kStep, type), targets & ~last_rank);
  }
  void one(MoveType type, int from, int to) { *next++ = make_move(from, to, type); }

 private:
  static unsigned number(int from, MoveType type) {
    return static_cast<unsigned>(64 * from) + (static_cast<unsigned>(type) << 12);
  }
};

template <class Bits, bool kWhite>
class Generation {
 public:
  Generation(const AttackTables& tables, const State& state)
      : tables_(tables),
        state_(state),
        own_(state.sides[kWhite ? 0 : 1]),
        enemy_(state.sides[kWhite ? 1 : 0]),
        occupied_(own_ | enemy_),
        diagonal_(state.kinds[index(Kind::bishop)] | state.kinds[index(Kind::queen)]),
        straight_(state.kinds[index(Kind::rook)] | state.kinds[index(Kind::queen)]),
        king_(lowest_bit(own_ & state.kinds[index(Kind::king)])) {
    find_checks_and_pins();
  }

  // Only the moves from and to the given squares; castling goes to the rook's.
  template <class Sink>
  void run(Sink& sink, Bitboard from, Bitboard to) const {
    const bool king_moves = (from & bit(king_)) != 0;
    const Bitboard steps = king_moves ? tables_.king[king_] & ~own_ & to : 0;
    const Bitboard rooks = king_moves && checkers_ == 0 ? state_.castling & own_ & to : 0;
    if ((steps | rooks) != 0) {
      const Bitboard attacked = attacked_squares();
      sink.piece(MoveType::king, king_, steps & ~attacked);
      castle(sink, rooks, attacked);
    }
    Bitboard allowed = ~own_ & to;
    if (checkers_ != 0) {
      if ((checkers_ & (checkers_ - 1)) != 0) return;  // from two pieces only the king escapes
      allowed &= checkers_ | tables_.between[king_][lowest_bit(checkers_)];
    }
    pawns(sink, own_ & from, allowed, to);
    pieces(sink, own_ & from, allowed);
  }

  Bitboard checkers() const { return checkers_; }

  // Whether a pawn may take en passant on the square: taking opens two squares of one rank at
  // once, so the king is looked at again with all three squares changed.
  bool may_take_en_passant(int from, int to) const {
    const int taken = to - Pawns<kWhite>::kForward;
    const Bitboard occupied = (occupied_ ^ bit(from) ^ bit(taken)) | bit(to);
    const Bitboard near = tables_.knight[king_] & state_.kinds[index(Kind::knight)];
    const Bitboard pawns =
        tables_.pawn[kWhite ? 0 : 1][king_] & state_.kinds[index(Kind::pawn)] & ~bit(taken);
    const Bitboard far = (rook_attacks<Bits>(tables_, king_, occupied) & straight_) |
                         (bishop_attacks<Bits>(tables_, king_, occupied) & diagonal_);
    return ((near | pawns | far) & enemy_) == 0;
  }

  Bitboard en_passant_takers(int to) const {
    return tables_.pawn[kWhite ? 1 : 0][to] & own_ & state_.kinds[index(Kind::pawn)];
  }

 private:
  void find_checks_and_pins() {
    checkers_ = ((tables_.knight[king_] & state_.kinds[index(Kind::knight)]) |
                 (tables_.pawn[kWhite ? 0 : 1][king_] & state_.kinds[index(Kind::pawn)])) &
                enemy_;
    straight_pins_ = pin_lines(tables_.rook_lines[king_] & straight_ & enemy_);
    diagonal_pins_ = pin_lines(tables_.bishop_lines[king_] & diagonal_ & enemy_);
  }

  // The sliders that look at the king: with nothing between they give check, with one own piece
  // between they pin it.
  Bitboard pin_lines(Bitboard sliders) {
    Bitboard lines = 0;
    while (sliders != 0) {
      const int square = take_lowest(sliders);
      const Bitboard line = tables_.between[king_][square];
      const Bitboard blockers = line & occupied_;
      if (blockers == 0) {
        checkers_ |= bit(square);
      } else if ((blockers & (blockers - 1)) == 0 && (blockers & own_) != 0) {
        lines |= line | bit(square);
      }
    }
    return lines;
  }

  // By the enemy, and as if the own king were not there: it cannot hide behind itself.
  Bitboard attacked_squares() const {
    const Bitboard occupied = occupied_ ^ bit(king_);
    const Bitboard pawns = enemy_ & state_.kinds[index(Kind::pawn)];
    Bitboard attacked = Pawns<!kWhite>::take_left(pawns) | Pawns<!kWhite>::take_right(pawns);
    attacked |= tables_.king[lowest_bit(enemy_ & state_.kinds[index(Kind::king)])];
    for (Bitboard knights = enemy_ & state_.kinds[index(Kind::knight)]; knights != 0;) {
      attacked |= tables_.knight[take_lowest(knights)];
    }
    for (Bitboard sliders = enemy_ & diagonal_; sliders != 0;) {
      attacked |= bishop_attacks<Bits>(tables_, take_lowest(sliders), occupied);
    }
    for (Bitboard sliders = enemy_ & straight_; sliders != 0;) {
      attacked |= rook_attacks<Bits>(tables_, take_lowest(sliders), occupied);
    }
    return attacked;
  }

  // King and rook may start on any files; only where they end is fixed.
  template <class Sink>
  void castle(Sink& sink, Bitboard rooks, Bitboard attacked) const {
    constexpr int kHome = kWhite ? 0 : 56;
    while (rooks != 0) {
      const int rook = take_lowest(rooks);
      const bool is_short = rook > king_;
      const int king_to = kHome + (is_short ? 6 : 2), rook_to = kHome + (is_short ? 5 : 3);
      const Bitboard king_path = tables_.between[king_][king_to] | bit(king_to);
      const Bitboard rook_path = tables_.between[rook][rook_to] | bit(rook_to);
      const Bitboard others = occupied_ ^ bit(king_) ^ bit(rook);
      // A pinned rook would uncover its king by going to the king's other side.
      if (((king_path | rook_path) & others) == 0 && (king_path & attacked) == 0 &&
          (straight_pins_ & bit(rook)) == 0) {
        sink.one(MoveType::castling, king_, rook);
      }
    }
  }

  template <class Sink>
  void pawns(Sink& sink, Bitboard movers, Bitboard allowed, Bitboard to) const {
    using P = Pawns<kWhite>;
    const Bitboard pawns = movers & state_.kinds[index(Kind::pawn)];
    const Bitboard empty = ~occupied_;
    const Bitboard pushing = pawns & ~diagonal_pins_;
    const Bitboard steps = (P::forward(pushing & ~straight_pins_) |
                            (P::forward(pushing & straight_pins_) & straight_pins_)) &
                           empty;
    sink.template pawns<P::kForward>(MoveType::pawn, steps & allowed, P::kLastRank);
    const Bitboard doubles = P::forward(steps & P::kAfterFirstStep) & empty & allowed;
    sink.template pawns<2 * P::kForward>(MoveType::double_push, doubles, 0);

    const Bitboard taking = pawns & ~straight_pins_;
    const Bitboard free = taking & ~diagonal_pins_, bound = taking & diagonal_pins_;
    const Bitboard targets = enemy_ & allowed;
    const Bitboard left = P::take_left(free) | (P::take_left(bound) & diagonal_pins_);
    const Bitboard right = P::take_right(free) | (P::take_right(bound) & diagonal_pins_);
    sink.template pawns<P::kLeft>(MoveType::pawn, left & targets, P::kLastRank);
    sink.template pawns<P::kRight>(MoveType::pawn, right & targets, P::kLastRank);

    // It may take a checker that stands elsewhere, hence not only where it is `allowed`.
    if (state_.en_passant != Square::none && (to & bit(state_.en_passant)) != 0) {
      const int passed = index(state_.en_passant);
      for (Bitboard takers = en_passant_takers(passed) & movers; takers != 0;) {
        const int from = take_lowest(takers);
        if (may_take_en_passant(from, passed)) sink.one(MoveType::en_passant, from, passed);
      }
    }
  }

  template <class Sink>
  void pieces(Sink& sink, Bitboard movers, Bitboard allowed) const {
    const Bitboard pins = straight_pins_ | diagonal_pins_;
    const Bitboard queens = state_.kinds[index(Kind::queen)];
    for (Bitboard knights = movers & state_.kinds[index(Kind::knight)] & ~pins; knights != 0;) {
      const int from = take_lowest(knights);
      sink.piece(MoveType::knight, from, tables_.knight[from] & allowed);
    }
    // A queen comes twice, once with each of her ways to go.
    for (Bitboard sliders = movers & diagonal_ & ~straight_pins_; sliders != 0;) {
      const int from = take_lowest(sliders);
      const Bitboard line = (diagonal_pins_ & bit(from)) != 0 ? diagonal_pins_ : kEverywhere;
      const MoveType type = (queens & bit(from)) != 0 ? MoveType::queen : MoveType::bishop;
      sink.piece(type, from, bishop_attacks<Bits>(tables_, from, occupied_) & allowed & line);
    }
    for (Bitboard sliders = movers & straight_ & ~diagonal_pins_; sliders != 0;) {
      const int from = take_lowest(sliders);
      const Bitboard line = (straight_pins_ & bit(from)) != 0 ? straight_pins_ : kEverywhere;
      const MoveType type = (queens & bit(from)) != 0 ? MoveType::queen : MoveType::rook;
      sink.piece(type, from, rook_attacks<Bits>(tables_, from, occupied_) & allowed & line);
    }
  }

  const AttackTables& tables_;
  const State& state_;
  Bitboard own_;
  Bitboard enemy_;
  Bitboard occupied_;
  Bitboard diagonal_;  // bishops and queens of both sides
  Bitboard straight_;  // rooks and queens
  int king_;
  Bitboard checkers_ = 0;
  Bitboard straight_pins_ = 0;  // the lines from the king to the pinning pieces, these included
  Bitboard diagonal_pins_ = 0;
};

// Calls `use` with the moves of the side to move.
template <class Bits, class Use>
[[gnu::always_inline]] inline auto with_moves(const AttackTables& tables, const State& state,
                                              Use use) {
  return state.side == Side::first ? use(Generation<Bits, true>(tables, state))
                                   : use(Generation<Bits, false>(tables, state));
}

template <class Bits>
int count_moves(const AttackTables& tables, const State& state) {
  return with_moves<Bits>(tables, state, [](const auto& moves) {
    Counter<Bits> counter;
    moves.run(counter, kEverywhere, kEverywhere);
    return counter.count;
  });
}

template <class Bits>
Move* list_some(const AttackTables& tables, const State& state, Bitboard from, Bitboard to,
                Move* out) {
  return with_moves<Bits>(tables, state, [=](const auto& moves) {
    Lister<Bits> lister{out};
    moves.run(lister, from, to);
    return lister.next;
  });
}

template <class Bits>
Bitboard find_checkers(const AttackTables& tables, const State& state) {
  return with_moves<Bits>(tables, state, [](const auto& moves) { return moves.checkers(); });
}

template <class Bits>
bool can_take_en_passant(const AttackTables& tables, const State& state, Square to) {
  return with_moves<Bits>(tables, state, [to = index(to)](const auto& moves) {
    for (Bitboard takers = moves.en_passant_takers(to); takers != 0;) {
      if (moves.may_take_en_passant(take_lowest(takers), to)) return true;
    }
    return false;
  });
}

template <class Bits>
constexpr MoveKernel make_kernel() {
  return {count_moves<Bits>, list_some<Bits>, find_checkers<Bits>, can_take_en_passant<Bits>};
}

}  // namespace

}  // namespace damier::games::chess
