// Brême's texts: options, positions, moves, rules, picture.

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/bremen/bremen.h"

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
    for (const std::uint8_t square : state.squares[static_cast<std::size_t>(games::index(side))]) {
      text += square == kNotPlaced ? "-" : square_text(square);
    }
  }
  text += state.side == Side::first ? " b" : " r";
  if (state.duty != State::kFree) text += fmt::format(" !{}", kLetters[state.duty]);
  return text;
}

namespace {

// Reads a position one part after the other; the first error is kept.
class PositionReader {
 public:
  PositionReader(std::string_view text, const RuleOptions& rules)
      : text_(trim(text)), rest_(text_), rules_(rules) {}

  Result<State> read() {
    TRY(read_squares());
    TRY(read_side_and_duty());
    TRY(is_drafting() ? check_draft() : check_stacks());
    return state_;
  }

 private:
  Error error(const std::string& message) const {
    return Error{fmt::format("position {}: {}", in_quotes(text_), message)};
  }

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

  bool is_drafting() const { return placed(0) + placed(1) < 2 * kAnimals; }

  int placed(std::size_t side) const {
    int count = 0;
    for (const std::uint8_t square : state_.squares[side]) count += square != kNotPlaced;
    return count;
  }

  Status check_draft() const {
    const int to_move = games::index(state_.side);
    if (placed(0) != placed(1) + to_move) {
      return error(fmt::format(
          "in a draft begun by blue, {} to move after {} blue and {} red placements is impossible",
          Bremen::facts().sides[static_cast<std::size_t>(to_move)], placed(0), placed(1)));
    }
    if (state_.duty != State::kFree) return error("there is no duty to retreat in the draft");
    SquareSet taken = 0;
    for (const Side side : {Side::first, Side::second}) {
      for (const std::uint8_t square :
           state_.squares[static_cast<std::size_t>(games::index(side))]) {
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
    const auto us = static_cast<std::size_t>(games::index(state_.side));
    const auto& own = state_.squares[us];
    const auto& others = state_.squares[1 - us];
    const std::uint8_t square = own[state_.duty];
    const auto wrong = [&](std::string_view why) {
      return error(fmt::format("the {} {} on {} has no duty to retreat: {}",
                               Bremen::facts().sides[us], kNames[state_.duty], square_text(square),
                               why));
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

}  // namespace

Result<State> Bremen::parse_position(std::string_view text) const {
  return PositionReader(text, rules_).read();
}

std::string Bremen::move_text(const State&, Move move) const {
  return fmt::format("{}{}{}", kLetters[static_cast<std::size_t>(animal_of(move))],
                     is_draft(move) ? "@" : "", square_text(square_of(move)));
}

Picture Bremen::picture(const State& state, std::span<const Move> played) const {
  Picture picture{.rows = kSize, .cols = kSize, .facing = true};
  picture.row_labels = {"5", "4", "3", "2", "1"};
  picture.col_labels = {"a", "b", "c", "d", "e"};
  for (int square = 0; square < kSquares; ++square) {
    // Four places, bottom to top of the stack from left to right.
    Cell cell;
    for (std::size_t animal = 0; animal < kAnimals; ++animal) {
      Token token;
      for (const Side side : {Side::first, Side::second}) {
        const auto& squares = state.squares[static_cast<std::size_t>(games::index(side))];
        if (squares[animal] == square) token = {std::string(kNames[animal]), side};
      }
      cell.tokens.push_back(std::move(token));
    }
    picture.cells.push_back(std::move(cell));
  }
  if (!played.empty()) {
    picture.cells[static_cast<std::size_t>(square_of(played.back()))].shade = Shade::highlight;
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
                 Text(facts().sides[static_cast<std::size_t>(games::index(state.side))]),
                 Text(kNames[state.duty]));
  }
  return picture;
}

// In the draft an animal comes from outside the board.
Gesture Bremen::gesture(const State& state, Move move) const {
  const auto animal = static_cast<std::size_t>(animal_of(move));
  if (is_draft(move)) return {"draft", {square_of(move)}, kNames[animal]};
  const auto& squares = state.squares[static_cast<std::size_t>(games::index(state.side))];
  return {"move", {squares[animal], square_of(move)}};
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
  auto& here = placement.cells[static_cast<std::size_t>(cell)];
  const bool stands = std::find(here.begin(), here.end(), piece) != here.end();
  for (auto& tokens : placement.cells) std::erase(tokens, piece);
  if (stands) return;
  std::erase_if(here, [&](const Token& token) { return token.role == piece.role; });
  here.push_back(piece);
  const auto height = [](const Token& token) {
    return std::find(kNames.begin(), kNames.end(), token.role);
  };
  std::sort(here.begin(), here.end(),
            [&](const Token& a, const Token& b) { return height(a) < height(b); });
}

std::string Bremen::text_of(const Placement& placement) const {
  std::string text;
  for (const Token& piece : pieces()) {
    if (piece == Token{std::string(kNames[0]), Side::second}) text += '/';
    const auto here = std::find_if(
        placement.cells.begin(), placement.cells.end(), [&](const std::vector<Token>& tokens) {
          return std::find(tokens.begin(), tokens.end(), piece) != tokens.end();
        });
    const auto square = static_cast<int>(here - placement.cells.begin());
    text += here == placement.cells.end() ? "-" : square_text(square);
  }
  return text + (placement.to_move == Side::first ? " b" : " r");
}

std::string Bremen::ending(const State& state) const {
  return Boards(state).has_stack_of_four() ? "a stack of four" : "no legal move";
}

}  // namespace damier::games::bremen
