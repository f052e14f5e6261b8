// Brême's texts (options, positions, moves, rules), picture, heuristic, action indices, symmetries
// and network inputs.

#include "damier/games/bremen/bremen.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/coordinates.h"

namespace damier::games::bremen {

namespace {

constexpr std::string_view kLetters = "dgcr";
constexpr std::array<std::string_view, kAnimals> kNames = {"donkey", "dog", "cat", "rooster"};

constexpr std::array<Option, 3> kOptions = {{
    {"winner", "mover", "mover|rooster",
     "who wins with a stack of four: the mover, or the owner of its rooster"},
    {"retreat", "stack", "stack|carried",
     "which enemy animals on the mover's home row must retreat: all in the stack, or those "
     "carried"},
    {"maxply", "300", "0 to 100000", "number of plies after which a game is drawn; 0: no limit"},
}};

std::string square_text(int square) {
  return {static_cast<char>('a' + square % kSize), static_cast<char>('5' - square / kSize)};
}

// Reads a position one part after the other; the first error is kept.
class PositionReader {
 public:
  PositionReader(std::string_view text, const RuleOptions& rules)
      : text_(trim(text)), rest_(text_), rules_(rules) {}

  Result<State> read() {
    TRY(read_squares());
    TRY(read_side_and_duty());
    TRY(placed(0) + placed(1) < 2 * kAnimals ? check_draft() : check_stacks());
    return state_;
  }

 private:
  Error error(std::string_view message) const { return position_error(text_, message); }

  std::string place() const { return fmt::format("at column {}", text_.size() - rest_.size() + 1); }

  Status read_squares() {
    for (const std::size_t side : {0u, 1u}) {
      if (side == 1) {
        if (!rest_.starts_with('/')) return error(fmt::format("expected '/' {}", place()));
        rest_.remove_prefix(1);
      }
      for (std::size_t animal = 0; animal < kAnimals; ++animal) {
        if (rest_.starts_with('-')) {
          rest_.remove_prefix(1);
          continue;
        }
        if (rest_.size() < 2 || rest_[0] < 'a' || rest_[0] > 'e' || rest_[1] < '1' ||
            rest_[1] > '5') {
          return error(fmt::format("expected the {} {}'s square (a1 to e5, or -) {}",
                                   Bremen::facts().sides[side], kNames[animal], place()));
        }
        state_.squares[side][animal] =
            static_cast<std::uint8_t>(kSize * ('5' - rest_[1]) + (rest_[0] - 'a'));
        rest_.remove_prefix(2);
      }
    }
    return Done{};
  }

  Status read_side_and_duty() {
    if (rest_.size() < 2 || rest_[0] != ' ' || (rest_[1] != 'b' && rest_[1] != 'r')) {
      return error(fmt::format("expected a space and the side to move, b or r, {}", place()));
    }
    state_.side = rest_[1] == 'b' ? Side::first : Side::second;
    rest_.remove_prefix(2);
    if (rest_.empty()) return Done{};
    const auto letter =
        rest_.size() == 3 && rest_.starts_with(" !") ? kLetters.find(rest_[2]) : kLetters.npos;
    if (letter == kLetters.npos) {
      return error(
          fmt::format("expected the end or a duty to retreat (!d, !g, !c, !r) {}", place()));
    }
    state_.duty = static_cast<std::uint8_t>(letter);
    return Done{};
  }

  int placed(std::size_t side) const {
    return kAnimals - static_cast<int>(std::ranges::count(state_.squares[side], kNotPlaced));
  }

  Status check_draft() const {
    const int to_move = games::index(state_.side);
    if (placed(0) != placed(1) + to_move) {
      return error(fmt::format(
          "in a draft begun by blue, {} to move after {} blue and {} red placements is impossible",
          Bremen::facts().sides[at(to_move)], placed(0), placed(1)));
    }
    if (state_.duty != State::kFree) return error("there is no duty to retreat in the draft");
    SquareSet taken = 0;
    for (const Side side : {Side::first, Side::second}) {
      for (const std::uint8_t square : state_.of(side)) {
        if (square == kNotPlaced) continue;
        if (!(square_bit(square) & home_squares(side))) {
          return error(fmt::format("{} is not on the home row of its side, as the draft asks",
                                   square_text(square)));
        }
        if (square_bit(square) & taken) {
          return error(fmt::format("two animals on {} in the draft", square_text(square)));
        }
        taken |= square_bit(square);
      }
    }
    return Done{};
  }

  Status check_stacks() const {
    SquareSet four = kBoard;
    for (std::size_t animal = 0; animal < kAnimals; ++animal) {
      const std::uint8_t blue = state_.squares[0][animal], red = state_.squares[1][animal];
      if (blue == red) {
        return error(fmt::format("two {}s on {}; a stack is strictly increasing", kNames[animal],
                                 square_text(blue)));
      }
      four &= square_bit(blue) | square_bit(red);
    }
    if (bit_count(four) > 1) return error("two stacks of four; the first one ends the game");
    return state_.duty == State::kFree ? Status(Done{}) : check_duty();
  }

  // A duty binds an animal in a stack on the home row of the side that has just moved, together
  // with an animal of that side: the lowest such, or one that was carried.
  Status check_duty() const {
    const auto& own = state_.of(state_.side);
    const auto& others = state_.of(opponent(state_.side));
    const std::uint8_t square = own[state_.duty];
    const auto wrong = [&](std::string_view why) {
      return error(fmt::format("the {} {} on {} has no duty to retreat: {}",
                               Bremen::facts().sides[at(games::index(state_.side))],
                               kNames[state_.duty], square_text(square), why));
    };
    if (!(square_bit(square) & home_squares(opponent(state_.side)))) {
      return wrong("it is not on the opponent's home row");
    }
    int enemies = 0, enemies_below = 0, own_below = 0;
    for (std::size_t i = 0; i < kAnimals; ++i) {
      enemies += others[i] == square;
      enemies_below += others[i] == square && i < state_.duty;
      own_below += own[i] == square && i < state_.duty;
    }
    if (enemies == 0) return wrong("it shares its square with no enemy");
    if (rules_.only_carried_bind) {
      if (enemies_below == 0) return wrong("no enemy below can have carried it");
    } else if (own_below > 0) {
      return wrong("a lower animal of its side stands there");
    }
    return Done{};
  }

  std::string_view text_;
  std::string_view rest_;
  const RuleOptions& rules_;
  State state_;
};

constexpr std::array<Symmetry, 4> kSymmetries = {{
    {},
    {.mirror_cols = true},
    {.mirror_rows = true, .swap_sides = true},
    {.mirror_cols = true, .mirror_rows = true, .swap_sides = true},
}};

// Red looks at the board turned by 180 degrees.
int seen_by(Side side, int square) { return side == Side::first ? square : kSquares - 1 - square; }

std::uint8_t transformed_square(int square, Symmetry symmetry) {
  if (square == kNotPlaced) return kNotPlaced;
  return static_cast<std::uint8_t>(symmetry.apply(square, kSize, kSize));
}

}  // namespace

const Facts& Bremen::facts() {
  static constexpr Facts kFacts = {
      .name = "bremen",
      .title = "Les Tacticiens de Brême",
      .summary = "draft four animals, then ride on each other's backs; a stack of four wins",
      .rules =
          R"(A board of 5 x 5: columns a to e, rows 1 (Blue's home row) to 5 (Red's). Blue begins.

Each side has a donkey (d, moves as a rook), a dog (g, bishop), a cat (c, knight) and a
rooster (r, queen). In the draft the sides place their animals in turn, each on an empty square
of its own home row. Then a turn is a move of one of your own animals, wherever it stands in a
stack; it carries all the animals above it, of either colour. It lands on an empty square or on
a stack whose top is lower in the order donkey, dog, cat, rooster. Occupied squares stop it,
except the cat. Nothing is captured. The move that makes a stack of four wins.

Retreat: when your move ends on your own home row and the stack there holds enemy animals, your
opponent's next move must be made with the lowest of them, if it can move.

Who cannot move loses. The third occurrence of a position is a draw, and so are 300 plies.

Move:      animal and target, as rd3; in the draft with @, as d@a1.
Position:  Blue's squares / Red's squares, for donkey, dog, cat, rooster ('-' not yet placed),
           the side to move, and the duty to retreat: "a1b1c1d1/a5b5c5d5 b", "… r !c".)",
      .move_notation = "animal and square, as rd3; in the draft d@a1",
      .sides = {"blue", "red"},
      .colours = {Colour::blue, Colour::red},
  };
  return kFacts;
}

std::span<const Option> Bremen::options() { return kOptions; }

Result<Bremen> Bremen::make(const OptionValues& values) {
  const OptionReader reader(kOptions, values);
  TRY(reader.check());
  const auto winner = TRY(reader.choice("winner"));
  const auto retreat = TRY(reader.choice("retreat"));
  const auto plies = TRY(reader.integer("maxply", 0, 100000));
  return Bremen({winner == 1, retreat == 1, plies});
}

OptionValues Bremen::option_values() const {
  return {{"winner", rules_.rooster_wins ? "rooster" : "mover"},
          {"retreat", rules_.only_carried_bind ? "carried" : "stack"},
          {"maxply", std::to_string(rules_.max_plies)}};
}

std::string Bremen::position_text(const State& state) const {
  std::string text;
  for (const Side side : {Side::first, Side::second}) {
    if (side == Side::second) text += '/';
    for (const std::uint8_t square : state.of(side)) {
      text += square == kNotPlaced ? "-" : square_text(square);
    }
  }
  text += state.side == Side::first ? " b" : " r";
  if (state.duty != State::kFree) text += fmt::format(" !{}", kLetters[state.duty]);
  return text;
}

Result<State> Bremen::parse_position(std::string_view text) const {
  return PositionReader(text, rules_).read();
}

std::string Bremen::move_text(const State&, Move move) const {
  return fmt::format("{}{}{}", kLetters[at(animal_of(move))], is_draft(move) ? "@" : "",
                     square_text(square_of(move)));
}

Picture Bremen::picture(const State& state, std::span<const Move> played) const {
  Picture picture{.rows = kSize, .cols = kSize, .facing = true};
  picture.row_labels = {"5", "4", "3", "2", "1"};
  picture.col_labels = {"a", "b", "c", "d", "e"};
  for (int square = 0; square < kSquares; ++square) {
    // Four places, bottom to top of the stack from left to right.
    Cell& cell = picture.cells.emplace_back();
    for (std::size_t animal = 0; animal < kAnimals; ++animal) {
      Token& token = cell.tokens.emplace_back();
      for (const Side side : {Side::first, Side::second}) {
        if (state.of(side)[animal] == square) token = {std::string(kNames[animal]), side};
      }
    }
  }
  if (!played.empty()) {
    picture.cells[at(square_of(played.back()))].shade = Shade::highlight;
  }
  picture.caption = "{} donkey  {} dog  {} cat  {} rooster, bottom to top; Blue {}, Red {}";
  picture.caption_pieces.resize(kAnimals + 2);
  for (std::size_t animal = 0; animal < kAnimals; ++animal) {
    const std::string name(kNames[animal]);
    picture.caption_pieces[animal] = {{name, std::nullopt}};
    picture.caption_pieces[kAnimals].push_back({name, Side::first});
    picture.caption_pieces[kAnimals + 1].push_back({name, Side::second});
  }
  if (state.duty != State::kFree) {
    picture.caption_pieces.clear();
    picture.caption =
        Text::of("The {} {} must retreat if it can move.",
                 Text(facts().sides[at(games::index(state.side))]), Text(kNames[state.duty]));
  }
  return picture;
}

// In the draft an animal comes from outside the board.
Gesture Bremen::gesture(const State& state, Move move) const {
  if (is_draft(move)) return {"draft", {square_of(move)}, kNames[at(animal_of(move))]};
  return {"move", {own_square(state, animal_of(move)), square_of(move)}};
}

std::vector<Token> Bremen::pieces() {
  std::vector<Token> pieces;
  for (const Side side : {Side::first, Side::second}) {
    for (const std::string_view name : kNames) pieces.push_back({std::string(name), side});
  }
  return pieces;
}

// An animal stands on one square; others of other kinds may share it.
void Bremen::put(Placement& placement, int cell, const Token& piece) {
  auto& here = placement.cells[at(cell)];
  const bool stands = std::ranges::find(here, piece) != here.end();
  for (auto& tokens : placement.cells) std::erase(tokens, piece);
  if (stands) return;
  std::erase_if(here, [&](const Token& token) { return token.role == piece.role; });
  here.push_back(piece);
  std::ranges::sort(here, {}, [](auto& token) { return std::ranges::find(kNames, token.role); });
}

std::string Bremen::text_of(const Placement& placement) const {
  std::string text;
  for (const Token& piece : pieces()) {
    if (piece == Token{std::string(kNames[0]), Side::second}) text += '/';
    const auto here = std::ranges::find_if(placement.cells, [&](const auto& tokens) {
      return std::ranges::find(tokens, piece) != tokens.end();
    });
    const auto square = static_cast<int>(here - placement.cells.begin());
    text += here == placement.cells.end() ? "-" : square_text(square);
  }
  return text + (placement.to_move == Side::first ? " b" : " r");
}

std::string Bremen::ending(const State& state) const {
  return Boards(state).has_stack_of_four() ? "a stack of four" : "no legal move";
}

int Bremen::heuristic(const State& state) const {
  constexpr std::array<int, kAnimals + 1> kWorth = {0, 0, 100, 300, 0};  // by height
  std::array<std::uint8_t, kSquares + 1> height = {};
  std::array<Side, kSquares + 1> top = {};
  // From the bottom of a stack to its top.
  for (std::size_t animal = 0; animal < kAnimals; ++animal) {
    for (const Side side : {Side::first, Side::second}) {
      const std::uint8_t square = state.of(side)[animal];
      ++height[square];
      top[square] = side;
    }
  }
  int value = 0;
  for (std::size_t square = 0; square < kSquares; ++square) {
    const int worth = kWorth[height[square]];
    value += top[square] == state.side ? worth : -worth;
  }
  return value;
}

Action Bremen::action(const State& state, Move move) const {
  const int square = seen_by(state.side, square_of(move));
  if (is_draft(move)) return action_at(kFirstDraftMove + kSize * animal_of(move) + square % kSize);
  return action_at(kSquares * animal_of(move) + square);
}

std::span<const Symmetry> Bremen::symmetries(const State& state) const {
  // Blue begins the draft: an exchange of the sides would give a draft that cannot occur.
  return std::span(kSymmetries).first(is_drafting(state) ? 2 : 4);
}

State Bremen::transformed(const State& state, Symmetry symmetry) const {
  State out = state;
  for (auto& side : out.squares) {
    for (auto& square : side) square = transformed_square(square, symmetry);
  }
  if (symmetry.swap_sides) {
    std::swap(out.squares[0], out.squares[1]);
    out.side = opponent(out.side);
  }
  return out;
}

Move Bremen::transformed(Move move, Symmetry symmetry) const {
  const int square = transformed_square(square_of(move), symmetry);
  return is_draft(move) ? draft_move(animal_of(move), square) : play_move(animal_of(move), square);
}

void Bremen::write_features(const State& state, std::span<float> out) const {
  assert(out.size() == static_cast<std::size_t>(feature_shape().size()));
  std::ranges::fill(out, 0.0f);
  const auto mark = [&](std::size_t plane, int square) {
    if (square == kNotPlaced) return;
    out[plane * kSquares + at(seen_by(state.side, square))] = 1.0f;
  };
  const auto us = at(games::index(state.side));
  for (std::size_t animal = 0; animal < kAnimals; ++animal) {
    mark(animal, state.squares[us][animal]);
    mark(kAnimals + animal, state.squares[1 - us][animal]);
  }
  if (state.duty != State::kFree) mark(2 * kAnimals, state.squares[us][state.duty]);
}

void Bremen::write_draft_features(const State& state, std::span<float> out) const {
  assert(out.size() == static_cast<std::size_t>(draft_feature_shape().size()));
  std::ranges::fill(out, 0.0f);
  const auto us = at(games::index(state.side));
  for (const std::size_t side : {0u, 1u}) {
    const std::size_t row = side == us ? 1 : 0;
    for (std::size_t animal = 0; animal < kAnimals; ++animal) {
      const std::uint8_t square = state.squares[side][animal];
      if (square == kNotPlaced) continue;
      out[(animal * 2 + row) * kSize + at(seen_by(state.side, square) % kSize)] = 1.0f;
    }
  }
}

}  // namespace damier::games::bremen
