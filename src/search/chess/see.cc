#include "damier/search/chess/see.h"

namespace damier::search::chess {

using namespace games::chess;
using games::opponent;
using games::Side;

bool see_ge(const Attacks& attacks, const State& state, Move move, int threshold) {
  const MoveType type = type_of(move);
  if (type == MoveType::castling) return threshold <= 0;
  const int from = index(from_of(move)), to = index(to_of(move));
  Bitboard occupied = state.occupied();
  int gain = 0;
  int standing = kSeeValues[index(mover_of(move))];  // what can be taken back
  if (type == MoveType::en_passant) {
    gain = kSeeValues[index(Kind::pawn)];
    occupied ^= bit(to ^ 8);
  } else if ((occupied & bit(to)) != 0) {
    gain = kSeeValues[index(state.kind_on(bit(to)))];
  }
  if (is_promotion(move)) {
    standing = kSeeValues[index(promoted_of(move))];
    gain += standing - kSeeValues[index(Kind::pawn)];
  }
  // `balance` is what the side that has just taken is ahead of its aim, if the exchange ends here.
  int balance = gain - threshold;
  if (balance < 0) return false;
  if (balance - standing >= 0) return true;

  occupied = (occupied ^ bit(from)) | bit(to);
  const Bitboard straight = state.of(Kind::rook) | state.of(Kind::queen);
  const Bitboard diagonal = state.of(Kind::bishop) | state.of(Kind::queen);
  Bitboard attackers = attacks.to(to, state, occupied);
  Side side = opponent(state.side);
  bool good = true;  // for the one who moved first
  // From here on balance counts for the side that is to take next: it must become positive.
  balance = standing - balance;
  while (true) {
    attackers &= occupied;
    const Bitboard own = attackers & state.of(side);
    if (own == 0) break;
    int kind = 0;
    while ((own & state.kinds[kind]) == 0) ++kind;
    if (kind == index(Kind::king) && (attackers & state.of(opponent(side))) != 0) break;
    good = !good;
    side = opponent(side);
    // The one who took now risks its piece; if even losing it keeps it ahead, it has won.
    balance = kSeeValues[kind] - balance;
    if (balance < (good ? 1 : 0)) break;
    occupied ^= bit(lowest_bit(own & state.kinds[kind]));
    if (kind == index(Kind::pawn) || kind == index(Kind::bishop) || kind == index(Kind::queen)) {
      attackers |= attacks.bishop(to, occupied) & diagonal;
    }
    if (kind == index(Kind::rook) || kind == index(Kind::queen)) {
      attackers |= attacks.rook(to, occupied) & straight;
    }
  }
  return good;
}

}  // namespace damier::search::chess
