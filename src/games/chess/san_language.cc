#include "damier/games/chess/san_language.h"

#include <algorithm>

namespace damier::games::chess {

namespace {

constexpr std::string_view kFrenchPieces = "RDTFC";

bool is_file_letter(char c) { return c >= 'a' && c <= 'h'; }
bool is_rank_digit(char c) { return c >= '1' && c <= '8'; }

bool ends_on_square(std::string_view text) {
  return text.size() >= 2 && is_rank_digit(text.back()) && is_file_letter(text[text.size() - 2]);
}

// "Nbd2", "Nxd2+", "Ng1-f3": a letter, and from where to which square.
bool is_piece_move(std::string_view word, std::string_view pieces) {
  if (word.empty() || pieces.find(word.front()) == pieces.npos) return false;
  const std::string_view squares = word.substr(1, word.find_first_of("+#!?") - 1);
  return ends_on_square(squares) && std::all_of(squares.begin(), squares.end(), [](char c) {
           return is_file_letter(c) || is_rank_digit(c) || c == 'x' || c == '-';
         });
}

// "e8=Q": where the letter of the new piece stands.
std::size_t promotion_letter(std::string_view word, std::string_view pieces) {
  const auto equals = word.find('=');
  const bool is_promotion = equals != word.npos && ends_on_square(word.substr(0, equals)) &&
                            equals + 1 < word.size() &&
                            pieces.find(word[equals + 1]) != pieces.npos;
  return is_promotion ? equals + 1 : word.npos;
}

std::string with_letters(std::string word, std::string_view from, std::string_view to) {
  if (is_piece_move(word, from)) word[0] = to[from.find(word[0])];
  const auto promoted = promotion_letter(word, from);
  if (promoted != word.npos) word[promoted] = to[from.find(word[promoted])];
  return word;
}

}  // namespace

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
