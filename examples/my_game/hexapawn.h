// Hexapawn, four pawns a side on four rows of four: all that a game has to say.
#pragma once

#include <array>
#include <cstdint>

#include "damier/games/defaults.h"

namespace hexapawn {

using namespace damier::games;
using damier::InlineList;
using damier::Result;

// A position: the cells of each side's pawns, bit 4 * row + column, and whose turn it is.
struct State {
  std::array<std::uint16_t, 2> pawns = {0x000F, 0xF000};
  Side side = Side::first;

  bool operator==(const State&) const = default;
};

struct Move {
  std::uint8_t from = 0;
  std::uint8_t to = 0;

  bool operator==(const Move&) const = default;
};

class Hexapawn : public GameDefaults<Hexapawn> {
 public:
  using State = hexapawn::State;
  using Move = hexapawn::Move;
  using MoveList = InlineList<Move, 12>;  // four pawns with three moves each

  static const Facts& facts();

  // The rules.
  State initial() const { return {}; }
  Side side_to_move(const State& state) const { return state.side; }
  MoveList legal_moves(const State& state) const;
  void play(State& state, Move move) const;
  Outcome outcome(const State& state) const;
  std::uint64_t hash(const State& state) const;

  // The notation.
  std::string position_text(const State& state) const;
  Result<State> parse_position(std::string_view text) const;
  std::string move_text(const State& state, Move move) const;

  // What people see.
  Picture picture(const State& state, std::span<const Move> played) const;
  std::string ending(const State& state) const;

  // What networks see.
  int action_count() const { return 3 * 16; }
  Action action(const State& state, Move move) const;
  FeatureShape feature_shape() const { return {2, 4, 4}; }
  void write_features(const State& state, std::span<float> out) const;
  std::span<const Symmetry> symmetries(const State& state) const;
  State transformed(const State& state, Symmetry symmetry) const;
  Move transformed(Move move, Symmetry symmetry) const;

  // What a search trusts that stops before the end.
  int heuristic(const State& state) const;
};

static_assert(Game<Hexapawn>);  // the compiler says what is missing

}  // namespace hexapawn
