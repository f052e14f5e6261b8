// Moves by pointing, for games that say nothing of it (GameDefaults::gesture): the cells are read
// from the move's text, by the labels of the picture.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "damier/games/picture.h"

namespace damier::games {

// What moves call the cells of a picture: its column and row ("c2"), else the cell's own label.
using CellNames = std::map<std::string, int, std::less<>>;
CellNames cell_names(const Picture& picture);

// "c2" is made at one cell, "a1a2", "a1xb2" and "c3-e5-g7" lead from the first to the last, and
// "pass" names none: its gesture is empty.
Gesture gesture_of_text(const CellNames& names, std::string_view move);

}  // namespace damier::games
