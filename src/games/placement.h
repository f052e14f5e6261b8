// Positions put together by hand: what stands on the cells of a board, and whose turn it is. It
// need not be a position that the game allows.
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <vector>

#include "damier/games/picture.h"

namespace damier::games {

struct Placement {
  std::vector<std::vector<Token>> cells;  // as those of the picture, of a stack from bottom to top
  Side to_move = Side::first;
};

// A game whose boards can be put together by hand.
template <class G>
concept Placeable = requires(const G game, const Placement& placement) {
  { G::pieces() } -> std::same_as<std::vector<Token>>;  // what can be put on a cell
  // A position as parse_position() reads it, whether it accepts it or not.
  { game.text_of(placement) } -> std::same_as<std::string>;
};

// What stands there, as far as it can be put there with these pieces.
Placement placement_of(const Picture& picture, Side to_move, std::span<const Token> pieces);

// Puts the piece on a cell in place of what stands there; takes it away if it stands there already.
void put_alone(Placement& placement, int cell, const Token& piece);

// The board of a picture with these pieces on it.
Picture picture_of(Picture picture, const Placement& placement);

}  // namespace damier::games
