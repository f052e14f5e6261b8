#include "damier/games/chess/san.h"

#include <algorithm>
#include <vector>

#include "damier/base/numbers/bits.h"
#include "damier/base/text/text.h"
#include "damier/games/chess/fen.h"

namespace damier::games::chess {

namespace {

// The legal moves that a pattern could mean, and perhaps a few more.
MoveList candidates(const Generator& generator, const State& state, const SanPattern& pattern) {
  return generator.list_some(state, state.of(state.side, pattern.kind),
                             pattern.to == Square::none ? state.castling : bit(pattern.to));
}

// "", "b", "1" or "b1": what tells this move from others of the same kind to the same square.
std::string distinction(const Generator& generator, const State& state, Move move) {
  const Bitboard others = state.of(state.side, mover_of(move)) & ~bit(from_of(move));
  if (others == 0) return "";
  bool any = false, same_file = false, same_rank = false;
  for (const Move other : generator.list_some(state, others, bit(to_of(move)))) {
    any = true;
    same_file |= file_of(from_of(other)) == file_of(from_of(move));
    same_rank |= rank_of(from_of(other)) == rank_of(from_of(move));
  }
  const std::string from = square_name(from_of(move));
  if (!any) return "";
  if (!same_file) return from.substr(0, 1);
  return same_rank ? from : from.substr(1, 1);
}

constexpr bool is_file(char c) { return c >= 'a' && c <= 'h'; }
constexpr bool is_rank(char c) { return c >= '1' && c <= '8'; }

void drop_suffix(std::string_view& text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
}

std::string_view without_marks(std::string_view text) {
  constexpr std::string_view kSuffixMarks = "+#!? \t";
  const auto drop_marks = [&] { text = text.substr(0, text.find_last_not_of(kSuffixMarks) + 1); };
  drop_marks();
  drop_suffix(text, "e.p.");
  drop_suffix(text, "ep");
  drop_marks();
  return text;
}

std::optional<SanPattern> parse_castling(std::string_view text) {
  if (text.size() != 3 && text.size() != 5) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::string_view(i % 2 == 1 ? "-" : "O0o").find(text[i]) == text.npos) return std::nullopt;
  }
  return SanPattern{.kind = Kind::king, .castles_short = text.size() == 3};
}

// Takes "=Q", "Q", "(Q)" or "/Q" off the end; small letters only after a sign.
std::optional<Kind> take_promotion(std::string_view& text) {
  std::string_view rest = text;
  drop_suffix(rest, ")");
  if (rest.size() < 3) return std::nullopt;
  const auto piece = piece_of_letter(rest.back());
  if (!piece || piece->kind == Kind::pawn || piece->kind == Kind::king) return std::nullopt;
  const char before = rest[rest.size() - 2];
  const bool has_sign = before == '=' || before == '(' || before == '/';
  if (!has_sign &&
      (!is_rank(before) || (piece->side == Side::second && before != '1' && before != '8'))) {
    return std::nullopt;
  }
  rest.remove_suffix(has_sign ? 2 : 1);
  text = rest;
  return piece->kind;
}

Text any_of(std::span<const std::string> moves) {
  Text text = Text::of("{}", moves.front());
  for (const std::string& move : moves.subspan(1)) text = Text::of("{} or {}", text, move);
  return text;
}

Text plain_reason(const Chess& game, const State& state, const SanPattern& pattern) {
  SanPattern wide = pattern;
  wide.from_file = wide.from_rank = SanPattern::kAny;
  std::vector<std::string> similar, promotions;
  for (const Move move : candidates(game.generator(), state, pattern)) {
    if (is_promotion(move) && !pattern.promotion) {
      SanPattern promoting = pattern;
      promoting.promotion = promoted_of(move);
      if (promoting.matches(move)) promotions.push_back(game.move_text(state, move));
    }
    if (wide.matches(move)) similar.push_back(game.move_text(state, move));
  }
  if (!promotions.empty()) {
    return Text::of("a pawn on the last rank is promoted: {}", join(promotions, ", "));
  }
  if (pattern.to == Square::none) {
    return Text::of(
        pattern.castles_short ? "{} cannot castle short now" : "{} cannot castle long now",
        Text(side_name(state.side)));
  }
  if (similar.empty()) {
    return Text::of("no {} of {} can go to {}", Text(kKindNames[index(pattern.kind)]),
                    Text(side_name(state.side)), square_name(pattern.to));
  }
  return Text::of("did you mean {}?", any_of(similar));
}

constexpr std::string_view kPromotions = "nbrq";  // in the order of Kind

bool castles_as_in_chess(Move move) {
  const int rook_file = file_of(to_of(move));
  return file_of(from_of(move)) == 4 && (rook_file == 0 || rook_file == 7);
}

constexpr std::string_view kFrenchPieces = "RDTFC";

bool ends_on_square(std::string_view text) {
  return text.size() >= 2 && is_rank(text.back()) && is_file(text[text.size() - 2]);
}

// "Nbd2", "Nxd2+", "Ng1-f3": a letter, and from where to which square.
bool is_piece_move(std::string_view word, std::string_view pieces) {
  if (word.empty() || pieces.find(word.front()) == pieces.npos) return false;
  const std::string_view squares = word.substr(1, word.find_first_of("+#!?") - 1);
  return ends_on_square(squares) && squares.find_first_not_of("abcdefgh12345678x-") == squares.npos;
}

std::string with_letters(std::string word, std::string_view from, std::string_view to) {
  const auto translate = [&](char& letter) {
    if (const auto at = from.find(letter); at != from.npos) letter = to[at];
  };
  if (is_piece_move(word, from)) translate(word[0]);
  const auto equals = word.find('=');  // "e8=Q"
  if (equals != word.npos && equals + 1 < word.size() &&
      ends_on_square(std::string_view(word).substr(0, equals))) {
    translate(word[equals + 1]);
  }
  return word;
}

}  // namespace

bool SanPattern::matches(Move move) const {
  if (to == Square::none) {
    return is_castling(move) && chess::castles_short(move) == castles_short;
  }
  if (to_of(move) != to || mover_of(move) != kind || is_castling(move)) return false;
  if (from_file != kAny && file_of(from_of(move)) != from_file) return false;
  if (from_rank != kAny && rank_of(from_of(move)) != from_rank) return false;
  return is_promotion(move) ? promotion == promoted_of(move) : !promotion;
}

std::optional<SanPattern> parse_san_pattern(std::string_view text) {
  text = without_marks(text);
  if (auto castling = parse_castling(text)) return castling;
  SanPattern pattern;
  if (!text.empty()) {
    const auto piece = piece_of_letter(text.front());
    if (piece && piece->side == Side::first) {
      pattern.kind = piece->kind;
      text.remove_prefix(1);
    }
  }
  if (pattern.kind == Kind::pawn) pattern.promotion = take_promotion(text);
  const auto to = parse_square(text.substr(text.size() - std::min<std::size_t>(text.size(), 2)));
  if (!to) return std::nullopt;
  pattern.to = *to;
  text.remove_suffix(2);
  if (text.ends_with('x') || text.ends_with('-') || text.ends_with(':')) text.remove_suffix(1);
  if (!text.empty() && is_file(text.front())) {
    pattern.from_file = static_cast<std::int8_t>(text.front() - 'a');
    text.remove_prefix(1);
  }
  if (!text.empty() && is_rank(text.front())) {
    pattern.from_rank = static_cast<std::int8_t>(text.front() - '1');
    text.remove_prefix(1);
  }
  if (!text.empty()) return std::nullopt;
  return pattern;
}

std::string Chess::move_text(const State& state, Move move) const {
  std::string text;
  if (is_castling(move)) {
    text = castles_short(move) ? "O-O" : "O-O-O";
  } else {
    const bool takes = type_of(move) == MoveType::en_passant ||
                       (state.of(opponent(state.side)) & bit(to_of(move))) != 0;
    if (mover_of(move) == Kind::pawn) {
      if (takes) text += square_name(from_of(move))[0];
    } else {
      text += fen_letter({mover_of(move), Side::first});
      text += distinction(generator_, state, move);
    }
    if (takes) text += 'x';
    text += square_name(to_of(move));
    if (is_promotion(move)) text += {'=', fen_letter({promoted_of(move), Side::first})};
  }
  State next = state;
  play(next, move);
  if (in_check(next)) text += generator_.count(next) == 0 ? '#' : '+';
  return text;
}

std::optional<Move> find_san(const Generator& generator, const State& state,
                             std::string_view text) {
  const auto pattern = parse_san_pattern(text);
  if (!pattern) return std::nullopt;
  std::optional<Move> found;
  for (const Move move : candidates(generator, state, *pattern)) {
    if (!pattern->matches(move)) continue;
    if (found) return std::nullopt;
    found = move;
  }
  return found;
}

Result<Move> Chess::parse_move(const State& state, std::string_view text) const {
  text = trim(text);
  const auto error = [&](std::string_view form, const Text& why) {
    return Error::of(Text::of(form, in_quotes(text), why));
  };
  if (legal_moves(state).empty()) return error("{} cannot be played; {}", "the game is over");
  const std::string_view bare = without_marks(text);
  if (const auto move = find_uci(generator_, state, bare)) return *move;
  if (looks_like_uci(bare)) {
    return error("{} is not a legal move here; {}",
                 "moves are written Nf3, exd5, O-O, e8=Q or g1f3");
  }
  const auto pattern = parse_san_pattern(text);
  if (!pattern) {
    return error("{} is not a move; {}", "moves are written Nf3, exd5, O-O, e8=Q or g1f3");
  }
  std::vector<std::string> matching;
  Move found = {};
  for (const Move move : candidates(generator_, state, *pattern)) {
    if (!pattern->matches(move)) continue;
    found = move;
    matching.push_back(move_text(state, move));
  }
  if (matching.size() == 1) return found;
  if (matching.empty()) {
    return error("{} is not a legal move here; {}", plain_reason(*this, state, *pattern));
  }
  return error("{} can be more than one move; {}", Text::of("write {}", any_of(matching)));
}

std::string uci_text(Move move, bool chess960) {
  const bool two_steps = is_castling(move) && !chess960 && castles_as_in_chess(move);
  std::string text =
      square_name(from_of(move)) + square_name(two_steps ? castled_king(move) : to_of(move));
  if (is_promotion(move)) {
    text += kPromotions[at(index(promoted_of(move)) - index(Kind::knight))];
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
  std::optional<Move> castling;
  for (const Move move : generator.list_some(state, bit(from), ~Bitboard{0})) {
    // A king's own step goes before a castling that ends on the same square.
    if (is_castling(move) && castles_as_in_chess(move) && castled_king(move) == to) castling = move;
    if (to_of(move) != to || is_promotion(move) != (text.size() == 5)) continue;
    if (is_promotion(move) && uci_text(move, true) != text) continue;
    return move;
  }
  return text.size() == 4 ? castling : std::nullopt;
}

std::string san_in_language(std::string_view text, Language language) {
  if (language == Language::english) return std::string(text);
  constexpr std::string_view kOfMoves =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789=+#-";
  std::string out;
  while (!text.empty()) {
    const auto length = std::min(text.find_first_not_of(kOfMoves), text.size());
    out += with_letters(std::string(text.substr(0, length)), kEnglishLetters, kFrenchPieces);
    text.remove_prefix(length);
    const auto other = std::min(text.find_first_of(kOfMoves), text.size());
    out += text.substr(0, other);
    text.remove_prefix(other);
  }
  return out;
}

std::string san_in_english(std::string_view move, Language language) {
  if (language == Language::english) return std::string(move);
  return with_letters(std::string(move), kFrenchPieces, kEnglishLetters);
}

std::optional<std::string> san_from_letters(std::string_view move, std::string_view letters) {
  if (is_piece_move(move, kEnglishLetters) && letters.find(move.front()) == letters.npos) {
    return std::nullopt;
  }
  return with_letters(std::string(move), letters, kEnglishLetters);
}

}  // namespace damier::games::chess
