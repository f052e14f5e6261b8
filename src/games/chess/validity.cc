#include "damier/games/chess/validity.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace damier::games::chess {

namespace {

Error error(std::string message) { return Error{std::move(message)}; }

Status check_counts(const State& state) {
  constexpr int kAtStart[kKinds] = {8, 2, 2, 2, 1, 1};
  for (const Side side : {Side::first, Side::second}) {
    const auto count = [&](Kind kind) { return bit_count(state.of(side, kind)); };
    const int kings = count(Kind::king), pawns = count(Kind::pawn);
    if (kings != 1) {
      return error(fmt::format("{} has {} kings, not one", side_name(side), kings));
    }
    if (pawns > 8)
      return error(fmt::format("{} has {} pawns, more than 8", side_name(side), pawns));
    int promoted = 0;
    for (const Kind kind : {Kind::knight, Kind::bishop, Kind::rook, Kind::queen}) {
      promoted += std::max(0, count(kind) - kAtStart[index(kind)]);
    }
    if (promoted + pawns > 8) {
      return error(
          fmt::format("{} has too many pieces: {} must have been promoted, and {} pawns "
                      "are still there",
                      side_name(side), promoted, pawns));
    }
  }
  if (const Bitboard wrong = state.of(Kind::pawn) & (kRank1 | kRank8); wrong != 0) {
    return error(fmt::format("a pawn on {}; pawns stand on ranks 2 to 7",
                             square_name(square_at(lowest_bit(wrong)))));
  }
  return Done{};
}

Status check_kings(const State& state, const Generator& generator) {
  const Square white = state.king(Side::first), black = state.king(Side::second);
  if (std::abs(file_of(white) - file_of(black)) <= 1 &&
      std::abs(rank_of(white) - rank_of(black)) <= 1) {
    return error(fmt::format("the kings on {} and {} stand side by side", square_name(white),
                             square_name(black)));
  }
  State other = state;
  other.side = opponent(state.side);
  if (const Bitboard checkers = generator.checkers(other); checkers != 0) {
    return error(fmt::format("{} is in check from {}, but it is {}'s move", side_name(other.side),
                             square_name(square_at(lowest_bit(checkers))), side_name(state.side)));
  }
  if (const int checks = bit_count(generator.checkers(state)); checks > 2) {
    return error(fmt::format("{} pieces give check at once", checks));
  }
  return Done{};
}

}  // namespace

Status check_position(const State& state, const Generator& generator) {
  TRY(check_counts(state));
  return check_kings(state, generator);
}

}  // namespace damier::games::chess
