// Fanoron-telo's texts, picture, symmetries and network input.

#include "damier/games/fanorona/fanorona.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "damier/base/numbers/bits.h"
#include "damier/base/text/text.h"
#include "damier/games/coordinates.h"

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
  const auto error = [&](std::string_view why) { return position_error(text, why); };
  constexpr std::string_view kForm = "nine points, a space and the side, as 'bbb...www w'";
  if (text.size() != kPoints + 2 || text[kPoints] != ' ') {
    return error(fmt::format("expected {}", kForm));
  }
  State state;
  for (int point = 0; point < kPoints; ++point) {
    const char c = text[at(point)];
    const PointSet bit = point_bit(point);
    if (c == '.') continue;
    const bool white = c == 'w' || c == 'W', black = c == 'b' || c == 'B';
    if (!white && !black) {
      return error(fmt::format("point {} is {}; expected one of . w W b B", point,
                               in_quotes(text.substr(at(point), 1))));
    }
    state.pieces[white ? 0 : 1] |= bit;
    if (c == 'W' || c == 'B') state.moved |= bit;
  }
  for (const std::size_t side : {0u, 1u}) {
    const int count = kSetSize[state.pieces[side]];
    if (count != 3) {
      return error(fmt::format("{} has {} pieces; expected 3", facts().sides[side], count));
    }
  }
  const char side = text[kPoints + 1];
  if (side != 'w' && side != 'b') {
    return error(fmt::format("the side to move is {}; expected w or b",
                             in_quotes(text.substr(kPoints + 1))));
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

// The 8 symmetries of the square, then the same with the colours exchanged.
constexpr auto kSymmetries = [] {
  std::array<Symmetry, 16> all = {};
  const auto square = board_symmetries(false);
  for (std::size_t i = 0; i < 8; ++i) {
    all[i] = all[i + 8] = square[i];
    all[i + 8].swap_sides = true;
  }
  return all;
}();

PointSet transformed_set(PointSet set, Symmetry symmetry) {
  PointSet out = 0;
  for (int point = 0; point < kPoints; ++point) {
    if (set & point_bit(point)) out |= point_bit(symmetry.apply(point, 3, 3));
  }
  return out;
}

}  // namespace

Picture Fanorona::picture(const State& state, std::span<const Move> played) const {
  Picture picture{.rows = 3, .cols = 3, .layout = Picture::Layout::points, .facing = true};
  for (int point = 0; point < kPoints; ++point) {
    const unsigned bit = point_bit(point);
    const std::string moved(kMoved[(state.moved & bit) != 0]);
    Cell cell{.label = std::to_string(point)};
    for (const Side side : {Side::first, Side::second}) {
      if (state.pieces[at(index(side))] & bit) cell.tokens = {{"disc", side, moved}};
    }
    picture.cells.push_back(std::move(cell));
  }
  for (int point = 0; point < kPoints; ++point) {
    for (int other = point + 1; other < kPoints; ++other) {
      if (kNeighbours[at(point)] & point_bit(other)) {
        picture.links.emplace_back(point, other);
      }
    }
  }
  if (!played.empty()) {
    picture.cells[at(to_of(played.back()))].shade = Shade::highlight;
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

std::span<const Symmetry> Fanorona::symmetries(const State&) const { return kSymmetries; }

State Fanorona::transformed(const State& state, Symmetry symmetry) const {
  State out{
      {transformed_set(state.pieces[0], symmetry), transformed_set(state.pieces[1], symmetry)},
      transformed_set(state.moved, symmetry),
      state.side};
  if (symmetry.swap_sides) {
    std::swap(out.pieces[0], out.pieces[1]);
    out.side = opponent(out.side);
  }
  return out;
}

Move Fanorona::transformed(Move move, Symmetry symmetry) const {
  return make_move(symmetry.apply(from_of(move), 3, 3), symmetry.apply(to_of(move), 3, 3));
}

void Fanorona::write_features(const State& state, std::span<float> out) const {
  assert(out.size() == 46);
  std::ranges::fill(out, 0.0f);
  for (int point = 0; point < kPoints; ++point) {
    const unsigned bit = point_bit(point);
    const std::size_t step = (state.moved & bit) ? 2 : 1;
    const std::size_t slot = (state.pieces[0] & bit)   ? 2 + step
                             : (state.pieces[1] & bit) ? 2 - step
                                                       : 2;
    out[5 * static_cast<std::size_t>(point) + slot] = 1.0f;
  }
  out[45] = state.side == Side::first ? 1.0f : -1.0f;
}

}  // namespace damier::games::fanorona
