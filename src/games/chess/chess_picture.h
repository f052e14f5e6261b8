// The board to look at, from either side, with figures or letters.
#pragma once

#include <span>
#include <string>

#include "damier/base/text/language.h"
#include "damier/games/chess/generator.h"
#include "damier/games/picture.h"

namespace damier::games::chess {

// English KQRBNP, French RDTFCP; small for Black.
char piece_letter(Piece piece, Language language);

// The Unicode figure, such as ♞.
std::string_view piece_figure(Piece piece);

struct PictureStyle {
  Side bottom = Side::first;  // who sits at the lower edge
  bool figures = true;        // or letters, in a terminal that shows both
  Language language = Language::english;
};

// Marks the last move, and a king in check.
Picture chess_picture(const Generator& generator, const State& state, std::span<const Move> played,
                      const PictureStyle& style);

}  // namespace damier::games::chess
