// Listing arrangements and searching them.

#include "damier/exact/minesweeper/end_game.h"

#include "damier/exact/minesweeper/analysis.h"

namespace damier::exact::minesweeper {

bool EndGameSearch::gather(const Board& board, const Front& front, const EndGameLimits& limits) {
  limits_ = limits;
  limits_.arrangements = std::min(limits.arrangements, 60'000);  // an Index each
  count_ = 0;
  work_ = 0;
  cells_.clear();
  group_of_cell_.clear();
  found_.clear();
  index_of_.assign(at(board.size()), Front::kNone);
  const auto add = [&](Cell cell, std::uint16_t group) {
    index_of_[cell] = static_cast<Index>(cells_.size());
    cells_.push_back(cell);
    group_of_cell_.push_back(group);
  };
  for (const Component& component : front.components()) {
    for (const std::uint16_t group : front.order(component)) {
      for (int i = 0; i < front.groups()[group].size; ++i) {
        add(front.groups()[group].cells[at(i)], group);
      }
    }
  }
  for (const Cell cell : board.unknown()) {
    if (index_of_[cell] == Front::kNone) add(cell, Front::kNone);
  }
  need_.clear();
  room_.clear();
  for (const FrontNumber& number : front.numbers()) {
    need_.push_back(number.need);
    room_.push_back(number.cells);
  }
  bombs_.assign(cells_.size(), 0);
  if (board.bombs_left() < 0 || board.bombs_left() > static_cast<int>(cells_.size())) return false;
  if (!place(front, 0, board.bombs_left()) || count_ == 0) return false;

  shown_.assign(cells_.size() * at(count_), 0);
  telling_.clear();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    std::uint8_t* numbers = shown_.data() + i * at(count_);
    const auto add_bombs = [&](std::size_t cell, std::uint8_t weight) {
      for (std::size_t s = 0; s < at(count_); ++s) {
        numbers[s] =
            static_cast<std::uint8_t>(numbers[s] + weight * found_[s * cells_.size() + cell]);
      }
    };
    for (const int offset : board.neighbours()) {
      const Index next = index_of_[static_cast<std::size_t>(cells_[i] + offset)];
      if (next != Front::kNone) add_bombs(next, 1);
    }
    for (std::size_t s = 0; s < at(count_); ++s) {
      if (found_[s * cells_.size() + i] != 0) numbers[s] = kBomb;
    }
    if (std::any_of(numbers, numbers + count_, [&](auto n) { return n != numbers[0]; })) {
      telling_.push_back(static_cast<Index>(i));
    }
  }
  known_.assign(64, Entry{});
  known_count_ = 0;
  return true;
}

// Goes through the cells in order, with and without a bomb. False when the limit is passed.
bool EndGameSearch::place(const Front& front, std::size_t depth, int bombs) {
  if (depth == cells_.size()) {
    if (count_ == limits_.arrangements) return false;
    found_.insert(found_.end(), bombs_.begin(), bombs_.end());
    ++count_;
    return true;
  }
  if (++work_ > limits_.work / 8) return false;
  const int cells_after = static_cast<int>(cells_.size() - depth) - 1;
  const std::uint16_t id = group_of_cell_[depth];
  const auto numbers =
      id == Front::kNone ? std::span<const std::uint16_t>{} : front.groups()[id].touched();
  bool within = true;
  for (const std::uint8_t bomb : {std::uint8_t{0}, std::uint8_t{1}}) {
    if (bombs - bomb < 0 || bombs - bomb > cells_after) continue;
    bool fits = true;
    for (const std::uint16_t number : numbers) {
      need_[number] = static_cast<std::int8_t>(need_[number] - bomb);
      --room_[number];
      fits = fits && need_[number] >= 0 && need_[number] <= room_[number];
    }
    bombs_[depth] = bomb;
    if (fits) within = place(front, depth + 1, bombs - bomb);
    for (const std::uint16_t number : numbers) {
      need_[number] = static_cast<std::int8_t>(need_[number] + bomb);
      ++room_[number];
    }
    if (!within) break;
  }
  bombs_[depth] = 0;
  return within;
}

void EndGameSearch::remember(std::uint64_t key, int wins) {
  const auto insert = [&](const Entry& known) {
    std::size_t i = known.key & (known_.size() - 1);
    while (known_[i].key != 0) i = (i + 1) & (known_.size() - 1);
    known_[i] = known;
  };
  if (2 * ++known_count_ > known_.size()) {
    std::vector<Entry> old(2 * known_.size());
    std::swap(old, known_);
    for (const Entry& known : old) {
      if (known.key != 0) insert(known);
    }
  }
  insert({key, wins});
}

int EndGameSearch::wins_after(Index cell, std::span<const Index> set, std::span<const Index> cells,
                              int least) {
  const std::uint8_t* numbers = shown(cell);
  std::array<int, 10> sizes = {};
  for (const Index s : set) ++sizes[numbers[s]];
  int open = static_cast<int>(set.size()) - sizes[kBomb];  // arrangements not searched yet
  int total = 0;
  for (std::uint8_t n = 0; n < kBomb; ++n) {
    if (sizes[n] == 0) continue;
    if (total + open <= least) return total;
    open -= sizes[n];
    if (sizes[n] == 1) {
      ++total;
      continue;
    }
    std::vector<Index> part;
    part.reserve(at(sizes[n]));
    for (const Index s : set) {
      if (numbers[s] == n) part.push_back(s);
    }
    const int won = wins(part, cells);
    if (won < 0) return won;
    total += won;
  }
  return total;
}

int EndGameSearch::wins(std::span<const Index> set, std::span<const Index> cells) {
  if (set.size() == 1) return 1;
  std::uint64_t key = set.size();
  for (const Index s : set) key += mix64(std::uint64_t{s} + 0x9E3779B97F4A7C15u);
  if (const int* known = find_known(key)) return *known;
  work_ += set.size() * cells.size() + 20;
  if (work_ > limits_.work) return -1;

  std::vector<Candidate> candidates;
  std::vector<Index> telling;
  std::optional<Index> free_cell;
  for (const Index cell : cells) {
    const std::uint8_t* numbers = shown(cell);
    unsigned seen = 0;
    std::size_t bombs = 0;
    for (const Index s : set) {
      seen |= 1u << numbers[s];
      bombs += numbers[s] == kBomb;
    }
    seen &= (1u << kBomb) - 1;
    if ((seen & (seen - 1)) == 0) continue;  // it can tell nothing, here or later
    if (bombs == 0) free_cell = cell;
    telling.push_back(cell);
    candidates.push_back({cell, static_cast<Index>(set.size() - bombs)});
  }
  int best = 1;
  if (free_cell) {
    best = wins_after(*free_cell, set, telling, 0);
  } else {
    std::ranges::stable_sort(candidates, std::ranges::greater(), &Candidate::safe);
    for (const Candidate& candidate : candidates) {
      if (candidate.safe <= best) break;
      const int won = wins_after(candidate.cell, set, telling, best);
      if (won < 0) return won;
      best = std::max(best, won);
    }
  }
  if (best >= 0) remember(key, best);
  return best;
}

std::optional<EndGameSearch::Best> EndGameSearch::best() {
  std::vector<Index> all(at(count_));
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<Candidate> candidates;
  for (Index cell = 0; cell < cells_.size(); ++cell) {
    const std::uint8_t* numbers = shown(cell);
    const auto bombs = std::count(numbers, numbers + count_, kBomb);
    candidates.push_back({cell, static_cast<Index>(count_ - bombs)});
  }
  std::ranges::stable_sort(candidates, std::ranges::greater(), &Candidate::safe);
  Best best{cells_[candidates[0].cell], 0};
  for (const Candidate& candidate : candidates) {
    if (candidate.safe <= best.wins) break;
    const int won = wins_after(candidate.cell, all, telling_, best.wins);
    if (won < 0) return std::nullopt;
    if (won > best.wins) best = {cells_[candidate.cell], won};
  }
  return best;
}

std::optional<EndGame> end_game(const Observation& observation, const EndGameLimits& limits) {
  Board board;
  if (!board.load(observation) || board.contradiction()) return std::nullopt;
  Front front;
  front.build(board);
  EndGameSearch search;
  if (!search.gather(board, front, limits)) return std::nullopt;
  EndGame result;
  result.arrangements = search.arrangements();
  const double all = result.arrangements;
  for (const Cell cell : board.unknown()) {
    const auto worth = search.worth(cell);
    if (!worth) return std::nullopt;
    result.moves.push_back({board.index(cell), worth->safe / all, worth->wins / all});
  }
  std::ranges::stable_sort(result.moves, [](const EndGameMove& a, const EndGameMove& b) {
    return a.win != b.win ? a.win > b.win : a.safe > b.safe;
  });
  // With nothing but bombs left the game is won already.
  result.win = result.moves.empty() || result.moves[0].safe == 0 ? 1 : result.moves[0].win;
  return result;
}

}  // namespace damier::exact::minesweeper
