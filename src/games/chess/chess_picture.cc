#include "damier/games/chess/chess_picture.h"

#include <fmt/format.h>

#include "damier/games/chess/fen.h"

namespace damier::games::chess {

namespace {

constexpr std::string_view kFrenchLetters = "PCFTDR";  // in the order of Kind
constexpr std::string_view kFigures[2][kKinds] = {{"♙", "♘", "♗", "♖", "♕", "♔"},
                                                  {"♟", "♞", "♝", "♜", "♛", "♚"}};
// What a side has more than the other, strongest first: "♛♟♟".
std::string surplus(const State& state, Side side, bool figures, const PictureStyle& style) {
  std::string text;
  for (const Kind kind : {Kind::queen, Kind::rook, Kind::bishop, Kind::knight, Kind::pawn}) {
    const int more = bit_count(state.of(side, kind)) - bit_count(state.of(opponent(side), kind));
    for (int i = 0; i < more; ++i) {
      const Piece piece = {kind, side};
      if (figures) {
        text += piece_figure(piece);
      } else {
        text += piece_letter(piece, style.language);
      }
    }
  }
  return text;
}

Text caption(const State& state, bool in_check, bool figures, const PictureStyle& style) {
  Text text = Text::of(in_check ? "Move {}, {} to move, in check" : "Move {}, {} to move",
                       state.move_number, Text(side_name(state.side)));
  for (const Side side : {Side::first, Side::second}) {
    const std::string more = surplus(state, side, figures, style);
    if (!more.empty()) text = Text::of("{}; {} has {} more", text, Text(side_name(side)), more);
  }
  return text;
}

}  // namespace

char piece_letter(Piece piece, Language language) {
  if (language == Language::english) return fen_letter(piece);
  const char letter = kFrenchLetters[static_cast<std::size_t>(index(piece.kind))];
  return piece.side == Side::first ? letter : static_cast<char>(letter - 'A' + 'a');
}

std::string_view piece_figure(Piece piece) {
  return kFigures[games::index(piece.side)][index(piece.kind)];
}

Picture chess_picture(const Generator& generator, const State& state, std::span<const Move> played,
                      const PictureStyle& style) {
  const bool in_check = generator.checkers(state) != 0;
  const bool white_below = style.bottom == Side::first;
  Bitboard marked = 0;
  if (!played.empty()) {
    const Move last = played.back();
    marked = bit(from_of(last)) | bit(is_castling(last) ? castled_king(last) : to_of(last));
  }
  Picture picture{.rows = kBoardSize, .cols = kBoardSize};
  picture.chequered = true;
  for (int row = 0; row < kBoardSize; ++row) {
    const int rank = white_below ? 7 - row : row;
    picture.row_labels.emplace_back(1, static_cast<char>('1' + rank));
    const int first_file = white_below ? row : 7 - row;  // rows and columns are labelled alike
    picture.col_labels.emplace_back(1, static_cast<char>('a' + first_file));
    for (int col = 0; col < kBoardSize; ++col) {
      const Square square = square_at(white_below ? col : 7 - col, rank);
      Cell cell;
      cell.dark = (kLightSquares & bit(square)) == 0;
      if (const auto piece = state.at(square)) {
        const std::string letter(1, piece_letter(*piece, style.language));
        const bool checked = in_check && piece->kind == Kind::king && piece->side == state.side;
        const Ink ink = checked                      ? Ink::alert
                        : piece->side == Side::first ? Ink::first
                                                     : Ink::second;
        cell.tokens.push_back(
            {style.figures ? std::string(piece_figure(*piece)) : letter, letter, ink, true});
      } else {
        // Dark squares carry a dot, so that diagonals can be followed.
        cell.tokens.push_back({cell.dark ? "·" : " ", cell.dark ? "." : " ", Ink::faint});
      }
      if ((marked & bit(square)) != 0) cell.shade = Shade::highlight;
      picture.cells.push_back(std::move(cell));
    }
  }
  picture.caption = caption(state, in_check, style.figures, style);
  picture.ascii_caption = caption(state, in_check, false, style);
  return picture;
}

}  // namespace damier::games::chess
