#include "damier/learn/minesweeper/patches.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "damier/base/numbers/bits.h"

namespace damier::learn {

using games::minesweeper::Minesweeper;
using games::minesweeper::Observation;
using games::minesweeper::State;

namespace {

constexpr std::uint16_t kNever = 0xFFFF;

int below(RandomStream& random, int bound) {
  return static_cast<int>(random.below(static_cast<std::uint64_t>(bound)));
}

// Bombs in a window of 3 x 3, given as nine bits.
constexpr std::array<Code, 512> kNumbers = [] {
  std::array<Code, 512> numbers = {};
  for (unsigned window = 0; window < numbers.size(); ++window) {
    int bombs = 0;
    for (int bit = 0; bit < 9; ++bit) bombs += window >> bit & 1;
    numbers[window] = static_cast<Code>(bombs);
  }
  return numbers;
}();

// Puts `count` of the cells side by side, all choices alike, and tells where they begin. Those
// chosen or those left out are drawn, whichever are fewer.
int choose(std::span<std::uint8_t> cells, int count, RandomStream& random) {
  const int size = static_cast<int>(cells.size());
  const int draws = std::min(count, size - count);
  for (int i = 0; i < draws; ++i) {
    std::swap(cells[at(i)], cells[at(i + below(random, size - i))]);
  }
  return draws == count ? 0 : draws;
}

}  // namespace

int open_cells(const Patch& patch) {
  const auto codes = patch.seen();
  return static_cast<int>(std::ranges::count_if(codes, games::minesweeper::is_number));
}

Walls draw_walls(int radius, int rows, int cols, RandomStream& random) {
  const auto draw_pair = [&](int size, int& one, int& other) {
    const double probability = static_cast<double>(radius) / size;
    const double place = random.uniform();
    const int thickness = 1 + below(random, radius);
    if (place < probability) {
      one = thickness;
    } else if (place < probability + probability) {
      other = thickness;
    }
  };
  Walls walls;
  draw_pair(cols, walls.left, walls.right);
  draw_pair(rows, walls.top, walls.bottom);
  return walls;
}

int draw_bombs(int free, int cells, int bombs, RandomStream& random) {
  const double ratio = static_cast<double>(free) / cells;
  int drawn = 0;
  for (int i = 0; i < bombs; ++i) drawn += random.uniform() < ratio;
  return drawn;
}

PatchMaker::PatchMaker(int diameter, int rows, int cols, int bombs)
    : diameter_(diameter), rows_(rows), cols_(cols), bombs_(bombs) {
  assert(diameter >= kMinDiameter && diameter <= kMaxDiameter && diameter % 2 == 1);
  assert(rows > diameter && cols > diameter && bombs >= 0 && bombs < rows * cols);
}

PatchGrid PatchMaker::draw(Centre centre, RandomStream& random) const {
  PatchGrid grid;
  grid.size = diameter_ + 2;
  const int middle = grid.size / 2;
  const Walls walls = grid.walls = draw_walls(middle, rows_, cols_, random);
  const int width = grid.size - walls.left - walls.right;
  const int free = width * (grid.size - walls.top - walls.bottom);
  int bombs = draw_bombs(free, rows_ * cols_, bombs_, random);
  // The centre is decided before the other bombs fall.
  std::uint32_t& middle_row = grid.bombs[at(middle)];
  const std::uint32_t middle_bit = 1u << middle;
  if (centre != Centre::any) {
    middle_row = middle_bit;
    if (centre == Centre::bomb) --bombs;
  }
  bombs = std::min(bombs, centre == Centre::any ? free : free - 1);
  while (bombs > 0) {
    const int cell = below(random, free);
    std::uint32_t& row = grid.bombs[at(walls.top + cell / width)];
    const std::uint32_t bit = 1u << (walls.left + cell % width);
    bombs -= (row & bit) == 0;
    row |= bit;
  }
  if (centre == Centre::safe) middle_row &= ~middle_bit;
  return grid;
}

void crop(const PatchGrid& grid, Patch& out) {
  const Walls& walls = grid.walls;
  out.diameter = grid.size - 2;
  Code* code = out.codes.data();
  for (int row = 1; row <= out.diameter; ++row) {
    const bool wall_row = row < walls.top || row >= grid.size - walls.bottom;
    std::uint32_t above = grid.bombs[at(row - 1)], here = grid.bombs[at(row)],
                  next = grid.bombs[at(row + 1)];
    for (int col = 1; col <= out.diameter; ++col, above >>= 1, here >>= 1, next >>= 1) {
      if (wall_row || col < walls.left || col >= grid.size - walls.right) {
        *code++ = Code::wall;
      } else {
        *code++ = (here & 2) != 0 ? Code::bomb
                                  : kNumbers[(above & 7) | (here & 7) << 3 | (next & 7) << 6];
      }
    }
  }
}

PatchMasker::PatchMasker(const Patch& patch, bool flags) : shown_(patch) {
  for (int cell = 0; cell < patch.cells(); ++cell) {
    if (patch[cell] == Code::wall) continue;
    ++free_;
    const bool is_bomb = patch[cell] == Code::bomb;
    if (cell == patch.centre() || (is_bomb && !flags)) {
      shown_[cell] = Code::masked;
      ++masked_;
    } else {
      if (is_bomb) shown_[cell] = Code::flag;
      cells_[at(choices_++)] = static_cast<std::uint8_t>(cell);
    }
  }
  assert(free_ > 1);
}

void PatchMasker::mask(RandomStream& random, Patch& out) const {
  const int wanted = 1 + below(random, free_ - 1);
  out.diameter = shown_.diameter;
  std::copy_n(shown_.codes.data(), at(shown_.cells()), out.codes.data());
  const int more = std::max(0, wanted - masked_);
  std::array<std::uint8_t, kMaxPatchCells> cells;
  std::copy_n(cells_.data(), at(choices_), cells.data());
  const int first = choose({cells.data(), at(choices_)}, more, random);
  for (int i = first; i < first + more; ++i) out[cells[at(i)]] = Code::masked;
}

RandomGame::RandomGame(const Minesweeper& game, int diameter)
    : game_(game), radius_(diameter / 2), stride_(game.cols() + 2 * (diameter / 2)) {
  const auto size = at((game.rows() + 2 * radius_) * stride_);
  codes_.assign(size, Code::wall);
  opened_at_.assign(size, 0);
}

void RandomGame::play(RandomStream& random) {
  assert(game_.bombs() > 0 && game_.cells() - game_.bombs() > 1);
  while (!play_once(random)) {
  }
}

// A game that its first opening wins shows nothing to be asked about.
bool RandomGame::play_once(RandomStream& random) {
  order_.resize(at(game_.cells()));
  std::iota(order_.begin(), order_.end(), 0);
  random.shuffle(std::span(order_));
  State state = game_.deal(Seed{random()});
  games::minesweeper::Grid seen = {};
  safe_.clear();
  bombs_.clear();
  open_after_.assign(1, 0);
  for (const int cell : order_) {
    const int row = cell / game_.cols(), col = cell % game_.cols();
    if (state.open[at(row)] >> col & 1) continue;
    if (state.dealt && (state.bombs[at(row)] >> col & 1)) {
      bombs_.push_back(cell);
      continue;
    }
    game_.open(state, row, col);
    if (state.lost) return false;  // the rules may leave the first cell without protection
    for (int r = 0; r < game_.rows(); ++r) {
      for (auto rest = state.open[at(r)] & ~seen[at(r)]; rest != 0; rest &= rest - 1) {
        safe_.push_back(r * game_.cols() + lowest_bit(rest));
        const std::size_t place = place_of(safe_.back());
        codes_[place] = static_cast<Code>(game_.number(state, r, lowest_bit(rest)));
        opened_at_[place] = static_cast<std::uint16_t>(open_after_.size());
      }
      seen[at(r)] = state.open[at(r)];
    }
    open_after_.push_back(static_cast<int>(safe_.size()));
  }
  for (const int cell : bombs_) {
    codes_[place_of(cell)] = Code::bomb;
    opened_at_[place_of(cell)] = kNever;
  }
  return open_after_.size() > 2;
}

bool RandomGame::cut(Centre centre, bool flags, RandomStream& random, Patch& out) const {
  // After at least one opening, and before the last one.
  const int now = 1 + below(random, static_cast<int>(open_after_.size()) - 2);
  const int open = open_after_[at(now)];
  const int bombs = centre == Centre::safe ? 0 : static_cast<int>(bombs_.size());
  const int safe = centre == Centre::bomb ? 0 : static_cast<int>(safe_.size()) - open;
  const int chosen = below(random, bombs + safe);
  const int cell = chosen < bombs ? bombs_[at(chosen)] : safe_[at(open + chosen - bombs)];
  const double flagged = flags ? random.uniform() : 0;
  const int diameter = 2 * radius_ + 1;
  out.diameter = diameter;
  std::size_t from = place_of(cell) - at(radius_ * (stride_ + 1));
  int to = 0;
  for (int row = 0; row < diameter; ++row, from += at(stride_)) {
    for (int col = 0; col < diameter; ++col, ++to) {
      const std::size_t place = from + at(col);
      out[to] = opened_at_[place] <= now ? codes_[place] : Code::masked;
      if (flags && codes_[place] == Code::bomb && to != out.centre() &&
          random.uniform() < flagged) {
        out[to] = Code::flag;
      }
    }
  }
  return chosen < bombs;
}

}  // namespace damier::learn
