// Patches of minesweeper (model/minesweeper/patch.h) to learn from: invented and masked, or cut out
// of boards in play.
//
// A patch that is invented comes from a grid one cell wider on each side, so that the numbers at
// its rim count bombs that it does not show.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/games/minesweeper/minesweeper.h"
#include "damier/model/minesweeper/patch.h"

namespace damier::learn {

using games::minesweeper::Code;
using model::kMaxDiameter;
using model::kMaxPatchCells;
using model::kMinDiameter;
using model::Patch;

// Safe cells that are open.
int open_cells(const Patch& patch);

// Walls at the sides of a grid, in columns and rows.
struct Walls {
  int left = 0;
  int right = 0;
  int top = 0;
  int bottom = 0;
};

// The report's algorithm 2 for a grid of that radius: a cell of the board drawn at random, as long
// as the board has 2 * radius rows and columns.
Walls draw_walls(int radius, int rows, int cols, RandomStream& random);

// The report's algorithm 3: of the board's bombs, each stands among `free` of its `cells`.
int draw_bombs(int free, int cells, int bombs, RandomStream& random);

enum class Centre : std::uint8_t { safe, bomb, any };

// A grid of size x size cells with its walls and bombs.
struct PatchGrid {
  int size = 0;
  Walls walls;
  std::array<std::uint32_t, kMaxDiameter + 2> bombs = {};  // bit c of word r
};

// Its middle, without the outermost cells but with the numbers that they give.
void crop(const PatchGrid& grid, Patch& out);

// The report's patches. All cells are open, bombs too.
class PatchMaker {
 public:
  // The board must have diameter + 1 rows and columns at least, and room for its bombs.
  PatchMaker(int diameter, int rows, int cols, int bombs);

  int diameter() const { return diameter_; }
  // A grid of diameter + 2. A central bomb counts among its bombs: where algorithm 3 draws none, it
  // is the only one.
  PatchGrid draw(Centre centre, RandomStream& random) const;
  void make(Centre centre, RandomStream& random, Patch& out) const {
    crop(draw(centre, random), out);
  }

 private:
  int diameter_, rows_, cols_, bombs_;
};

// Masks a patch that is all open, again and again. The number of masked cells is uniform from 1 to
// one less than the cells that are no wall, the centre is one of them, and the others are drawn at
// random. Bombs are never seen: without flags they are masked before any other cell, however few
// are to be masked; with flags those that would be seen are flagged instead.
class PatchMasker {
 public:
  PatchMasker() = default;
  PatchMasker(const Patch& patch, bool flags);
  void mask(RandomStream& random, Patch& out) const;

 private:
  Patch shown_;  // what no draw changes: the centre masked, and the bombs masked or flagged
  int masked_ = 0;
  int free_ = 0;
  int choices_ = 0;
  std::array<std::uint8_t, kMaxPatchCells> cells_ = {};  // that may be masked or not
};

// A board and one game on it, in which safe cells are opened at random until none is left.
class RandomGame {
 public:
  RandomGame(const games::minesweeper::Minesweeper& game, int diameter);

  // Another board, another game; the board must have a bomb, and a safe cell beyond the first.
  void play(RandomStream& random);

  // The patch around a masked cell of the kind asked for, at a moment of the game drawn at random.
  // With flags, a share of the bombs in sight, drawn anew each time, is flagged. Tells whether
  // there is a bomb in the centre.
  bool cut(Centre centre, bool flags, RandomStream& random, Patch& out) const;

 private:
  bool play_once(RandomStream& random);
  std::size_t place_of(int cell) const {
    return static_cast<std::size_t>((cell / game_.cols() + radius_) * stride_ +
                                    cell % game_.cols() + radius_);
  }

  games::minesweeper::Minesweeper game_;
  int radius_, stride_;
  std::vector<Code> codes_;               // with walls all around; bombs as bombs
  std::vector<std::uint16_t> opened_at_;  // the opening that showed it; never for bombs
  std::vector<int> safe_;                 // by the time of their opening
  std::vector<int> bombs_;
  std::vector<int> open_after_;  // safe cells that are open after k openings
  std::vector<int> order_;
};

}  // namespace damier::learn
