#include "damier/app/terminal/piece_marks.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include "damier/base/text/language.h"

namespace damier::app {

namespace {

using games::Colour;
using games::Token;

constexpr int kPlain = 0, kStrong = 1, kTile = 2;

struct Row {
  std::string_view role, state;
  std::array<std::string_view, 2> signs;  // of the two sides; of a piece without a side the first
  std::string_view letters;               // the same as plain characters
  int weight = kStrong;
  Ink ink = Ink::plain;          // of a piece without a side
  std::string_view french = {};  // the letters in French, where they differ
  std::string_view joints = {};  // to the right, with and without Unicode
};

constexpr Row kRows[] = {
    {"disc", "unmoved", {"○", "□"}, "wb", kPlain},
    {"disc", "moved", {"●", "■"}, "WB"},
    {"disc", "", {"●", "○"}, "xo"},
    {"cross", "", {"╳", "╳"}, "xX"},
    {"nought", "", {"◯", "◯"}, "Oo"},
    {"pawn", "", {"♙", "♟"}, "Pp"},
    {"knight", "", {"♘", "♞"}, "Nn", kStrong, Ink::plain, "Cc"},
    {"bishop", "", {"♗", "♝"}, "Bb", kStrong, Ink::plain, "Ff"},
    {"rook", "", {"♖", "♜"}, "Rr", kStrong, Ink::plain, "Tt"},
    {"queen", "", {"♕", "♛"}, "Qq", kStrong, Ink::plain, "Dd"},
    {"king", "checked", {"♔", "♚"}, "Kk", kStrong, Ink::alert, "Rr"},
    {"king", "", {"♔", "♚"}, "Kk", kStrong, Ink::plain, "Rr"},
    {"donkey", "", {"D", "d"}, "Dd", kTile},
    {"dog", "", {"G", "g"}, "Gg", kTile},
    {"cat", "", {"C", "c"}, "Cc", kTile},
    {"rooster", "", {"R", "r"}, "Rr", kTile},
    {"domino-up", "", {"╻", "╻"}, "||"},
    {"domino-down", "", {"╹", "╹"}, "||"},
    {"domino-left", "", {"╺", "╺"}, "==", kStrong, Ink::plain, {}, "━="},
    {"domino-right", "", {"╸", "╸"}, "=="},
    {"block", "", {"▒", "▒"}, "##", kPlain, Ink::faint},
    {"flag", "", {"⚑", "⚑"}, "FF", kStrong, Ink::mark},
    {"bomb", "exploded", {"✱", "✱"}, "**", kStrong, Ink::alert},
    {"bomb", "", {"✱", "✱"}, "**"},
    // In Minesweeper's traditional colours.
    {"number-1", "", {"1", "1"}, "11", kStrong, Ink{33}},
    {"number-2", "", {"2", "2"}, "22", kStrong, Ink{34}},
    {"number-3", "", {"3", "3"}, "33", kStrong, Ink{196}},
    {"number-4", "", {"4", "4"}, "44", kStrong, Ink{129}},
    {"number-5", "", {"5", "5"}, "55", kStrong, Ink{130}},
    {"number-6", "", {"6", "6"}, "66", kStrong, Ink{37}},
    {"number-7", "", {"7", "7"}, "77", kStrong, Ink{240}},
    {"number-8", "", {"8", "8"}, "88", kStrong, Ink{247}},
};

const Row* row_of(const Token& token) {
  const auto* const found = std::ranges::find_if(kRows, [&](const Row& row) {
    return row.role == token.role && (row.state.empty() || row.state == token.state);
  });
  return found == std::end(kRows) ? nullptr : found;
}

// Of a body in that colour.
std::string tile_codes(Ink ink) {
  const char* ground = ink == Ink::blue     ? "26"
                       : ink == Ink::green  ? "28"
                       : ink == Ink::purple ? "91"
                       : ink == Ink::red    ? "124"
                       : ink == Ink::yellow ? "136"
                       : ink == Ink::orange ? "166"
                                            : "240";
  return fmt::format("38;5;231;48;5;{};1", ground);
}

}  // namespace

Ink ink_of(Colour colour) {
  // Neither white nor black is seen on every background.
  constexpr Ink kInks[] = {Ink::blue,   Ink::orange, Ink::blue, Ink::green,
                           Ink::orange, Ink::purple, Ink::red,  Ink::yellow};
  return kInks[static_cast<std::size_t>(colour)];
}

PieceMark mark_of(const Token& token, const std::array<Colour, 2>& colours, const Look& look) {
  if (token.role.empty()) return {.sign = " "};
  const std::size_t side = token.side == games::Side::second ? 1 : 0;
  const Ink own = token.side ? ink_of(colours[side]) : Ink::plain;
  const Row* const row = row_of(token);
  if (row == nullptr) {
    const auto letter = static_cast<unsigned char>(token.role.front());
    const int sign = side == 0 ? std::toupper(letter) : std::tolower(letter);
    return {.sign = std::string(1, static_cast<char>(sign)), .codes = colour_codes(own, true)};
  }
  const bool french = language() == Language::french && !row->french.empty();
  PieceMark mark;
  mark.sign = look.unicode && !look.letters
                  ? std::string(row->signs[side])
                  : std::string(1, (french ? row->french : row->letters)[side]);
  if (!row->joints.empty())
    mark.joint = look.unicode ? row->joints.substr(0, 3) : row->joints.substr(3);
  mark.is_tile = row->weight == kTile;
  const Ink ink = row->ink != Ink::plain ? row->ink : own;
  mark.codes = mark.is_tile ? tile_codes(ink) : colour_codes(ink, row->weight == kStrong);
  return mark;
}

}  // namespace damier::app
