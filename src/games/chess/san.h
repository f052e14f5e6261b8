// Moves as text. People write standard algebraic notation (SAN), "Nbd2", "exd6", "O-O", "e8=Q#",
// with the pieces' letters of their language: Nf3 is Cf3 in French. Chess programs exchange UCI's
// e2e4 and e7e8q; castling is e1g1 in chess and the king taking its rook, e1h1, in Chess960.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "damier/base/result.h"
#include "damier/base/text/language.h"
#include "damier/games/chess/chess.h"

namespace damier::games::chess {

// What a text in SAN says, before it is looked for among the legal moves.
struct SanPattern {
  static constexpr std::int8_t kAny = -1;

  Kind kind = Kind::pawn;
  std::int8_t from_file = kAny;
  std::int8_t from_rank = kAny;
  Square to = Square::none;  // none: castling
  std::optional<Kind> promotion = {};
  bool castles_short = false;

  bool matches(Move move) const;
};

// Also takes 0-0, a missing or wrong x, + or #, "e8Q", "e.p.", "Ng1-f3", "Pe4" and !? marks.
std::optional<SanPattern> parse_san_pattern(std::string_view text);

// The one legal move with that text; nothing if there is none or more than one. For readers of many
// moves; Chess::parse_move says what is wrong.
std::optional<Move> find_san(const Generator& generator, const State& state, std::string_view text);

// Where king or rook do not stand as in chess, castling is written as in Chess960 in any case.
std::string uci_text(Move move, bool chess960);

// The legal move with that text, castling in either form; nothing if there is none.
std::optional<Move> find_uci(const Generator& generator, const State& state, std::string_view text);

// Whether the text has the form of a UCI move, legal or not.
bool looks_like_uci(std::string_view text);

// Every move of a text, from English letters to those of a language.
std::string san_in_language(std::string_view text, Language language);
// One move, from the letters of a language to English ones. Letters that the language does not have
// are English already.
std::string san_in_english(std::string_view move, Language language);

// The letters of king, queen, rook, bishop and knight in English, and by languages that share them.
inline constexpr std::string_view kEnglishLetters = "KQRBN";
inline constexpr std::array<std::string_view, 11> kPieceLetters = {
    "",        // English
    "KDTLS",   // German, Danish, Norwegian, Swedish
    "RDTFC",   // French
    "RDTAC",   // Spanish, Italian
    "KDTLP",   // Dutch
    "RDTBC",   // Portuguese
    "KHWGS",   // Polish
    "KDVSJ",   // Czech, Slovak
    "KVBFH",   // Hungarian
    "KDTLR",   // Finnish
    "RDTNC"};  // Romanian
// One move, from these letters to English ones; nothing where it has a letter of other pieces.
std::optional<std::string> san_from_letters(std::string_view move, std::string_view letters);

}  // namespace damier::games::chess
