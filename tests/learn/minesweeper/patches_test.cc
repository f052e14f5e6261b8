// Patches of minesweeper: their numbers, the laws of their walls, bombs and masks, and cutting them
// out of boards.

#include "damier/learn/minesweeper/patches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tests/exact/minesweeper/boards.h"
#include "tests/learn/minesweeper/plain_patch.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace damier::learn {
namespace {

using namespace model;

using exact::minesweeper::board;
using games::minesweeper::is_number;
using games::minesweeper::Minesweeper;
using games::minesweeper::Observation;

constexpr int kMany = 40'000;

// Four standard deviations of a share that is `share` in truth.
double reach(double share) { return 4 * std::sqrt(share * (1 - share) / kMany); }

int count(const Patch& patch, Code code) {
  const auto codes = patch.seen();
  return static_cast<int>(std::count(codes.begin(), codes.end(), code));
}

int free_cells(const Patch& patch) { return patch.cells() - count(patch, Code::wall); }

Code code_at(const Patch& patch, int row, int col) { return patch[row * patch.diameter + col]; }

// A grid of any size that the report's generator might draw.
PatchGrid some_grid(Centre centre) {
  const int diameter = 2 * *rc::gen::inRange(1, 8) + 1;
  const int rows = *rc::gen::inRange(diameter + 1, 31), cols = *rc::gen::inRange(diameter + 1, 31);
  const int bombs = *rc::gen::inRange(1, rows * cols / 2);
  RandomStream random(Seed{*rc::gen::arbitrary<std::uint64_t>()}, "test.patch");
  return PatchMaker(diameter, rows, cols, bombs).draw(centre, random);
}

Patch some_patch(Centre centre) {
  Patch patch;
  crop(some_grid(centre), patch);
  return patch;
}

// What the patch shows is what the wider grid holds, counted cell by cell.
RC_GTEST_PROP(MinesweeperPatchLaws, NumbersCountTheBombsOfTheWiderGrid, ()) {
  const Centre centre = *rc::gen::element(Centre::safe, Centre::bomb, Centre::any);
  const PatchGrid grid = some_grid(centre);
  const auto is_bomb = [&](int row, int col) {
    return (grid.bombs[static_cast<std::size_t>(row)] >> col & 1) != 0;
  };
  const auto is_wall = [&](int row, int col) {
    return row < grid.walls.top || row >= grid.size - grid.walls.bottom || col < grid.walls.left ||
           col >= grid.size - grid.walls.right;
  };
  Patch patch;
  crop(grid, patch);
  RC_ASSERT(patch.diameter == grid.size - 2);
  if (centre != Centre::any) {
    RC_ASSERT((patch[patch.centre()] == Code::bomb) == (centre == Centre::bomb));
  }
  for (int row = 0; row < grid.size; ++row) {
    for (int col = 0; col < grid.size; ++col) {
      RC_ASSERT(!is_wall(row, col) || !is_bomb(row, col));
      if (row == 0 || col == 0 || row == grid.size - 1 || col == grid.size - 1) continue;
      int around = 0;
      for (int r = row - 1; r <= row + 1; ++r) {
        for (int c = col - 1; c <= col + 1; ++c) around += is_bomb(r, c);
      }
      const Code expected = is_wall(row, col)   ? Code::wall
                            : is_bomb(row, col) ? Code::bomb
                                                : static_cast<Code>(around);
      RC_ASSERT(code_at(patch, row - 1, col - 1) == expected);
    }
  }
}

RC_GTEST_PROP(MinesweeperPatchLaws, WallsAreStripsThatLeaveTheCentre, ()) {
  const Patch patch = some_patch(Centre::safe);
  const int middle = patch.diameter / 2;
  RC_ASSERT(patch[patch.centre()] != Code::wall);
  for (int row = 0; row < patch.diameter; ++row) {
    for (int col = 0; col < patch.diameter; ++col) {
      const bool wall = code_at(patch, row, col) == Code::wall;
      RC_ASSERT(wall == (code_at(patch, row, middle) == Code::wall ||
                         code_at(patch, middle, col) == Code::wall));
    }
  }
  for (const bool across : {false, true}) {
    const auto at = [&](int i) {
      return across ? code_at(patch, middle, i) : code_at(patch, i, middle);
    };
    RC_ASSERT(at(0) != Code::wall || at(patch.diameter - 1) != Code::wall);
  }
}

TEST(MinesweeperPatches, WallsFollowAlgorithm2) {
  RandomStream random(Seed{1}, "test.walls");
  std::map<int, int> left, right, top, bottom;
  for (int i = 0; i < kMany; ++i) {
    const Walls walls = draw_walls(3, 20, 10, random);
    EXPECT_TRUE(walls.left == 0 || walls.right == 0);
    EXPECT_TRUE(walls.top == 0 || walls.bottom == 0);
    ++left[walls.left], ++right[walls.right], ++top[walls.top], ++bottom[walls.bottom];
  }
  const auto share = [](int n) { return static_cast<double>(n) / kMany; };
  for (int thickness = 1; thickness <= 3; ++thickness) {
    EXPECT_NEAR(share(left[thickness]), 0.1, reach(0.1));
    EXPECT_NEAR(share(right[thickness]), 0.1, reach(0.1));
    EXPECT_NEAR(share(top[thickness]), 0.05, reach(0.05));
    EXPECT_NEAR(share(bottom[thickness]), 0.05, reach(0.05));
  }
  EXPECT_EQ(left.size(), 4u);
  EXPECT_EQ(bottom.size(), 4u);
}

TEST(MinesweeperPatches, BombsFollowAlgorithm3) {
  RandomStream random(Seed{1}, "test.bombs");
  std::vector<double> drawn(11);
  for (int i = 0; i < kMany; ++i)
    ++drawn[static_cast<std::size_t>(draw_bombs(49, 100, 10, random))];
  double binomial = std::pow(0.51, 10);
  for (std::size_t k = 0; k <= 10; ++k) {
    EXPECT_NEAR(drawn[k] / kMany, binomial, reach(binomial) + 1e-9) << k;
    binomial *= static_cast<double>(10 - k) / static_cast<double>(k + 1) * 0.49 / 0.51;
  }
}

// The report counts its duplicates: about 47 % of 500,000 patches with a safe centre, 66 % of those
// with a bomb. That decides how a central bomb is counted, which it does not say.
TEST(MinesweeperPatches, AreAsOftenDuplicatesAsTheReportSays) {
  const PatchMaker maker(5, 10, 10, 10);
  const auto duplicates = [&](Centre centre, int draws) {
    RandomStream random(Seed{7}, "test.duplicates");
    std::vector<std::uint64_t> hashes;
    Patch patch;
    for (int i = 0; i < draws; ++i) {
      maker.make(centre, random, patch);
      hashes.push_back(hash_of(patch));
    }
    std::sort(hashes.begin(), hashes.end());
    const auto different = std::unique(hashes.begin(), hashes.end()) - hashes.begin();
    return 1 - static_cast<double>(different) / draws;
  };
  EXPECT_NEAR(duplicates(Centre::safe, 500'000), 0.47, 0.01);
  EXPECT_NEAR(duplicates(Centre::bomb, 500'000), 0.66, 0.01);
}

// Masks hide, and change nothing else; they hide the centre, and no bomb is ever seen.
RC_GTEST_PROP(MinesweeperPatchLaws, MasksOnlyHide, ()) {
  const Patch patch = some_patch(*rc::gen::element(Centre::safe, Centre::bomb));
  const bool flags = *rc::gen::arbitrary<bool>();
  const PatchMasker masker(patch, flags);
  RandomStream random(Seed{*rc::gen::arbitrary<std::uint64_t>()}, "test.mask");
  Patch masked;
  masker.mask(random, masked);
  RC_ASSERT(masked.diameter == patch.diameter);
  RC_ASSERT(masked[masked.centre()] == Code::masked);
  for (int cell = 0; cell < patch.cells(); ++cell) {
    RC_ASSERT(masked[cell] != Code::bomb);
    if (masked[cell] == Code::flag) {
      RC_ASSERT(flags && patch[cell] == Code::bomb);
    } else if (masked[cell] == Code::masked) {
      RC_ASSERT(patch[cell] != Code::wall);
    } else {
      RC_ASSERT(masked[cell] == patch[cell]);
    }
  }
  RC_ASSERT(count(masked, Code::masked) >= 1);
  // Something is left to see, unless bombs are all there is.
  const bool all_bombs = !flags && count(patch, Code::bomb) >= free_cells(patch) - 1;
  RC_ASSERT(all_bombs || count(masked, Code::masked) < free_cells(patch));
}

Patch patch_of(std::string_view text, int diameter) {
  Patch patch;
  patch.diameter = diameter;
  const Observation view = board(text);
  std::copy(view.cells.begin(), view.cells.end(), patch.codes.begin());
  return patch;
}

TEST(MinesweeperPatches, AnyNumberOfCellsIsMaskedEquallyOften) {
  const Patch patch = patch_of("3 3 0\n111\n1*1\n111\n", 3);
  RandomStream random(Seed{1}, "test.mask");
  std::vector<double> numbers(10), cells(9);
  for (int i = 0; i < kMany; ++i) {
    Patch masked;
    PatchMasker(patch, false).mask(random, masked);
    ++numbers[static_cast<std::size_t>(count(masked, Code::masked))];
    for (int cell = 0; cell < 9; ++cell) {
      cells[static_cast<std::size_t>(cell)] += masked[cell] == Code::masked;
    }
  }
  for (std::size_t number = 1; number <= 8; ++number) {
    EXPECT_NEAR(numbers[number] / kMany, 0.125, reach(0.125)) << number;
  }
  for (std::size_t cell = 0; cell < 9; ++cell) {
    // 4.5 cells on average, one of them the centre.
    EXPECT_NEAR(cells[cell] / kMany, cell == 4 ? 1 : 3.5 / 8, reach(0.5)) << cell;
  }
}

TEST(MinesweeperPatches, BombsAreMaskedFirstOrFlagged) {
  const Patch patch = patch_of("3 3 0\n***\n*6*\n***\n", 3);
  RandomStream random(Seed{1}, "test.mask");
  std::set<int> flags;
  for (int i = 0; i < 500; ++i) {
    Patch masked;
    PatchMasker(patch, false).mask(random, masked);
    EXPECT_EQ(count(masked, Code::masked), 9);
    PatchMasker(patch, true).mask(random, masked);
    EXPECT_EQ(count(masked, Code::masked) + count(masked, Code::flag), 9);
    flags.insert(count(masked, Code::flag));
  }
  EXPECT_EQ(flags, (std::set<int>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(MinesweeperPatches, AreCutOutOfWhatAPlayerSees) {
  const Observation view = board("3 4 2\n#F10\n2210\n0000\n");
  const std::vector<float> corner = plain_patch(view, 0, 0, 3);
  EXPECT_EQ(corner, (std::vector<float>{-2, -2, -2, -2, -3, -4, -2, 2, 2}));
  const std::vector<float> middle = plain_patch(view, 1, 1, 3);
  EXPECT_EQ(middle, (std::vector<float>{-3, -4, 1, 2, 2, 1, 0, 0, 0}));
  const std::vector<float> wide = plain_patch(view, 2, 3, 5);
  EXPECT_EQ(wide, (std::vector<float>{-4, 1,  0,  -2, -2, 2,  1,  0,  -2, -2, 0,  0, 0,
                                      -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2}));
}

RC_GTEST_PROP(MinesweeperPatchLaws, TheWalledBoardCutsTheSame, ()) {
  const int rows = *rc::gen::inRange(1, 12), cols = *rc::gen::inRange(1, 12);
  const int diameter = 2 * *rc::gen::inRange(1, 8) + 1;
  const auto size = static_cast<std::size_t>(rows * cols);
  const auto codes = *rc::gen::container<std::vector<int>>(size, rc::gen::inRange(-4, 9));
  Observation view{rows, cols, 1, {}};
  for (const int code : codes) view.cells.push_back(static_cast<Code>(code));
  WalledBoard walled;
  walled.load(view, diameter);
  std::vector<Code> cut(static_cast<std::size_t>(diameter * diameter));
  for (int cell = 0; cell < rows * cols; ++cell) {
    const auto plain = plain_patch(view, cell / cols, cell % cols, diameter);
    walled.cut(cell, cut.data());
    RC_ASSERT(std::equal(plain.begin(), plain.end(), cut.begin(), [](float a, Code b) {
      return a == static_cast<float>(static_cast<int>(b));
    }));
  }
}

// A board in play has no bomb in sight, and what is seen of it could be: numbers count what is
// hidden around them.
RC_GTEST_PROP(MinesweeperPatchLaws, BoardsInPlayShowWhatAPlayerWouldSee, ()) {
  const int rows = *rc::gen::inRange(2, 12), cols = *rc::gen::inRange(2, 12);
  const int bombs = *rc::gen::inRange(1, rows * cols - 1);
  const int diameter = *rc::gen::element(3, 5, 7);
  const bool flags = *rc::gen::arbitrary<bool>();
  const Centre centre = *rc::gen::element(Centre::safe, Centre::bomb, Centre::any);
  RandomStream random(Seed{*rc::gen::arbitrary<std::uint64_t>()}, "test.play");
  RandomGame game(Minesweeper(rows, cols, bombs), diameter);
  game.play(random);
  for (int i = 0; i < 10; ++i) {
    Patch patch;
    const bool bomb = game.cut(centre, flags, random, patch);
    RC_ASSERT(centre == Centre::any || bomb == (centre == Centre::bomb));
    RC_ASSERT(patch[patch.centre()] == Code::masked);
    RC_ASSERT(count(patch, Code::bomb) == 0);
    RC_ASSERT(flags || count(patch, Code::flag) == 0);
    for (int row = 1; row < diameter - 1; ++row) {
      for (int col = 1; col < diameter - 1; ++col) {
        const Code code = code_at(patch, row, col);
        if (!is_number(code)) continue;
        int hidden = 0;
        for (int r = row - 1; r <= row + 1; ++r) {
          for (int c = col - 1; c <= col + 1; ++c) {
            const Code next = code_at(patch, r, c);
            hidden += next == Code::masked || next == Code::flag;
          }
        }
        RC_ASSERT(static_cast<int>(code) <= hidden);
        RC_ASSERT(code != static_cast<Code>(0) || hidden == 0);
      }
    }
  }
}

TEST(MinesweeperPatches, BoardsInPlayAreAsCrowdedAsTheBoard) {
  // Before the first opening every tenth masked cell is a bomb, and the share grows with each.
  RandomGame game(Minesweeper(10, 10, 10), 5);
  RandomStream random(Seed{3}, "test.play");
  int bombs = 0;
  for (int i = 0; i < 4000; ++i) {
    game.play(random);
    Patch patch;
    bombs += game.cut(Centre::any, false, random, patch);
  }
  EXPECT_GT(bombs, 4000 * 0.15);
  EXPECT_LT(bombs, 4000 * 0.6);
}

}  // namespace
}  // namespace damier::learn
