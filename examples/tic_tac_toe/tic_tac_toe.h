// Tic-tac-toe, the worked example of docs/adding-a-game.md: all that a game has to say.
#pragma once

#include <array>
#include <cstdint>

#include "damier/games/defaults.h"

namespace tic_tac_toe {

using namespace damier::games;
using damier::Error;
using damier::InlineList;
using damier::Result;

// The state: a small value.
struct State {
  std::array<std::uint16_t, 2> marks = {};  // by side, bit 3 * row + column
  Side side = Side::first;

  bool operator==(const State&) const = default;
};

// A move: the cell.
enum class Move : std::uint8_t {};

class TicTacToe : public GameDefaults<TicTacToe> {
 public:
  using State = tic_tac_toe::State;
  using Move = tic_tac_toe::Move;
  using MoveList = InlineList<Move, 9>;

  // What the game is called, and its rules in words.
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

  // What networks see.
  int action_count() const { return 9; }
  Action action(const State&, Move move) const { return action_at(static_cast<int>(move)); }
  std::span<const Symmetry> symmetries(const State& state) const;
  State transformed(const State& state, Symmetry symmetry) const;
  Move transformed(Move move, Symmetry symmetry) const;
  FeatureShape feature_shape() const { return {2, 3, 3}; }  // the mover's marks, the opponent's
  void write_features(const State& state, std::span<float> out) const;

  // What people see.
  Picture picture(const State& state, std::span<const Move> played) const;
  Gesture gesture(const State& state, Move move) const;
  std::string ending(const State& state) const;
};

static_assert(Game<TicTacToe>);  // the compiler says what is missing

}  // namespace tic_tac_toe
