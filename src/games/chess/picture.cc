// The board to look at: pieces, the last move, a king in check, who has more; and moves by
// pointing.

#include <algorithm>
#include <iterator>

#include "damier/games/chess/chess.h"

namespace damier::games::chess {

namespace {

Token token_of(Kind kind, Side side) { return {std::string(kKindNames[index(kind)]), side}; }

// What a side has more than the other, strongest first.
std::vector<Token> surplus(const State& state, Side side) {
  std::vector<Token> more;
  for (const Kind kind : {Kind::queen, Kind::rook, Kind::bishop, Kind::knight, Kind::pawn}) {
    const int count = bit_count(state.of(side, kind)) - bit_count(state.of(opponent(side), kind));
    for (int i = 0; i < count; ++i) more.push_back(token_of(kind, side));
  }
  return more;
}

void add_caption(Picture& picture, const State& state, bool in_check) {
  Text caption = Text::of(in_check ? "Move {}, {} to move, in check" : "Move {}, {} to move",
                          state.move_number, Text(side_name(state.side)));
  for (const Side side : {Side::first, Side::second}) {
    auto more = surplus(state, side);
    if (more.empty()) continue;
    caption = Text::of("{}; {} has {} more", caption, Text(side_name(side)), "{}");
    picture.caption_pieces.push_back(std::move(more));
  }
  picture.caption = std::move(caption);
}

// Cells are counted from the eighth rank downwards.
int cell_of(Square square) {
  return kBoardSize * (kBoardSize - 1 - rank_of(square)) + file_of(square);
}

// A castling king is put where it will stand.
Square target_of(Move move) { return is_castling(move) ? castled_king(move) : to_of(move); }

}  // namespace

Picture Chess::picture(const State& state, std::span<const Move> played) const {
  const bool in_check = generator_.checkers(state) != 0;
  Picture picture{.rows = kBoardSize, .cols = kBoardSize, .chequered = true, .facing = true};
  picture.cells.resize(kSquares);
  for (int i = 0; i < kBoardSize; ++i) {
    picture.row_labels.emplace_back(1, static_cast<char>('8' - i));
    picture.col_labels.emplace_back(1, static_cast<char>('a' + i));
  }
  for (int i = 0; i < kSquares; ++i) {
    const auto square = static_cast<Square>(i);
    Cell& cell = picture.cells[at(cell_of(square))];
    cell.dark = (kLightSquares & bit(square)) == 0;
    const auto piece = state.at(square);
    if (!piece) continue;
    cell.tokens = {token_of(piece->kind, piece->side)};
    if (in_check && *piece == Piece{Kind::king, state.side}) cell.tokens[0].state = "checked";
  }
  if (!played.empty()) {
    for (const Square square : {from_of(played.back()), target_of(played.back())}) {
      picture.cells[at(cell_of(square))].shade = Shade::highlight;
    }
  }
  add_caption(picture, state, in_check);
  return picture;
}

std::vector<Token> Chess::pieces() {
  std::vector<Token> pieces;
  for (const Side side : {Side::first, Side::second}) {
    for (int kind = kKinds; kind-- > 0;) pieces.push_back(token_of(kind_at(kind), side));
  }
  return pieces;
}

// Who stands where a game begins may still castle.
std::string Chess::text_of(const Placement& placement) const {
  State state;
  state.side = placement.to_move;
  for (int i = 0; i < kSquares; ++i) {
    for (const Token& token : placement.cells[at(cell_of(square_at(i)))]) {
      const auto* kind = std::ranges::find(kKindNames, token.role);
      if (kind == std::end(kKindNames) || !token.side) continue;
      state.put({kind_at(static_cast<int>(kind - kKindNames)), *token.side}, square_at(i));
      break;
    }
  }
  for (const Side side : {Side::first, Side::second}) {
    const Bitboard king = bit(square_at(4, home_rank(side)));
    const Bitboard corners =
        bit(square_at(0, home_rank(side))) | bit(square_at(7, home_rank(side)));
    if ((state.of(side, Kind::king) & king) != 0) {
      state.castling |= state.of(side, Kind::rook) & corners;
    }
  }
  return position_text(state);
}

Gesture Chess::gesture(const State&, Move move) const {
  Gesture gesture{"move", {cell_of(from_of(move)), cell_of(target_of(move))}};
  if (is_promotion(move)) gesture.piece = kKindNames[index(promoted_of(move))];
  return gesture;
}

}  // namespace damier::games::chess
