// Chess's texts: options, rules, and the notations by which the game is known to the others.

#include <fmt/format.h>

#include "damier/games/chess/chess.h"
#include "damier/games/chess/fen.h"
#include "damier/games/chess/san.h"

namespace damier::games::chess {

namespace {

constexpr std::array<Option, 5> kOptions = {{
    {"variant", "standard", "standard|chess960", "the usual start, or one of Chess960's 960"},
    {"start", "518", "0 to 959", "the number of the start in Chess960; 518 is the usual one"},
    {"repetition", "3", "3|5|0", "how often a position must occur for a draw; 0: never"},
    {"moves", "50", "50|75|0",
     "moves of each side without a capture or a pawn move after which a game is drawn; 0: never"},
    {"material", "draw", "draw|play",
     "whether a game is over when no mate is possible with the pieces left"},
}};

constexpr std::array<Preset, 1> kPresets = {{{"chess960", "variant", "chess960"}}};

constexpr int kRepetitions[] = {3, 5, 0};
constexpr int kMoveRules[] = {50, 75, 0};

}  // namespace

const Facts& Chess::facts() {
  static constexpr Facts kFacts = {
      .name = "chess",
      .title = "Chess",
      .summary = "the game of kings, by the laws of FIDE; Chess960 too",
      .rules =
          R"(The laws of FIDE: castling, en passant, promotion, mate and stalemate. White begins.

A game is drawn when a position occurs for the third time, after 50 moves of each side without
a capture or a pawn move, and when no mate is possible with the pieces that are left (bare
kings, one minor piece, bishops on squares of one colour only). The laws let a player claim the
first two and end the game by themselves at five occurrences and 75 moves: repetition=5, moves=75.

In Chess960 the pieces of the first rank stand in one of 960 orders (start=0 to 959), bishops on
both colours, the king between the rooks. Castling takes king and rook to their usual squares.

Move:      Nf3, exd5, O-O, e8=Q, Nbd2, Qh4#; or from and to, as g1f3, e7e8q.
Position:  FEN, as "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".)",
      .move_notation = "Nf3, exd5, O-O, e8=Q, or from and to, as g1f3",
      .sides = {"white", "black"},
      .score_unit = "pawns",
  };
  return kFacts;
}

std::span<const Option> Chess::options() { return kOptions; }
std::span<const Preset> Chess::presets() { return kPresets; }

Result<Chess> Chess::make(const OptionValues& values) {
  const OptionReader reader(kOptions, values);
  TRY(reader.check());
  const auto variant = TRY(reader.choice("variant"));
  const auto start = TRY(reader.integer("start", 0, 959));
  const auto repetition = TRY(reader.choice("repetition"));
  const auto moves = TRY(reader.choice("moves"));
  const auto material = TRY(reader.choice("material"));
  if (variant == 0 && start != kStandardStart) {
    return Error{fmt::format("start={} needs variant=chess960; the usual start is {}", start,
                             kStandardStart)};
  }
  return Chess({.chess960 = variant == 1,
                .start = start,
                .repetitions = kRepetitions[repetition],
                .move_rule = kMoveRules[moves],
                .material_draws = material == 0});
}

OptionValues Chess::option_values() const {
  return {{"variant", rules_.chess960 ? "chess960" : "standard"},
          {"start", std::to_string(rules_.start)},
          {"repetition", std::to_string(rules_.repetitions)},
          {"moves", std::to_string(rules_.move_rule)},
          {"material", rules_.material_draws ? "draw" : "play"}};
}

std::string Chess::position_text(const State& state) const { return fen_text(state); }

Result<State> Chess::parse_position(std::string_view text) const {
  return parse_fen(text, generator_);
}

std::string Chess::move_text(const State& state, Move move) const {
  return san_text(*this, state, move);
}

Result<Move> Chess::parse_move(const State& state, std::string_view text) const {
  return parse_chess_move(*this, state, text);
}

}  // namespace damier::games::chess
