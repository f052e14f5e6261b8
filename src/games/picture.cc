#include "damier/games/picture.h"

#include <algorithm>

namespace damier::games {

Placement placement_of(const Picture& picture, Side to_move, std::span<const Token> pieces) {
  const auto is_piece = [&](const Token& token) {
    return std::ranges::find(pieces, token) != pieces.end();
  };
  Placement placement{.cells = {}, .to_move = to_move};
  for (const Cell& cell : picture.cells) {
    auto& tokens = placement.cells.emplace_back();
    for (const Token& token : cell.tokens) {
      const Token plain{token.role, token.side};
      if (is_piece(token)) {
        tokens.push_back(token);
      } else if (is_piece(plain)) {
        tokens.push_back(plain);  // a king is in check where it stands
      } else if (!token.role.empty() && pieces.size() == 1) {
        tokens.push_back(pieces.front());
      }
    }
  }
  return placement;
}

void put_alone(Placement& placement, int cell, const Token& piece) {
  auto& tokens = placement.cells[static_cast<std::size_t>(cell)];
  const bool stands = std::ranges::find(tokens, piece) != tokens.end();
  tokens.clear();
  if (!stands) tokens.push_back(piece);
}

Picture picture_of(Picture picture, const Placement& placement) {
  for (std::size_t i = 0; i < picture.cells.size(); ++i) {
    picture.cells[i].tokens = placement.cells[i];
    picture.cells[i].shade = Shade::none;
  }
  picture.caption = {};
  picture.caption_pieces.clear();
  return picture;
}

}  // namespace damier::games
