// Positions of minesweeper to learn from, met in games on boards of many sizes and densities, with
// what is exactly true of them.
//
// Who plays on may not know where the bombs are, or his wins would teach that they lie well. Moves
// depend on what a player sees and on chance; where a cell is tried at random and turns out to be a
// bomb, it is drawn from all masked cells, of which always the same number hold bombs. A game in
// which a fatal guess was taken back is told from then on, and its rows say nothing of wins but
// what is exactly true.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/exact/minesweeper/end_game.h"
#include "damier/exact/minesweeper/guess.h"
#include "damier/games/minesweeper/minesweeper.h"
#include "damier/learn/rows/row_buffer.h"

namespace damier::play {
class MinesweeperNetwork;
}

namespace damier::learn {

struct BoardSize {
  int rows = 0;
  int cols = 0;
  int bombs = 0;
};

// Which games are played, and which of their positions become rows.
struct BoardMix {
  int frame = 16;
  int smallest = 5;
  int largest = 16;
  double least_density = 0.04;
  double greatest_density = 0.24;
  std::optional<BoardSize> board;  // this one alone
  // The probability that a position with a safe cell becomes a row; on boards of more than 100
  // cells it shrinks with their number. Where only counting proves a cell safe, or the network that
  // plays takes another, the position always becomes one.
  double certain = 0.15;
  int tries = 6;  // cells that are tried in a guess, at most
  // How often a fatal guess is taken back for a cell that is safe: otherwise crowded boards would
  // hardly ever be seen when they are half open.
  double taken_back = 0.5;
};

BoardSize draw_board(const BoardMix& mix, RandomStream& random);

// A row keeps their number in a byte.
inline constexpr int kMaxBombs = 255;

// A probability to win is kept in whole parts of this.
inline constexpr int kWinParts = 250;

class PositionMaker {
 public:
  explicit PositionMaker(const BoardMix& mix);

  // Plays the games by the solver, one after the other, and adds their rows. A game's rows follow
  // from the seed and its number alone.
  void play(Seed seed, std::int64_t first_game, int games, RowBuffer& rows);
  // The same with the network's moves, the games side by side.
  void play(Seed seed, std::int64_t first_game, int games, play::MinesweeperNetwork& network,
            RowBuffer& rows);

 private:
  using Minesweeper = games::minesweeper::Minesweeper;
  using Cell = exact::minesweeper::Cell;

  // A game under way, and what a player knows of it.
  struct Position {
    games::minesweeper::State state;
    exact::minesweeper::Board board;
    int left = 0;  // safe cells that are still masked
    int opened = 0;

    bool over() const { return state.lost || left == 0; }
  };
  struct Game {
    std::int64_t number;
    RandomStream random;
    BoardSize size;
    Minesweeper rules;
    int top, left;         // where the board lies in the frame
    double one_at_a_time;  // how often one safe cell is opened alone
    bool told = false;     // a guess was taken back
    Position position = {};
  };
  // A safe cell is known by simple deductions, or since counting just proved one, or none is.
  enum class Seen { certain, counted, guess, too_hard };

  Game begin(Seed seed, std::int64_t number) const;
  static void open(const Minesweeper& rules, Position& position, Cell cell);
  static bool has_bomb(const Position& position, Cell cell);
  // Whether a cell is proven safe; the analysis is that of the board unless that was known.
  Seen look(Position& position);
  bool mark_safe(Position& position);
  // A guess by a short look ahead.
  Cell guess(Position& position);
  bool wins(const Minesweeper& rules, Position& position);
  // Makes a row of the position if it is one to learn from; look() has just been called. `missed`:
  // the player did not see its safe cells.
  void record(Game& game, Seen seen, bool missed, RowBuffer& rows);
  void add_row(Game& game, Seen seen, RowBuffer& rows);
  bool add_exact_wins(const Game& game, std::span<std::uint8_t> win, std::span<std::uint8_t> tried);
  void add_tried_wins(Game& game, std::span<std::uint8_t> win, std::span<std::uint8_t> tried);
  void list_candidates(const Position& position, RandomStream& random);
  void go_on(Game& game, Seen seen);
  // Opens a cell that may be a bomb; a fatal one is taken back now and then.
  void dare(Game& game, Cell cell);
  std::size_t place(const Game& game, Cell cell) const;

  BoardMix mix_;
  exact::minesweeper::Analysis<double> analysis_;
  exact::minesweeper::Guesser<double> guesser_;
  exact::minesweeper::EndGameSearch end_game_;
  exact::minesweeper::Board plain_board_;
  exact::minesweeper::Front plain_front_;
  Position tried_;
  struct Candidate {
    Cell cell;
    double probability;
  };
  std::vector<Candidate> candidates_;  // the least probability first
};

}  // namespace damier::learn
