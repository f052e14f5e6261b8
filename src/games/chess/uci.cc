#include "damier/games/chess/uci.h"

namespace damier::games::chess {

namespace {

constexpr std::string_view kPromotions = "nbrq";  // in the order of Kind

bool castles_as_in_chess(Move move) {
  const int rook_file = file_of(to_of(move));
  return file_of(from_of(move)) == 4 && (rook_file == 0 || rook_file == 7);
}

}  // namespace

std::string uci_text(Move move, bool chess960) {
  const bool two_steps = is_castling(move) && !chess960 && castles_as_in_chess(move);
  std::string text =
      square_name(from_of(move)) + square_name(two_steps ? castled_king(move) : to_of(move));
  if (is_promotion(move)) {
    text += kPromotions[static_cast<std::size_t>(index(promoted_of(move)) - index(Kind::knight))];
  }
  return text;
}

bool looks_like_uci(std::string_view text) {
  return (text.size() == 4 ||
          (text.size() == 5 && kPromotions.find(text[4]) != std::string_view::npos)) &&
         parse_square(text.substr(0, 2)) && parse_square(text.substr(2, 2));
}

std::optional<Move> find_uci(const Generator& generator, const State& state,
                             std::string_view text) {
  if (!looks_like_uci(text)) return std::nullopt;
  const Square from = *parse_square(text.substr(0, 2)), to = *parse_square(text.substr(2, 2));
  MoveList moves;
  generator.list_some(state, bit(from), ~Bitboard{0}, moves);
  std::optional<Move> castling;
  for (const Move move : moves) {
    // A king's own step goes before a castling that ends on the same square.
    if (is_castling(move) && castles_as_in_chess(move) && castled_king(move) == to) castling = move;
    if (to_of(move) != to || is_promotion(move) != (text.size() == 5)) continue;
    if (is_promotion(move) && uci_text(move, true) != text) continue;
    return move;
  }
  return text.size() == 4 ? castling : std::nullopt;
}

}  // namespace damier::games::chess
