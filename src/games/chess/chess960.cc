#include "damier/games/chess/chess960.h"

#include <array>
#include <cassert>

#include "damier/games/chess/zobrist.h"

namespace damier::games::chess {

namespace {

// Ten ways to put two knights on five squares.
constexpr int kKnightPlaces[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                      {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};

// By file. Kings mark the squares that are still empty until the last step.
std::array<Kind, kBoardSize> back_rank(int number) {
  std::array<Kind, kBoardSize> rank;
  rank.fill(Kind::king);
  // The n-th file that is still empty.
  const auto empty = [&rank](int n) -> Kind& {
    std::size_t file = 0;
    while (rank[file] != Kind::king || n-- > 0) ++file;
    return rank[file];
  };
  rank[static_cast<std::size_t>(2 * (number % 4) + 1)] = Kind::bishop;  // on a light square
  number /= 4;
  rank[static_cast<std::size_t>(2 * (number % 4))] = Kind::bishop;
  number /= 4;
  empty(number % 6) = Kind::queen;
  const auto& [left, right] = kKnightPlaces[number / 6];
  empty(right) = Kind::knight;  // the right one first: it does not move the left one's place
  empty(left) = Kind::knight;
  empty(2) = Kind::rook;  // three squares are left: the king stands between the rooks
  empty(0) = Kind::rook;
  return rank;
}

}  // namespace

State chess960_start(int number) {
  assert(number >= 0 && number < 960);
  State state;
  const auto rank = back_rank(number);
  for (int file = 0; file < kBoardSize; ++file) {
    const Kind kind = rank[static_cast<std::size_t>(file)];
    for (const Side side : {Side::first, Side::second}) {
      const int home = home_rank(side);
      state.put({kind, side}, square_at(file, home));
      state.put({Kind::pawn, side}, square_at(file, home == 0 ? 1 : 6));
    }
  }
  state.castling = state.of(Kind::rook);
  state.hash = zobrist_hash(state);
  return state;
}

bool castles_as_in_chess(const State& state) {
  for (const Side side : {Side::first, Side::second}) {
    const int home = home_rank(side);
    const Bitboard rights = state.castling & home_squares(side);
    const Bitboard corners = bit(square_at(0, home)) | bit(square_at(7, home));
    if (rights != 0 && (file_of(state.king(side)) != 4 || (rights & ~corners) != 0)) return false;
  }
  return true;
}

}  // namespace damier::games::chess
