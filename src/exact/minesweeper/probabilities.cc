// Exact probabilities, dead cells, and one clear line when nothing fits.

#include "damier/exact/minesweeper/probabilities.h"

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/exact/minesweeper/analysis.h"
#include "damier/exact/minesweeper/natural.h"

namespace damier::exact::minesweeper {

namespace {

Error too_entangled(std::size_t limit) {
  return Error{
      fmt::format("the numbers are too entangled to be counted exactly (more than {} "
                  "states); open or close some cells",
                  limit)};
}

Error nothing_fits(std::string_view why) {
  return Error{fmt::format("no arrangement of bombs fits: {}", why)};
}

// The number that cannot be satisfied by its own cells.
Error one_number_fails(const Observation& observation, const Board& board, Cell cell) {
  int bombs = 0;
  for (const int offset : board.neighbours()) {
    bombs += board.known(static_cast<Cell>(cell + offset)) == Known::bomb;
  }
  return nothing_fits(
      fmt::format("the {} at {} has {} masked cells and {} visible bombs around it",
                  static_cast<int>(observation.at(board.row(cell), board.col(cell))),
                  board.name(cell), board.unknown_around(cell), bombs));
}

// The first number, in the order of the front, that does not fit with those before it.
Error component_fails(const Observation& observation, const Front& front, const Board& board,
                      int component_index, std::size_t state_limit) {
  const Component& component = front.components()[at(component_index)];
  int fits = 0, fails = component.number_count;  // with that many numbers kept
  while (fails - fits > 1) {
    const int kept = (fits + fails) / 2;
    Observation fewer = observation;
    for (int i = kept; i < component.number_count; ++i) {
      const Cell cell = front.numbers()[at(component.first_number + i)].cell;
      fewer.cells[at(board.index(cell))] = Code::wall;
    }
    Board part;
    Front part_front;
    Counter<Wide> counter(state_limit);
    std::vector<Cell> seeds;
    for (int i = 0; i < kept; ++i) {
      seeds.push_back(front.numbers()[at(component.first_number + i)].cell);
    }
    if (!part.load(fewer)) break;
    part_front.build(part, seeds);
    (counter.forward(part_front, part.unknown_cells()) == Counted::none ? fails : fits) = kept;
  }
  const Cell cell = front.numbers()[at(component.first_number + fails - 1)].cell;
  return nothing_fits(fmt::format(
      "the {} at {} contradicts the numbers near it",
      static_cast<int>(observation.at(board.row(cell), board.col(cell))), board.name(cell)));
}

// Why the board has no arrangement.
Error explain(const Observation& observation, const Board& board, std::size_t state_limit) {
  if (const auto cell = board.contradiction()) {
    return one_number_fails(observation, board, *cell);
  }
  if (board.bombs_left() < 0) {
    const int visible = observation.bombs - board.bombs_left();
    return nothing_fits(fmt::format("{} {} visible, but the board has {}", counted(visible, "bomb"),
                                    visible == 1 ? "is" : "are", observation.bombs));
  }
  Front front;
  front.build(board);
  Counter<Wide> counter(state_limit);
  const Counted counted = counter.forward(front, board.unknown_cells());
  if (counted == Counted::too_wide) return too_entangled(state_limit);
  if (counted == Counted::none) {
    return component_fails(observation, front, board, counter.failed_component(), state_limit);
  }
  int least = 0, most = board.unknown_cells() - front.cells();
  for (const auto& count : counter.counts()) {
    least += count.low;
    most += count.high();
  }
  const int left = board.bombs_left();
  if (left < least) {
    return nothing_fits(
        fmt::format("the numbers need {} masked bombs or more, but {} are left", least, left));
  }
  if (left > most) {
    return nothing_fits(
        fmt::format("{} masked bombs or fewer have room, but {} are left", most, left));
  }
  return nothing_fits(fmt::format("the numbers cannot be met with {} masked bombs", left));
}

// Whether the cell shows the same number in every arrangement in which it is safe.
template <class Number>
bool is_dead(Analysis<Number>& analysis, Board& board, Cell cell) {
  double expected = 0;
  int around = 0, sea_around = 0;
  for (const int offset : board.neighbours()) {
    const auto next = static_cast<Cell>(cell + offset);
    if (board.known(next) != Known::unknown) continue;
    ++around;
    sea_around += analysis.front().group_of(next) == Front::kNone;
    expected += analysis.probability(next);
  }
  if (analysis.probability(cell) == 1) return false;
  if (around == 0) return true;
  const bool in_sea = analysis.front().group_of(cell) == Front::kNone;
  const int other_sea = analysis.sea_cells() - 1;
  // Deep in the sea: a bomb beside the cell could as well lie farther away.
  if (in_sea && sea_around == around && around < other_sea && board.bombs_left() < other_sea &&
      analysis.sea_probability() > 0) {
    return false;
  }
  analysis.prepare_glimpses(board, cell);
  int possible = 0;
  // The likeliest numbers first: two that are possible end the search.
  const int middle = std::clamp(static_cast<int>(expected + 0.5), 0, around);
  for (int step = 0; step <= 2 * around && possible < 2; ++step) {
    const int number = middle + (step % 2 == 0 ? step / 2 : -(step + 1) / 2);
    if (number < 0 || number > around) continue;
    board.try_open(cell, number);
    possible += analysis.glimpse(board, false).share > 0;
    board.take_back(cell);
  }
  return possible < 2;
}

template <class Number>
Result<Probabilities> analyse(const Observation& observation, Board& board,
                              const ProbabilityOptions& options) {
  Analysis<Number> analysis(options.state_limit);
  const Counted counted = analysis.run(board);
  if (counted == Counted::too_wide) return too_entangled(options.state_limit);
  if (counted == Counted::none) return explain(observation, board, options.state_limit);
  Probabilities result;
  result.rows = board.rows();
  result.cols = board.cols();
  const std::size_t cells = observation.cells.size();
  result.bomb.assign(cells, Probabilities::kNotMasked);
  result.dead.assign(cells, 0);
  const std::vector<Cell> unknown = board.unknown();
  for (const Cell cell : unknown) result.bomb[at(board.index(cell))] = analysis.probability(cell);
  for (std::size_t i = 0; options.dead_cells && i < unknown.size(); ++i) {
    result.dead[at(board.index(unknown[i]))] = is_dead(analysis, board, unknown[i]);
  }
  result.arrangements_log10 = log2_of(analysis.total()) * 0.30102999566398119521;
  Analysis<Natural> exact(options.state_limit);
  exact.run(board, false);
  result.arrangements = exact.total().str();
  return result;
}

// std::lgamma writes to a variable that all threads share.
double log_factorial(int n) {
  int sign = 0;
  return lgamma_r(n + 1.0, &sign);
}

}  // namespace

bool fits_double(int cells, int bombs) {
  // The largest count is that of the bombs anywhere, with any number of them up to all.
  const int some = std::min(bombs, cells / 2);
  return log_factorial(cells) - log_factorial(some) - log_factorial(cells - some) <
         650;  // e^650 = 1e282
}

Result<Probabilities> probabilities(const Observation& observation,
                                    const ProbabilityOptions& options) {
  Board board;
  TRY(board.load(observation));
  if (board.bombs_left() < 0 || board.contradiction()) {
    return explain(observation, board, options.state_limit);
  }
  if (fits_double(board.unknown_cells(), board.bombs_left())) {
    return analyse<double>(observation, board, options);
  }
  return analyse<Wide>(observation, board, options);
}

}  // namespace damier::exact::minesweeper
