// Chess for networks: action indices, symmetries and planes.

#include <algorithm>
#include <cassert>

#include "damier/games/chess/chess.h"
#include "damier/games/chess/encoders.h"

namespace damier::games::chess {

namespace {

constexpr int kPairs = 1792;
constexpr int kPromotionWays = 22;  // two from the outer files, three from the others
constexpr int kActions = kPairs + 3 * kPromotionWays;

constexpr int distance(int a, int b) { return a < b ? b - a : a - b; }

// Whether a queen or a knight goes from one square to the other on an empty board.
constexpr bool are_joined(int from, int to) {
  const int files = distance(from % 8, to % 8), ranks = distance(from / 8, to / 8);
  return from != to && (files == 0 || ranks == 0 || files == ranks || files * ranks == 2);
}

struct PairTable {
  std::uint16_t action[kSquares][kSquares] = {};
  std::uint8_t from[kPairs] = {};
  std::uint8_t to[kPairs] = {};
};

constexpr auto kPairTable = [] {
  PairTable table;
  int next = 0;
  for (int from = 0; from < kSquares; ++from) {
    for (int to = 0; to < kSquares; ++to) {
      if (!are_joined(from, to)) continue;
      table.action[from][to] = static_cast<std::uint16_t>(next);
      table.from[next] = static_cast<std::uint8_t>(from);
      table.to[next] = static_cast<std::uint8_t>(to);
      ++next;
    }
  }
  return table;
}();
static_assert(kPairTable.from[kPairs - 1] == 63 && kPairTable.to[kPairs - 1] == 62);

constexpr bool is_lesser_promotion(Move move) {
  return is_promotion(move) && promoted_of(move) != Kind::queen;
}

constexpr std::array<Symmetry, 4> kSymmetries = {{
    {},
    {.mirror_rows = true, .swap_sides = true},
    {.mirror_cols = true},
    {.mirror_cols = true, .mirror_rows = true, .swap_sides = true},
}};

Square transformed_square(Square square, Symmetry symmetry) {
  if (square == Square::none) return square;
  const Cell2 to = symmetry.apply({rank_of(square), file_of(square)}, kBoardSize, kBoardSize);
  return square_at(to.col, to.row);
}

Bitboard transformed_squares(Bitboard squares, Symmetry symmetry) {
  Bitboard image = 0;
  while (squares != 0) {
    image |= bit(transformed_square(square_at(take_lowest(squares)), symmetry));
  }
  return image;
}

}  // namespace

int Chess::action_count() const { return kActions; }

Action Chess::action(const State&, Move move) const {
  const Square from = from_of(move), to = to_of(move);
  if (!is_lesser_promotion(move)) return action_at(kPairTable.action[index(from)][index(to)]);
  // From the a-file to a or b: 0, 1; from the b-file to a, b, c: 2, 3, 4; and so on to 21.
  const int way = 2 * file_of(from) + file_of(to);
  const int kind = index(promoted_of(move)) - index(Kind::knight);
  return action_at(kPairs + kPromotionWays * kind + way);
}

std::optional<Move> Chess::move(const State& state, Action action) const {
  if (drawn_by_rule(state)) return std::nullopt;
  const int i = games::index(action);
  const Bitboard from = i < kPairs ? bit(kPairTable.from[i]) : state.of(state.side, Kind::pawn);
  const Bitboard to = i < kPairs ? bit(kPairTable.to[i]) : kRank1 | kRank8;
  for (const Move candidate : generator_.list_some(state, from, to)) {
    if (this->action(state, candidate) == action) return candidate;
  }
  return std::nullopt;
}

std::span<const Symmetry> Chess::symmetries(const State& state) const {
  // Long and short castling have no mirror image.
  return std::span(kSymmetries).first(state.castling != 0 ? 2 : 4);
}

State Chess::transformed(const State& state, Symmetry symmetry) const {
  State image = state;
  for (Bitboard& squares : image.kinds) squares = transformed_squares(squares, symmetry);
  for (Bitboard& squares : image.sides) squares = transformed_squares(squares, symmetry);
  image.castling = transformed_squares(image.castling, symmetry);
  image.en_passant = transformed_square(image.en_passant, symmetry);
  if (symmetry.swap_sides) {
    std::swap(image.sides[0], image.sides[1]);
    image.side = opponent(image.side);
  }
  image.hash = zobrist_hash(image);
  return image;
}

Move Chess::transformed(Move move, Symmetry symmetry) const {
  return make_move(transformed_square(from_of(move), symmetry),
                   transformed_square(to_of(move), symmetry), type_of(move));
}

void Chess::write_features(const State& state, std::span<float> out) const {
  assert(out.size() == static_cast<std::size_t>(feature_shape().size()));
  write_bit_inputs(state, out.first<kBitInputs>());
  std::ranges::fill(out.last(kSquares), state.side == Side::first ? 1.0f : 0.0f);
}

}  // namespace damier::games::chess
