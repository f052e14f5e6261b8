// The solver's decisions.

#include "damier/exact/minesweeper/solver.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "damier/base/numbers/bits.h"
#include "damier/base/numbers/estimate.h"
#include "damier/exact/minesweeper/dealt_game.h"
#include "damier/exact/minesweeper/guess.h"
#include "damier/exact/minesweeper/probabilities.h"

namespace damier::exact::minesweeper {

namespace {

using games::HiddenResult;
using games::minesweeper::Act;
using games::minesweeper::Minesweeper;
using games::minesweeper::Move;

// Boards with no more cells open than this come back game after game: their guesses are kept.
constexpr int kEarly = 4;
constexpr std::size_t kEarlyGuesses = 1 << 18;

// How far above the least probability a cell may be for an adviser to choose it.
constexpr double kAdvisedMargin = 0.05;

}  // namespace

Solver::Solver(const SolverOptions& options)
    : options_(options),
      analysis_(options.state_limit),
      guesser_(options.state_limit),
      wide_analysis_(options.state_limit),
      wide_guesser_(options.state_limit) {}

Cell Solver::first_cell(RandomStream& random) const {
  if (options_.first == FirstCell::corner) {
    const auto corner = random.below(4);
    return board_.cell(corner < 2 ? 0 : board_.rows() - 1, corner % 2 == 0 ? 0 : board_.cols() - 1);
  }
  const auto cells = static_cast<std::uint64_t>(board_.rows() * board_.cols());
  return board_.at_index(static_cast<int>(random.below(cells)));
}

// Counting was too much: the worst of what each number around says alone.
Cell Solver::estimate() const {
  const double elsewhere =
      static_cast<double>(board_.bombs_left()) / std::max(1, board_.unknown_cells());
  double least = 2;
  Cell best = 0;
  for (const Cell cell : board_.unknown()) {
    double probability = -1;
    for (const int offset : board_.neighbours()) {
      const auto next = static_cast<Cell>(cell + offset);
      if (board_.known(next) != Known::open) continue;
      probability = std::max(probability,
                             static_cast<double>(board_.need(next)) / board_.unknown_around(next));
    }
    if (probability < 0) probability = elsewhere;
    if (probability < least) {
      least = probability;
      best = cell;
    }
  }
  return best;
}

template <class Exact>
Cell Solver::advised(const Exact& exact, std::optional<Cell> own) {
  const Opinion opinion = options_.adviser(board_.seen());
  const auto bomb_probability = [&](Cell cell) {
    const std::optional<double> known = exact(cell);
    if (known) return *known;
    return static_cast<double>(sound_probability(opinion.bomb[at(board_.index(cell))]));
  };
  const auto worth_of = [&](Cell cell) {
    const float win = sound_probability(opinion.win[at(board_.index(cell))]);
    return (1 - bomb_probability(cell)) * static_cast<double>(win);
  };
  double least = 2, most = -1;
  const std::vector<Cell> unknown = board_.unknown();
  for (const Cell cell : unknown) least = std::min(least, bomb_probability(cell));
  Cell best = 0;
  for (const Cell cell : unknown) {
    if (bomb_probability(cell) > least + kAdvisedMargin || worth_of(cell) <= most) continue;
    most = worth_of(cell);
    best = cell;
  }
  return own && most <= worth_of(*own) * (1 + options_.adviser_gain) ? *own : best;
}

std::optional<Cell> Solver::guess_unless_safe() {
  board_.deduce();
  if (!board_.safe().empty()) return std::nullopt;
  const auto key = board_.key(kEarly);
  if (key) {
    if (const auto known = early_guesses_.find(*key); known != early_guesses_.end()) {
      return known->second;
    }
  }
  const auto guessed = fits_double(board_.unknown_cells(), std::max(0, board_.bombs_left()))
                           ? guess_unless_safe(analysis_, guesser_)
                           : guess_unless_safe(wide_analysis_, wide_guesser_);
  if (key && guessed) {
    if (early_guesses_.size() >= kEarlyGuesses) early_guesses_.clear();
    early_guesses_.emplace(*key, *guessed);
  }
  return guessed;
}

template <class Number>
std::optional<Cell> Solver::guess_unless_safe(Analysis<Number>& analysis,
                                              Guesser<Number>& guesser) {
  if (analysis.run(board_) != Counted::yes) {
    if (options_.adviser == nullptr) return estimate();
    return advised([](Cell) { return std::optional<double>(); }, std::nullopt);
  }
  if (mark_safe(analysis)) return std::nullopt;
  if (log2_of(analysis.total()) <= std::log2(options_.end_game.arrangements) + 1e-6 &&
      end_game_.gather(board_, analysis.front(), options_.end_game)) {
    if (const auto best = end_game_.best()) return best->cell;
  }
  const Cell own = guesser.guess(board_, analysis);
  if (options_.adviser == nullptr) return own;
  return advised([&](Cell cell) { return std::optional<double>(analysis.probability(cell)); }, own);
}

template <class Number>
bool Solver::mark_safe(const Analysis<Number>& analysis) {
  for (std::size_t g = 0; g < analysis.front().groups().size(); ++g) {
    if (analysis.group_probabilities()[g] != 0) continue;
    const Group& group = analysis.front().groups()[g];
    for (std::size_t i = 0; i < group.size; ++i) board_.mark_safe(group.cells[i]);
  }
  if (analysis.sea_cells() > 0 && analysis.sea_probability() == 0) {
    for (const Cell cell : board_.unknown()) {
      if (analysis.front().group_of(cell) == Front::kNone) board_.mark_safe(cell);
    }
  }
  return !board_.safe().empty();
}

Move Solver::choose(const Observation& observation, RandomStream& random) {
  const auto as_move = [&](std::size_t index) {
    return Move{observation.cells[index] == Code::flag ? Act::flag : Act::open,
                static_cast<std::uint16_t>(index)};
  };
  const auto is_masked = [&](std::size_t index) {
    return index < observation.cells.size() &&
           (observation.cells[index] == Code::masked || observation.cells[index] == Code::flag);
  };
  const bool fresh = std::ranges::none_of(observation.cells, games::minesweeper::is_number);
  std::optional<std::size_t> chosen;
  if (!board_.load(observation)) return Move{};
  if (fresh) {
    chosen = at(board_.index(first_cell(random)));
  } else if (const std::optional<Cell> guessed = guess_unless_safe()) {
    chosen = at(board_.index(*guessed));
  } else {
    for (const Cell cell : board_.safe()) {
      chosen = at(board_.index(cell));
      if (as_move(*chosen).act == Act::open) break;  // a cell without a flag, if there is one
    }
  }
  // On a board that cannot be, any masked cell.
  for (std::size_t i = 0; !is_masked(*chosen) && i < observation.cells.size(); ++i) {
    if (is_masked(i)) chosen = i;
  }
  return as_move(*chosen);
}

HiddenResult Solver::play(const Minesweeper& game, Seed seed, RandomStream& random) {
  DealtGame dealt(game, seed);
  board_.reset(game.rows(), game.cols(), game.bombs());
  const auto open = [&](Cell cell) {
    dealt.open(board_.index(cell),
               [&](int index, int number) { board_.open(board_.at_index(index), number); });
  };
  open(first_cell(random));
  while (!dealt.over()) {
    if (const auto guessed = guess_unless_safe()) {
      open(*guessed);
      continue;
    }
    while (!board_.safe().empty() && !dealt.state.lost) {
      const Cell cell = board_.safe().back();
      board_.safe().pop_back();
      if (board_.known(cell) == Known::safe) open(cell);
    }
  }
  return dealt.result;
}

}  // namespace damier::exact::minesweeper
