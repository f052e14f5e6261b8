// A whole game for a player who keeps its own board: it hears what every opening shows.
#pragma once

#include "damier/games/minesweeper/minesweeper.h"

namespace damier::exact::minesweeper {

struct DealtGame {
  DealtGame(const games::minesweeper::Minesweeper& rules, Seed seed)
      : game(rules), state(rules.deal(seed)) {}

  // Calls see(cell, number) for all cells that open, by row-major index; for none after a bomb.
  template <class See>
  void open(int cell, const See& see) {
    const games::minesweeper::Grid before = state.open;
    game.open(state, cell / game.cols(), cell % game.cols());
    if (state.lost) return;
    for (int row = 0; row < game.rows(); ++row) {
      for (auto rest = state.open[at(row)] & ~before[at(row)]; rest != 0; rest &= rest - 1) {
        const int col = lowest_bit(rest);
        see(row * game.cols() + col, game.number(state, row, col));
        ++result.score;
      }
    }
    result.won = result.score == game.cells() - game.bombs();
  }
  bool over() const { return state.lost || result.won; }

  const games::minesweeper::Minesweeper& game;
  games::minesweeper::State state;
  games::HiddenResult result = {};
};

}  // namespace damier::exact::minesweeper
