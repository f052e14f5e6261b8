// The board to look at: pieces, the last move, a king in check, who has more; and moves by
// pointing.

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
    Cell& cell = picture.cells[static_cast<std::size_t>(cell_of(square))];
    cell.dark = (kLightSquares & bit(square)) == 0;
    const auto piece = state.at(square);
    if (!piece) continue;
    cell.tokens = {token_of(piece->kind, piece->side)};
    const bool checked = in_check && piece->kind == Kind::king && piece->side == state.side;
    if (checked) cell.tokens.front().state = "checked";
  }
  if (!played.empty()) {
    for (const Square square : {from_of(played.back()), target_of(played.back())}) {
      picture.cells[static_cast<std::size_t>(cell_of(square))].shade = Shade::highlight;
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
  const auto stands = [&](Square square, Kind kind, Side side) {
    const auto& tokens = placement.cells[static_cast<std::size_t>(cell_of(square))];
    return !tokens.empty() && tokens.front() == token_of(kind, side);
  };
  State state;
  for (int i = 0; i < kSquares; ++i) {
    for (const Side side : {Side::first, Side::second}) {
      for (int kind = 0; kind < kKinds; ++kind) {
        if (stands(square_at(i), kind_at(kind), side))
          state.put({kind_at(kind), side}, square_at(i));
      }
    }
  }
  for (const Side side : {Side::first, Side::second}) {
    const int rank = home_rank(side);
    if (!stands(square_at(4, rank), Kind::king, side)) continue;
    for (const int file : {0, 7}) {
      if (stands(square_at(file, rank), Kind::rook, side))
        state.castling |= bit(square_at(file, rank));
    }
  }
  state.side = placement.to_move;
  return position_text(state);
}

Gesture Chess::gesture(const State&, Move move) const {
  Gesture gesture{"move", {cell_of(from_of(move)), cell_of(target_of(move))}};
  if (is_promotion(move)) gesture.piece = kKindNames[index(promoted_of(move))];
  return gesture;
}

}  // namespace damier::games::chess
