// Chess by the laws of FIDE, Chess960 included.
//
// Castling is the king's move onto its own rook, in State, Move and the action index alike, so that
// Chess960 is no special case; only the notations know e1g1 and O-O.
#pragma once

#include "damier/games/chess/generator.h"
#include "damier/games/chess/state.h"
#include "damier/games/defaults.h"
#include "damier/games/picture.h"

namespace damier::games::chess {

inline constexpr int kStandardStart = 518;  // its number among the 960 starts

struct RuleOptions {
  bool chess960 = false;       // variant=chess960
  int start = kStandardStart;  // start=0…959, of Chess960
  int repetitions = 3;         // repetition=3|5|0
  int move_rule = 50;          // moves=50|75|0: without capture or pawn move
  bool material_draws = true;  // material=draw|play
};

// Only mate and stalemate end a game.
inline constexpr RuleOptions kNoDraws = {.repetitions = 0, .move_rule = 0, .material_draws = false};

class Chess : public GameDefaults<Chess> {
 public:
  using State = chess::State;
  using Move = chess::Move;
  using MoveList = chess::MoveList;

  Chess() : Chess(RuleOptions{}) {}
  explicit Chess(RuleOptions rules, Generator generator = {});

  static const Facts& facts();
  static std::span<const Option> options();
  static std::span<const Preset> presets();
  static Result<Chess> make(const OptionValues& values);
  OptionValues option_values() const;
  const RuleOptions& rules() const { return rules_; }
  // For perft (games/perft.h).
  Chess without_draws() const;

  State initial() const { return initial_; }
  int repetition_limit() const { return rules_.repetitions; }
  std::uint64_t hash(const State& state) const { return state.hash; }

  MoveList legal_moves(const State& state) const {
    return drawn_by_rule(state) ? MoveList() : generator_.list(state);
  }
  int count_moves(const State& state) const {
    return drawn_by_rule(state) ? 0 : generator_.count(state);
  }
  void play(State& state, Move move) const;
  Outcome outcome(const State& state) const;
  bool in_check(const State& state) const { return generator_.checkers(state) != 0; }

  // Material in hundredths of a pawn: pawn 100, knight 320, bishop 330, rook 500, queen 900.
  int heuristic(const State& state) const;

  // Positions are FEN. Moves are written in SAN, with the least that tells the move from the other
  // legal ones and with + or #, and read in SAN or UCI notation.
  std::string position_text(const State& state) const;
  Result<State> parse_position(std::string_view text) const;
  std::string move_text(const State& state, Move move) const;
  Result<Move> parse_move(const State& state, std::string_view text) const;

  // 0 to 1791: the pairs of squares that a queen or a knight joins, by departure, then arrival;
  // 1792 to 1857: promotions to less than a queen, 22 for knight, bishop and rook each, by the
  // file of departure, then of arrival.
  int action_count() const;
  Action action(const State& state, Move move) const;
  std::optional<Move> move(const State& state, Action action) const;

  // The board upside down with the sides exchanged; without castling rights also left to right.
  std::span<const Symmetry> symmetries(const State& state) const;
  State transformed(const State& state, Symmetry symmetry) const;
  Move transformed(Move move, Symmetry symmetry) const;

  // (13, 8, 8): twelve planes of pieces in the order of encoders.h, a1 first, then the side to
  // move (all 1 for White, all 0 for Black).
  FeatureShape feature_shape() const { return {13, kBoardSize, kBoardSize}; }
  void write_features(const State& state, std::span<float> out) const;
  // The square of the planes that a cell of the picture is: its first row is rank 8.
  int feature_square(const State&, int cell) const { return cell ^ (kSquares - kBoardSize); }

  Picture picture(const State& state, std::span<const Move> played) const;
  Gesture gesture(const State& state, Move move) const;
  static std::vector<Token> pieces();
  std::string text_of(const Placement& placement) const;
  Text ending(const State& state) const;

  // Whether no series of legal moves leads to mate, as far as the material says.
  static bool is_dead_material(const State& state) {
    const Bitboard mating = state.of(Kind::pawn) | state.of(Kind::rook) | state.of(Kind::queen);
    return mating == 0 && is_dead_without_majors_and_pawns(state);
  }

  const Generator& generator() const { return generator_; }

 private:
  // Drawn, unless it is mate: then there are no moves either.
  bool drawn_by_rule(const State& state) const {
    if (state.halfmove_clock >= halfmove_limit_) return true;
    return rules_.material_draws && is_dead_material(state);
  }
  static bool is_dead_without_majors_and_pawns(const State& state);

  RuleOptions rules_;
  int halfmove_limit_;
  Generator generator_;
  State initial_;
};

static_assert(Game<Chess>);

}  // namespace damier::games::chess
