// Chess's options and rules, playing moves, and how games end.

#include <limits>

#include <fmt/format.h>

#include "damier/games/chess/chess.h"
#include "damier/games/chess/fen.h"

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

constexpr int kPieceValues[kKinds] = {100, 320, 330, 500, 900, 0};

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

Chess::Chess(RuleOptions rules, Generator generator)
    : rules_(rules),
      halfmove_limit_(rules.move_rule == 0 ? std::numeric_limits<int>::max() : 2 * rules.move_rule),
      generator_(generator),
      initial_(chess960_start(rules.start)) {}

Chess Chess::without_draws() const {
  RuleOptions rules = kNoDraws;
  rules.chess960 = rules_.chess960;
  rules.start = rules_.start;
  return Chess(rules, generator_);
}

void Chess::play(State& state, Move move) const {
  const int us = games::index(state.side), them = 1 - us;
  const int from = index(from_of(move)), to = index(to_of(move));
  const MoveType type = type_of(move);
  const Bitboard from_bit = bit(from), to_bit = bit(to);
  const auto& keys = kZobrist.pieces[us];
  std::uint64_t hash = state.hash ^ kZobrist.black_to_move;

  state.side = opponent(state.side);
  if (state.halfmove_clock < std::numeric_limits<std::uint16_t>::max()) ++state.halfmove_clock;
  if (us == 1 && state.move_number < std::numeric_limits<std::uint16_t>::max()) {
    ++state.move_number;
  }
  if (state.en_passant != Square::none) {
    hash ^= kZobrist.en_passant[file_of(state.en_passant)];
    state.en_passant = Square::none;
  }
  const bool king_moves = type == MoveType::king || type == MoveType::castling;
  const Bitboard touched =
      king_moves ? home_squares(opponent(state.side)) | to_bit : from_bit | to_bit;
  if (Bitboard lost = state.castling & touched; lost != 0) {
    state.castling ^= lost;
    while (lost != 0) hash ^= kZobrist.castling[take_lowest(lost)];
  }
  if (type == MoveType::castling) {
    const int king_to = index(castled_king(move)), rook_to = index(castled_rook(move));
    // Two exclusive ors each: a piece may end where the other came from.
    state.kinds[index(Kind::king)] ^= from_bit ^ bit(king_to);
    state.kinds[index(Kind::rook)] ^= to_bit ^ bit(rook_to);
    state.sides[us] ^= from_bit ^ to_bit ^ bit(king_to) ^ bit(rook_to);
    const auto& king = keys[index(Kind::king)];
    const auto& rook = keys[index(Kind::rook)];
    state.hash = hash ^ king[from] ^ king[king_to] ^ rook[to] ^ rook[rook_to];
    return;
  }

  if ((state.sides[them] & to_bit) != 0) {
    const int taken = index(state.kind_on(to_bit));
    state.kinds[taken] ^= to_bit;
    state.sides[them] ^= to_bit;
    hash ^= kZobrist.pieces[them][taken][to];
    state.halfmove_clock = 0;
  }
  state.sides[us] ^= from_bit ^ to_bit;
  if (type <= MoveType::king) {
    const int kind = static_cast<int>(type);
    state.kinds[kind] ^= from_bit ^ to_bit;
    state.hash = hash ^ keys[kind][from] ^ keys[kind][to];
    if (type == MoveType::pawn) state.halfmove_clock = 0;
    return;
  }

  state.halfmove_clock = 0;
  Bitboard& pawns = state.kinds[index(Kind::pawn)];
  const auto& pawn = keys[index(Kind::pawn)];
  pawns ^= from_bit;
  hash ^= pawn[from];
  if (is_promotion(move)) {
    const int kind = index(promoted_of(move));
    state.kinds[kind] ^= to_bit;
    state.hash = hash ^ keys[kind][to];
    return;
  }
  pawns ^= to_bit;
  hash ^= pawn[to];
  if (type == MoveType::en_passant) {
    const int taken = to ^ 8;  // the square behind, seen from the one who takes
    pawns ^= bit(taken);
    state.sides[them] ^= bit(taken);
    hash ^= kZobrist.pieces[them][index(Kind::pawn)][taken];
  } else {
    const Bitboard beside = ((to_bit & ~kFileA) >> 1) | ((to_bit & ~kFileH) << 1);
    const Square passed = square_at((from + to) / 2);
    if ((beside & pawns & state.sides[them]) != 0 &&
        generator_.can_take_en_passant(state, passed)) {
      state.en_passant = passed;
      hash ^= kZobrist.en_passant[file_of(passed)];
    }
  }
  state.hash = hash;
}

// Bare kings, one minor piece, or any number of bishops that all stand on squares of one colour.
bool Chess::is_dead_without_majors_and_pawns(const State& state) {
  const Bitboard knights = state.of(Kind::knight), bishops = state.of(Kind::bishop);
  if (bit_count(knights | bishops) <= 1) return true;
  if (knights != 0) return false;
  return (bishops & kLightSquares) == 0 || (bishops & ~kLightSquares) == 0;
}

Outcome Chess::outcome(const State& state) const {
  const bool stuck = generator_.count(state) == 0;
  if (stuck && in_check(state)) return win_of(opponent(state.side));
  return stuck || drawn_by_rule(state) ? Outcome::draw : Outcome::ongoing;
}

Text Chess::ending(const State& state) const {
  if (generator_.count(state) == 0) return in_check(state) ? "checkmate" : "stalemate";
  if (state.halfmove_clock >= halfmove_limit_) {
    return Text::of("{} moves without a capture or a pawn move", rules_.move_rule);
  }
  return drawn_by_rule(state) ? "neither side has the material to mate" : "";
}

int Chess::heuristic(const State& state) const {
  int value = 0;
  for (int kind = 0; kind < kKinds; ++kind) {
    value += kPieceValues[kind] * (bit_count(state.kinds[kind] & state.of(state.side)) -
                                   bit_count(state.kinds[kind] & state.of(opponent(state.side))));
  }
  return value;
}

}  // namespace damier::games::chess
