// What the tests of chess share.
#pragma once

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "damier/games/chess/chess.h"

namespace damier::games::chess {

inline State read_fen(const Chess& game, std::string_view fen) {
  const auto state = game.parse_position(fen);
  EXPECT_TRUE(state) << (state ? "" : state.error().text());
  return state ? *state : game.initial();
}

inline Move read_move(const Chess& game, const State& state, std::string_view text) {
  const auto move = game.parse_move(state, text);
  EXPECT_TRUE(move) << (move ? "" : move.error().text());
  return move ? *move : Move{};
}

struct RandomPly {
  State before;
  Move move;
  State after;
};

// A random game, until it ends or is `plies` long.
inline std::vector<RandomPly> random_game(const Chess& game, std::uint64_t seed, int plies) {
  RandomStream random(Seed{seed}, "chess.tests");
  std::vector<RandomPly> line;
  State state = game.initial();
  for (int ply = 0; ply < plies; ++ply) {
    const auto moves = game.legal_moves(state);
    if (moves.empty()) break;
    const Move move = moves[random.below(moves.size())];
    State next = state;
    game.play(next, move);
    line.push_back({state, move, next});
    state = next;
  }
  return line;
}

// Half of the seeds give a game of Chess960.
inline Chess any_chess(std::uint64_t seed) {
  const bool chess960 = seed % 2 == 1;
  return Chess({.chess960 = chess960,
                .start = chess960 ? static_cast<int>(seed / 2 % 960) : kStandardStart});
}

}  // namespace damier::games::chess
