// The end of a minesweeper game, played perfectly: when few arrangements of bombs are left, all
// ways to go on are searched.
//
// What the player knows is which arrangements are still possible, so that set is the whole state of
// the search, and a set is worth the number of its arrangements that the best play wins. Cells that
// show the same number in all of them tell nothing: they are left out.
#pragma once

#include <algorithm>
#include <numeric>

#include "damier/exact/minesweeper/front.h"

namespace damier::exact::minesweeper {

struct EndGameLimits {
  int arrangements = 1000;
  std::uint64_t work = 200'000'000;  // looks at one cell in one arrangement, about 1 ns each
};

// One cell that may be opened next.
struct EndGameMove {
  int cell = 0;     // row-major
  double safe = 0;  // that it is no bomb
  double win = 0;   // that opening it and playing on perfectly wins
};

struct EndGame {
  int arrangements = 0;
  double win = 0;                  // of the best move
  std::vector<EndGameMove> moves;  // every masked cell, best first
};

// Nothing when there are more arrangements than the limit, or none, or the search is too long.
std::optional<EndGame> end_game(const Observation& observation, const EndGameLimits& limits = {});

class EndGameSearch {
 public:
  // Lists the arrangements; false when there are none or more than the limit.
  bool gather(const Board& board, const Front& front, const EndGameLimits& limits);
  int arrangements() const { return count_; }

  struct Best {
    Cell cell = 0;
    int wins = 0;  // of arrangements()
  };
  // Nothing when the search would be longer than the limit.
  std::optional<Best> best();
  // The arrangements in which a cell is safe, and those that are won after opening it.
  struct Worth {
    int safe = 0;
    int wins = 0;
  };
  std::optional<Worth> worth(Cell cell) {
    std::vector<Index> all(at(count_));
    std::iota(all.begin(), all.end(), Index{0});
    const std::uint8_t* numbers = shown(index_of_[cell]);
    const auto bombs = std::count(numbers, numbers + count_, kBomb);
    const int wins = wins_after(index_of_[cell], all, telling_, 0);
    if (wins < 0) return std::nullopt;
    return Worth{count_ - static_cast<int>(bombs), wins};
  }

 private:
  using Index = std::uint16_t;  // of an arrangement, or of a cell in cells_
  static constexpr std::uint8_t kBomb = 9;

  struct Candidate {
    Index cell;
    Index safe;
  };
  struct Entry {
    std::uint64_t key = 0;
    int wins = 0;
  };

  bool place(const Front& front, std::size_t depth, int bombs);
  const std::uint8_t* shown(Index cell) const {
    return shown_.data() + static_cast<std::size_t>(cell) * static_cast<std::size_t>(count_);
  }
  // The wins of a set of arrangements; only `cells` can tell anything. Negative: out of work.
  int wins(std::span<const Index> set, std::span<const Index> cells);
  // The same after opening a cell. Stops early when it cannot be more than `least`.
  int wins_after(Index cell, std::span<const Index> set, std::span<const Index> cells, int least);
  int* find_known(std::uint64_t key) {
    for (std::size_t i = key & (known_.size() - 1);; i = (i + 1) & (known_.size() - 1)) {
      if (known_[i].key == key) return &known_[i].wins;
      if (known_[i].key == 0) return nullptr;
    }
  }
  void remember(std::uint64_t key, int wins);

  EndGameLimits limits_;
  int count_ = 0;
  std::uint64_t work_ = 0;
  std::vector<Cell> cells_;
  std::vector<Index> index_of_;  // by cell
  // Gathering.
  std::vector<std::uint16_t> group_of_cell_;  // by index, or Front::kNone in the sea
  std::vector<std::int8_t> need_, room_;      // by number of the front
  std::vector<std::uint8_t> bombs_;           // of the arrangement under way, by index
  std::vector<std::uint8_t> found_;           // arrangement after arrangement
  // Searching.
  std::vector<std::uint8_t> shown_;  // cell after cell: what it shows in each arrangement
  std::vector<Index> telling_;       // cells whose number is not the same in all
  std::vector<Entry> known_;
  std::size_t known_count_ = 0;
};

}  // namespace damier::exact::minesweeper
