// Fanoron-telo's texts: positions, moves, rules, picture.

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/fanorona/fanorona.h"

namespace damier::games::fanorona {

const Facts& Fanorona::facts() {
  static constexpr Facts kFacts = {
      .name = "fanorona",
      .title = "Fanoron-telo",
      .summary = "three pieces a side on nine points; line up three that have moved",
      .rules =
          R"(Nine points, 0 to 8 row by row from the top. The centre (4) touches all the others; the others
touch their two neighbours on the rim and the centre.

    0 - 1 - 2
    | \ | / |
    3 - 4 - 5
    | / | \ |
    6 - 7 - 8

White starts on 6 7 8, Black on 0 1 2; White moves first. A turn is one step of one of your own
pieces to a neighbouring empty point. You win with your three pieces in line, when all three
have moved. Who cannot move loses. A position that occurs for the third time is a draw.

Move:      from-to, as 7-4.
Position:  nine points, '.' empty, 'w' 'b' not yet moved, 'W' 'B' moved; then the side to move.
           The start is "bbb...www w".)",
      .move_notation = "from-to, as 7-4",
      .sides = {"white", "black"},
  };
  return kFacts;
}

std::string Fanorona::position_text(const State& state) const {
  std::string text;
  for (int point = 0; point < kPoints; ++point) {
    const unsigned bit = point_bit(point);
    const bool moved = (state.moved & bit) != 0;
    text += (state.pieces[0] & bit)   ? (moved ? 'W' : 'w')
            : (state.pieces[1] & bit) ? (moved ? 'B' : 'b')
                                      : '.';
  }
  return text + (state.side == Side::first ? " w" : " b");
}

Result<State> Fanorona::parse_position(std::string_view text) const {
  text = trim(text);
  constexpr std::string_view kForm = "nine points, a space and the side, as 'bbb...www w'";
  if (text.size() != kPoints + 2 || text[kPoints] != ' ') {
    return Error{fmt::format("position {}: expected {}", in_quotes(text), kForm)};
  }
  State state;
  for (int point = 0; point < kPoints; ++point) {
    const char c = text[static_cast<std::size_t>(point)];
    const PointSet bit = point_bit(point);
    if (c == '.') continue;
    const bool white = c == 'w' || c == 'W', black = c == 'b' || c == 'B';
    if (!white && !black) {
      return Error{fmt::format("position {}: point {} is {}; expected one of . w W b B",
                               in_quotes(text), point,
                               in_quotes(text.substr(std::size_t(point), 1)))};
    }
    state.pieces[white ? 0 : 1] |= bit;
    if (c == 'W' || c == 'B') state.moved |= bit;
  }
  for (const std::size_t side : {0u, 1u}) {
    const int count = kSetSize[state.pieces[side]];
    if (count != 3) {
      return Error{fmt::format("position {}: {} has {} pieces; expected 3", in_quotes(text),
                               facts().sides[side], count)};
    }
  }
  const char side = text[kPoints + 1];
  if (side != 'w' && side != 'b') {
    return Error{fmt::format("position {}: the side to move is {}; expected w or b",
                             in_quotes(text), in_quotes(text.substr(kPoints + 1)))};
  }
  state.side = side == 'w' ? Side::first : Side::second;
  return state;
}

std::string Fanorona::move_text(const State&, Move move) const {
  return fmt::format("{}-{}", from_of(move), to_of(move));
}

namespace {

// What a disc is, by whether it has moved.
constexpr std::string_view kMoved[] = {"unmoved", "moved"};

}  // namespace

Picture Fanorona::picture(const State& state, std::span<const Move> played) const {
  Picture picture{.rows = 3, .cols = 3, .layout = Picture::Layout::points, .facing = true};
  for (int point = 0; point < kPoints; ++point) {
    const unsigned bit = point_bit(point);
    const std::string moved(kMoved[(state.moved & bit) != 0]);
    Cell cell{.label = std::to_string(point)};
    for (const Side side : {Side::first, Side::second}) {
      if (state.pieces[static_cast<std::size_t>(index(side))] & bit)
        cell.tokens = {{"disc", side, moved}};
    }
    picture.cells.push_back(std::move(cell));
  }
  for (int point = 0; point < kPoints; ++point) {
    for (int other = point + 1; other < kPoints; ++other) {
      if (kNeighbours[static_cast<std::size_t>(point)] & point_bit(other)) {
        picture.links.emplace_back(point, other);
      }
    }
  }
  if (!played.empty()) {
    picture.cells[static_cast<std::size_t>(to_of(played.back()))].shade = Shade::highlight;
  }
  picture.caption = "White {} {} Black; {} {} once they have moved; points 0 to 8, row by row";
  for (const std::string_view moved : kMoved) {
    for (const Side side : {Side::first, Side::second}) {
      picture.caption_pieces.push_back({{"disc", side, std::string(moved)}});
    }
  }
  return picture;
}

std::vector<Token> Fanorona::pieces() {
  std::vector<Token> pieces;
  for (const Side side : {Side::first, Side::second}) {
    for (const std::string_view moved : kMoved) {
      pieces.push_back({"disc", side, std::string(moved)});
    }
  }
  return pieces;
}

std::string Fanorona::text_of(const Placement& placement) const {
  std::string text;
  for (const auto& tokens : placement.cells) {
    if (tokens.empty()) {
      text += '.';
      continue;
    }
    const bool moved = tokens.front().state == kMoved[1];
    text += tokens.front().side == Side::first ? (moved ? 'W' : 'w') : (moved ? 'B' : 'b');
  }
  return text + (placement.to_move == Side::first ? " w" : " b");
}

Gesture Fanorona::gesture(const State&, Move move) const {
  return {"move", {from_of(move), to_of(move)}};
}

std::string Fanorona::ending(const State& state) const {
  return is_won(state) ? "three pieces in line" : "no legal move";
}

}  // namespace damier::games::fanorona
