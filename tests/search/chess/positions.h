// Positions for the tests of the chess engine.
#pragma once

#include <string_view>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/games/chess/fen.h"
#include "damier/search/chess/engine.h"

namespace damier::search::chess::testing {

inline State position(std::string_view fen) {
  return games::chess::parse_fen(fen, games::chess::Generator()).value();
}

inline History game_at(std::string_view fen) { return History(Chess(), position(fen)); }

inline Move move_in(const History& history, std::string_view text) {
  return history.game().parse_move(history.state(), text).value();
}

// Every position of some games of random moves.
inline std::vector<State> random_positions(int games, std::uint64_t seed) {
  const Chess game;
  std::vector<State> positions;
  for (int i = 0; i < games; ++i) {
    RandomStream random(Seed{seed}, "test.chess", static_cast<std::uint64_t>(i));
    State state = game.initial();
    for (auto moves = game.legal_moves(state); !moves.empty(); moves = game.legal_moves(state)) {
      positions.push_back(state);
      game.play(state, moves[random.below(moves.size())]);
    }
  }
  return positions;
}

}  // namespace damier::search::chess::testing
