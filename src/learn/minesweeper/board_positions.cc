#include "damier/learn/minesweeper/board_positions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/bits.h"
#include "damier/model/minesweeper/board_encoder.h"
#include "damier/play/minesweeper/network.h"

namespace damier::learn {

using namespace games::minesweeper;
using namespace exact::minesweeper;

namespace {

// Boards that are met more often than by chance.
constexpr std::array<BoardSize, 7> kClassic = {
    {{6, 6, 4}, {8, 8, 6}, {9, 9, 10}, {10, 10, 10}, {12, 12, 14}, {16, 16, 40}, {16, 30, 99}}};
constexpr double kClassicShare = 0.25, kSquareShare = 0.45;
constexpr int kSquareLow = 6;

// The end of a game is searched to its end when so few arrangements are left: for labels, and
// within the games that are played on.
constexpr EndGameLimits kLabelLimits = {.arrangements = 120, .work = 200'000};
constexpr EndGameLimits kPlayLimits = {.arrangements = 40, .work = 20'000};
// What plays on looks one opening ahead, at few cells.
constexpr GuessOptions kGuess = {.candidates = 6, .deep_candidates = 0};
constexpr std::size_t kStateLimit = 20'000;

// Boards with few open cells are all alike: some of them are enough.
constexpr int kEarly = 3;
constexpr double kEarlyShare = 0.3;
// How far behind the least probability a cell may be to be tried.
constexpr double kTriedMargin = 0.1;
// In a guess: how often the solver's cell is opened, and how often one of the safest. Otherwise it
// is any of those that may be tried.
constexpr double kSolverGuess = 0.6, kMinProbability = 0.25;
// How often any masked cell is tried instead of a proven one.
constexpr double kAnyCell = 0.03;

std::uint8_t parts_of(int wins, int safe) {
  return static_cast<std::uint8_t>((2 * wins * kWinParts + safe) / (2 * safe));
}

}  // namespace

BoardSize draw_board(const BoardMix& mix, RandomStream& random) {
  if (mix.board) return *mix.board;
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low + 1)));
  };
  const double kind = random.uniform();
  // Dense boards are drawn more often: their games are harder and soon over.
  const double share = std::max(random.uniform(), random.uniform());
  const double density = mix.least_density + share * (mix.greatest_density - mix.least_density);
  BoardSize size = kClassic[at(between(0, static_cast<int>(kClassic.size()) - 1))];
  const double its_density = static_cast<double>(size.bombs) / (size.rows * size.cols);
  const bool fits = size.rows >= mix.smallest && size.cols <= mix.largest &&
                    its_density >= mix.least_density && its_density <= mix.greatest_density;
  if (kind < kClassicShare && fits) return size;
  size.rows = between(mix.smallest, mix.largest);
  size.cols = between(mix.smallest, mix.largest);
  if (kind < kClassicShare + kSquareShare) {
    const int low = std::clamp(kSquareLow, mix.smallest, mix.largest);
    size.rows = size.cols = between(low, std::max(low, mix.largest * 3 / 4));
  }
  const int cells = size.rows * size.cols;
  size.bombs = std::clamp(static_cast<int>(std::lround(density * cells)), 1, cells - 1);
  return size;
}

PositionMaker::PositionMaker(const BoardMix& mix)
    : mix_(mix), analysis_(kStateLimit), guesser_(kStateLimit, kGuess) {}

PositionMaker::Game PositionMaker::begin(Seed seed, std::int64_t number) const {
  RandomStream random(seed, "minesweeper.game", static_cast<std::uint64_t>(number));
  const BoardSize size = draw_board(mix_, random);
  const auto offset = [&](int room) {
    const auto any = static_cast<int>(random.below(static_cast<std::uint64_t>(room + 1)));
    const auto side = random.below(4);  // half of the boards touch the frame's edge, by choice
    return side == 0 ? 0 : side == 1 ? room : any;
  };
  const int top = offset(mix_.frame - size.rows), left = offset(mix_.frame - size.cols);
  const double style = random.uniform();
  const double one_at_a_time = style < 0.6 ? 1 : style < 0.85 ? 0.5 : 0;
  const Seed deal{random()};
  Game game{number, random, size,         Minesweeper(size.rows, size.cols, size.bombs),
            top,    left,   one_at_a_time};
  Position& position = game.position;
  position.state = game.rules.deal(deal);
  position.board.reset(size.rows, size.cols, size.bombs);
  position.left = game.rules.cells() - size.bombs;
  const auto cells = static_cast<std::uint64_t>(game.rules.cells());
  open(game.rules, position, position.board.at_index(static_cast<int>(game.random.below(cells))));
  return game;
}

void PositionMaker::open(const Minesweeper& rules, Position& position, Cell cell) {
  Board& board = position.board;
  const Grid seen = position.state.open;
  rules.open(position.state, board.row(cell), board.col(cell));
  if (position.state.lost) return;
  for (int row = 0; row < rules.rows(); ++row) {
    for (auto rest = position.state.open[at(row)] & ~seen[at(row)]; rest != 0; rest &= rest - 1) {
      const int col = lowest_bit(rest);
      board.open(board.cell(row, col), rules.number(position.state, row, col));
      --position.left;
      ++position.opened;
    }
  }
}

bool PositionMaker::has_bomb(const Position& position, Cell cell) {
  return (position.state.bombs[at(position.board.row(cell))] >> position.board.col(cell) & 1) != 0;
}

PositionMaker::Seen PositionMaker::look(Position& position) {
  std::vector<Cell>& safe = position.board.safe();
  std::erase_if(safe, [&](Cell cell) { return position.board.known(cell) != Known::safe; });
  position.board.deduce();
  if (!safe.empty()) return Seen::certain;
  if (analysis_.run(position.board) != Counted::yes) return Seen::too_hard;
  return mark_safe(position) ? Seen::counted : Seen::guess;
}

bool PositionMaker::mark_safe(Position& position) {
  Board& board = position.board;
  for (std::size_t g = 0; g < analysis_.front().groups().size(); ++g) {
    const Group& group = analysis_.front().groups()[g];
    if (analysis_.group_probabilities()[g] != 0) continue;
    for (std::size_t i = 0; i < group.size; ++i) board.mark_safe(group.cells[i]);
  }
  if (analysis_.sea_cells() > 0 && analysis_.sea_probability() == 0) {
    for (int i = 0; i < board.rows() * board.cols(); ++i) {
      const Cell cell = board.at_index(i);
      const bool sea = analysis_.front().group_of(cell) == Front::kNone;
      if (board.known(cell) == Known::unknown && sea) board.mark_safe(cell);
    }
  }
  return !board.safe().empty();
}

Cell PositionMaker::guess(Position& position) {
  if (log2_of(analysis_.total()) <= std::log2(kPlayLimits.arrangements) + 1e-6 &&
      end_game_.gather(position.board, analysis_.front(), kPlayLimits)) {
    if (const auto best = end_game_.best()) return best->cell;
  }
  return guesser_.guess(position.board, analysis_);
}

bool PositionMaker::wins(const Minesweeper& rules, Position& position) {
  while (!position.over() && !interrupted()) {
    const Seen seen = look(position);
    if (seen == Seen::too_hard) return false;
    if (seen == Seen::guess) {
      open(rules, position, guess(position));
      continue;
    }
    while (!position.board.safe().empty() && !position.over()) {
      const Cell cell = position.board.safe().back();
      position.board.safe().pop_back();
      if (position.board.known(cell) == Known::safe) open(rules, position, cell);
    }
  }
  return !position.state.lost;
}

std::size_t PositionMaker::place(const Game& game, Cell cell) const {
  const Board& board = game.position.board;
  return at((game.top + board.row(cell)) * mix_.frame + game.left + board.col(cell));
}

void PositionMaker::record(Game& game, Seen seen, bool missed, RowBuffer& rows) {
  if (seen == Seen::too_hard) return;
  const bool easy = seen == Seen::certain && !missed;
  const bool early = seen == Seen::guess && game.position.opened <= kEarly;
  const double probability = easy    ? mix_.certain * std::min(1.0, 100.0 / game.rules.cells())
                             : early ? kEarlyShare
                                     : 1;
  if (game.random.uniform() >= probability) return;
  // Where deductions found a safe cell, the probabilities are not known yet.
  if (seen == Seen::certain && analysis_.run(game.position.board) != Counted::yes) return;
  add_row(game, seen, rows);
}

void PositionMaker::add_row(Game& game, Seen seen, RowBuffer& rows) {
  rows.add_row();
  const auto input = rows.last<std::uint8_t>("input"), masked = rows.last<std::uint8_t>("masked");
  const auto win = rows.last<std::uint8_t>("win"), tried = rows.last<std::uint8_t>("tried");
  const auto bomb = rows.last<float>("bomb");
  rows.last<std::int64_t>(kGroupColumn)[0] = game.number;
  std::ranges::fill(input, model::kWallCode);
  input.back() = static_cast<std::uint8_t>(game.size.bombs);
  const Board& board = game.position.board;
  for (int i = 0; i < game.rules.cells(); ++i) {
    const Cell cell = board.at_index(i);
    const std::size_t to = place(game, cell);
    const Known known = board.known(cell);
    if (known == Known::open) {
      input[to] = static_cast<std::uint8_t>(
          game.rules.number(game.position.state, board.row(cell), board.col(cell)));
      continue;
    }
    input[to] = model::kMaskedCode;
    masked[to] = 1;
    bomb[to] = known == Known::bomb   ? 1.0f
               : known == Known::safe ? 0.0f
                                      : static_cast<float>(analysis_.probability(cell));
  }
  if (add_exact_wins(game, win, tried) || seen != Seen::guess || game.told) return;
  add_tried_wins(game, win, tried);
}

bool PositionMaker::add_exact_wins(const Game& game, std::span<std::uint8_t> win,
                                   std::span<std::uint8_t> tried) {
  if (log2_of(analysis_.total()) > std::log2(kLabelLimits.arrangements) + 1e-6) return false;
  // Without the deductions: proven cells are to be opened as well.
  const auto loaded = plain_board_.load(game.rules.observe(game.position.state));
  if (!loaded) return false;
  plain_front_.build(plain_board_);
  if (!end_game_.gather(plain_board_, plain_front_, kLabelLimits)) return false;
  for (int i = 0; i < game.rules.cells(); ++i) {
    const Cell cell = plain_board_.at_index(i);
    if (plain_board_.known(cell) != Known::unknown) continue;
    const auto worth = end_game_.worth(cell);
    if (!worth) {
      std::ranges::fill(tried, std::uint8_t{0});
      return false;
    }
    if (worth->safe == 0) continue;
    win[place(game, cell)] = parts_of(worth->wins, worth->safe);
    tried[place(game, cell)] = 1;
  }
  return true;
}

void PositionMaker::list_candidates(const Position& position, RandomStream& random) {
  const Board& board = position.board;
  candidates_.clear();
  for (int i = 0; i < board.rows() * board.cols(); ++i) {
    const Cell cell = board.at_index(i);
    if (board.known(cell) != Known::unknown) continue;
    candidates_.push_back({cell, analysis_.probability(cell)});
  }
  random.shuffle(std::span(candidates_));
  std::ranges::stable_sort(candidates_, [](const Candidate& a, const Candidate& b) {
    return a.probability < b.probability - 1e-9;
  });
  const double most = candidates_.front().probability + kTriedMargin;
  std::erase_if(candidates_,
                [&](const Candidate& candidate) { return candidate.probability > most; });
}

void PositionMaker::add_tried_wins(Game& game, std::span<std::uint8_t> win,
                                   std::span<std::uint8_t> tried) {
  list_candidates(game.position, game.random);
  // Half of them the safest, the others drawn from the rest.
  const std::size_t count = std::min(candidates_.size(), at(mix_.tries));
  const std::size_t least = std::min(candidates_.size(), (count + 1) / 2);
  game.random.shuffle(std::span(candidates_).subspan(least));
  for (std::size_t i = 0; i < count; ++i) {
    const Cell cell = candidates_[i].cell;
    if (has_bomb(game.position, cell)) continue;
    tried_ = game.position;
    open(game.rules, tried_, cell);
    tried[place(game, cell)] = 1;
    win[place(game, cell)] = wins(game.rules, tried_) ? kWinParts : 0;
  }
}

void PositionMaker::dare(Game& game, Cell cell) {
  Position& position = game.position;
  if (has_bomb(position, cell) && game.random.uniform() < mix_.taken_back) {
    std::vector<Cell> safe;
    for (int i = 0; i < game.rules.cells(); ++i) {
      const Cell other = position.board.at_index(i);
      const Known known = position.board.known(other);
      if (known == Known::unknown && !has_bomb(position, other)) safe.push_back(other);
    }
    if (!safe.empty()) {
      game.told = true;
      cell = safe[game.random.below(safe.size())];
    }
  }
  open(game.rules, position, cell);
}

// The games go on as a player plays who makes use of most of what he knows.
void PositionMaker::go_on(Game& game, Seen seen) {
  Position& position = game.position;
  Board& board = position.board;
  if (seen == Seen::guess) {
    const double choice = game.random.uniform();
    // Playing on has used the analysis for other boards.
    analysis_.run(board);
    if (choice < kSolverGuess) return dare(game, guess(position));
    list_candidates(position, game.random);
    const bool any = choice >= kSolverGuess + kMinProbability;
    const std::size_t chosen = any ? game.random.below(candidates_.size()) : 0;
    return dare(game, candidates_[chosen].cell);
  }
  if (game.random.uniform() < kAnyCell) {
    const Cell cell = board.at_index(
        static_cast<int>(game.random.below(static_cast<std::uint64_t>(game.rules.cells()))));
    if (board.known(cell) != Known::open && !has_bomb(position, cell)) {
      return open(game.rules, position, cell);
    }
  }
  const bool one = game.random.uniform() < game.one_at_a_time;
  std::vector<Cell>& safe = board.safe();
  do {
    std::swap(safe[game.random.below(safe.size())], safe.back());
    const Cell cell = safe.back();
    safe.pop_back();
    if (board.known(cell) == Known::safe) open(game.rules, position, cell);
  } while (!one && !safe.empty() && !position.over());
}

void PositionMaker::play(Seed seed, std::int64_t first_game, int games, RowBuffer& rows) {
  for (int i = 0; i < games; ++i) {
    Game game = begin(seed, first_game + i);
    while (!game.position.over()) {
      if (interrupted()) return;
      const Seen seen = look(game.position);
      if (seen == Seen::too_hard) break;
      record(game, seen, false, rows);
      go_on(game, seen);
    }
  }
}

void PositionMaker::play(Seed seed, std::int64_t first_game, int games,
                         play::MinesweeperNetwork& network, RowBuffer& rows) {
  std::vector<Game> all;
  std::vector<RowBuffer> theirs(at(games), rows);
  for (RowBuffer& of_game : theirs) of_game.resize(0);
  for (int i = 0; i < games; ++i) all.push_back(begin(seed, first_game + i));
  std::vector<std::vector<std::uint8_t>> codes(all.size());
  while (true) {
    std::vector<std::size_t> going;
    std::vector<play::MinesweeperNetwork::View> views;
    for (std::size_t i = 0; i < all.size(); ++i) {
      Game& game = all[i];
      if (game.position.over()) continue;
      codes[i].clear();
      for (const Code code : game.rules.observe(game.position.state).cells) {
        codes[i].push_back(model::board_code(code));
      }
      views.push_back({game.size.rows, game.size.cols, game.size.bombs, codes[i]});
      going.push_back(i);
    }
    if (going.empty() || interrupted()) break;
    const std::vector<int> cells = network.choose_cells(views);
    for (std::size_t k = 0; k < going.size(); ++k) {
      Game& game = all[going[k]];
      const Cell cell = game.position.board.at_index(cells[k]);
      const Seen seen = look(game.position);
      record(game, seen, game.position.board.known(cell) != Known::safe, theirs[going[k]]);
      dare(game, cell);
    }
  }
  for (const RowBuffer& of_game : theirs) {
    for (std::size_t row = 0; row < of_game.count(); ++row) rows.copy_row(of_game, row);
  }
}

}  // namespace damier::learn
