// The search: moves that the bounds refute are not visited, the others in an order that counts
// lines first and then prefers places from which a player builds moves that cannot be taken away.

#include "damier/exact/domineering/solver.h"

#include <cassert>

#include "damier/base/files/interrupt.h"

namespace damier::exact::domineering {

namespace {

constexpr int kTriedInVain = 4;                      // moves whose answers were too many to count
constexpr std::uint64_t kNodesBetweenChecks = 1024;  // of the clock and of interrupts

CellSet lowest_cells(int count) { return count >= 64 ? ~CellSet{0} : (CellSet{1} << count) - 1; }

// How good a place is, when nothing else tells two moves apart. A domino on the second line from
// the edge makes safe moves of the edge line, then one on the fourth line and so on; those at even
// distance from the end leave room for more of them.
int place_worth(int line, int lines, int place, int places) {
  const int from_edge = std::min(line, lines - 1 - line);
  const int from_end = std::min(place, places - 1 - place);
  const int kind = from_edge == 0 ? 0 : from_edge == 1 ? 3 : from_edge % 2 == 1 ? 2 : 1;
  const int evenness = from_end % 2 == 0 ? 1 : 0;
  return ((2 * kind + evenness) * 64 + 63 - from_edge) * 64 + 63 - from_end;
}

constexpr int kLineWeight = 1 << 15;  // more than any place is worth

// For each row of a view: how many dominoes the side that lies flat there can lay, and how many of
// these on cells that the upright side cannot use.
class RowCounts {
 public:
  RowCounts(const View& view, CellSet free) : view_(view), free_(free) {
    const CellSet only_flat = free & ~view.own_cells(free);
    for (int r = 0; r < view.rows; ++r) {
      counts_[static_cast<std::size_t>(r)] = count(free, only_flat, r);
    }
  }

  // By how much the counts of rows `from` to `to` grow when the cells are taken.
  int gain(CellSet taken, int from, int to) const {
    const CellSet free = free_ & ~taken;
    const CellSet only_flat = free & ~view_.own_cells(free);
    int sum = 0;
    for (int r = std::max(from, 0); r <= std::min(to, view_.rows - 1); ++r) {
      sum += count(free, only_flat, r) - counts_[static_cast<std::size_t>(r)];
    }
    return sum;
  }

 private:
  int count(CellSet free, CellSet only_flat, int r) const {
    return view_.strips->dominoes_in(view_.row(free, r)) +
           view_.strips->dominoes_in(view_.row(only_flat, r));
  }

  const View& view_;
  CellSet free_;
  std::array<int, 64> counts_;
};

}  // namespace

View::View(int row_count, int row_width)
    : rows(row_count),
      width(row_width),
      stride(row_count > 1 ? row_width : 1),
      row_cells(lowest_cells(row_width)),
      upper(lowest_cells((row_count - 1) * row_width)),
      strips(&strip_table(row_width)) {
  for (int r = 0; r < rows; ++r) left |= lowest_cells(width - 1) << r * width;
}

DomineeringSolver::DomineeringSolver(const Domineering& game, int table_bits)
    : DomineeringSolver(game, std::make_shared<ProvenPositions>(table_bits)) {}

DomineeringSolver::DomineeringSolver(const Domineering& game,
                                     std::shared_ptr<ProvenPositions> table)
    : game_(game),
      views_{View(game.rows(), game.cols()), View(game.cols(), game.rows())},
      square_(game.rows() == game.cols()),
      table_(std::move(table)) {
  const int rows = game.rows(), cols = game.cols();
  const auto guises_of = [&](int y, int x) {
    Guises guises = {};
    for (std::size_t i = 0; i < guises.size(); ++i) {
      const int row = (i & 2) != 0 ? rows - 1 - y : y, col = (i & 1) != 0 ? cols - 1 - x : x;
      guises[i] = CellSet{1} << (i < 4 ? row * cols + col : col * rows + row);
    }
    return guises;
  };
  const auto both = [](Guises a, const Guises& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] |= b[i];
    return a;
  };
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < cols; ++x) {
      const auto cell = static_cast<std::size_t>(y * cols + x);
      cell_guises_[cell] = guises_of(y, x);
      if (y + 1 < rows) {
        move_guises_[0][cell] = both(guises_of(y, x), guises_of(y + 1, x));
        places_[0][cell] = place_worth(x, cols, y, rows - 1);
      }
      if (x + 1 < cols) {
        move_guises_[1][cell] = both(guises_of(y, x), guises_of(y, x + 1));
        places_[1][cell] = place_worth(y, rows, x, cols - 1);
      }
    }
  }
}

// Takes away the cells that neither side can use, and whole lines that only one side can use, whose
// moves are from then on in hand. What is left of different games is more often alike.
void DomineeringSolver::simplify(Position& position) const {
  const View& view = views_[0];
  const CellSet free = position.free[0];
  const CellSet upright = view.own_placements(free), flat = view.other_placements(free);
  const CellSet vertical = upright | upright << view.stride, horizontal = flat | flat << 1;
  // A line is out of the other side's reach when none of its cells can be used by both.
  const auto beyond_reach = [&](CellSet cells, CellSet links, int step) {
    CellSet reached = vertical & horizontal;
    for (CellSet before = 0; before != reached;) {
      before = reached;
      reached |= (reached & links) << step | (reached >> step & links);
    }
    return cells & ~reached;
  };
  const CellSet only_vertical = beyond_reach(vertical, upright, view.stride);
  const CellSet only_horizontal = beyond_reach(horizontal, flat, 1);
  position.in_hand += packed_dominoes(only_vertical, view.upper, view.stride) -
                      packed_dominoes(only_horizontal, view.left, 1);
  for (CellSet gone = (free & ~(vertical | horizontal)) | only_vertical | only_horizontal;
       gone != 0; gone &= gone - 1) {
    take(position, cell_guises_[static_cast<std::size_t>(lowest_bit(gone))]);
  }
}

DomineeringSolver::Position DomineeringSolver::position_of(const State& state) const {
  Position position;
  position.side = state.side;
  for (CellSet cells = state.free; cells != 0; cells &= cells - 1) {
    const Guises& guises = cell_guises_[static_cast<std::size_t>(lowest_bit(cells))];
    for (std::size_t i = 0; i < guises.size(); ++i) position.free[i] |= guises[i];
  }
  return position;
}

DomineeringSolver::Position DomineeringSolver::after(const Position& position, int cell) const {
  Position next = position;
  take(next, move_guises_[slot(position.side)][static_cast<std::size_t>(cell)]);
  next.side = games::opponent(position.side);
  simplify(next);
  return next;
}

// The moves with these lower-index cells, the most promising first.
DomineeringSolver::Candidates DomineeringSolver::candidates(const Position& position,
                                                            CellSet cells) const {
  const Side side = position.side, opponent = games::opponent(side);
  const View &own = views_[slot(side)], &other = views_[slot(opponent)];
  const RowCounts opponent_rows(own, position.in_view(side));
  const RowCounts own_rows(other, position.in_view(opponent));
  std::array<Candidate, 64> found;
  std::size_t count = 0;
  for (; cells != 0; cells &= cells - 1) {
    const auto cell = static_cast<std::size_t>(lowest_bit(cells));
    const Guises& taken = move_guises_[slot(side)][cell];
    const CellSet upright = taken[4 * slot(side)], flat = taken[4 * slot(opponent)];
    const int y = own.row_of(lowest_bit(upright)), r = other.row_of(lowest_bit(flat));
    const int lines = own_rows.gain(flat, r - 1, r + 1) - opponent_rows.gain(upright, y - 1, y + 2);
    found[count++] = {static_cast<std::uint8_t>(cell),
                      lines * kLineWeight + places_[slot(side)][cell]};
  }
  std::sort(found.begin(), found.begin() + count, [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.cell < b.cell;
  });
  Candidates sorted;
  for (std::size_t i = 0; i < count; ++i) sorted.push_back(found[i]);
  return sorted;
}

ProvenPositions::Name DomineeringSolver::name_of(const Position& position) const {
  // On a square the mover's view makes two positions one that differ by an exchange of the sides.
  const std::size_t from = square_ ? 4 * slot(position.side) : 0;
  const Guises& free = position.free;
  const auto rest = static_cast<unsigned>(position.in_hand_of(position.side) + 64) << 1 |
                    (square_ ? 0 : static_cast<unsigned>(slot(position.side)));
  return {std::min({free[from], free[from + 1], free[from + 2], free[from + 3]}),
          static_cast<std::uint16_t>(rest)};
}

DomineeringSolver::Bounds DomineeringSolver::bounds_of(const Position& position) const {
  const Side side = position.side, opponent = games::opponent(side);
  Bounds bounds{lower_bound(views_[slot(side)], position.in_view(side)),
                lower_bound(views_[slot(opponent)], position.in_view(opponent))};
  const int in_hand = kQuarters * position.in_hand_of(side);
  bounds.own.add(in_hand);
  bounds.other.add(-in_hand);
  return bounds;
}

bool DomineeringSolver::is_stopped() {
  if (nodes_ >= node_limit_) stopped_ = true;
  if (nodes_ % kNodesBetweenChecks == 0) {
    if (clock_.seconds() >= second_limit_ || interrupted()) stopped_ = true;
    if (watch_ != nullptr) watch_->add_nodes(kNodesBetweenChecks);
  }
  return stopped_;
}

// Whether the side to move wins; means nothing once stopped_ is set.
bool DomineeringSolver::search(const Position& position) {
  if (is_stopped()) return false;
  const std::uint64_t nodes_before = nodes_++;
  const auto name = name_of(position);
  table_->prefetch(name);  // it comes while the bounds are worked out
  const Bounds bounds = bounds_of(position);
  if (needs_.vertical_wins(bounds.other.sum, false)) return false;
  if (needs_.vertical_wins(bounds.own.sum, true)) return true;
  const Verdict known = table_->look_up(name);
  if (known != Verdict::unknown) return known == Verdict::win;
  const bool win = expand(position, bounds);
  if (!stopped_) table_->remember(name, win, nodes_ - nodes_before);
  return win;
}

bool DomineeringSolver::expand(const Position& position, const Bounds& bounds) {
  const Side side = position.side, opponent = games::opponent(side);
  const View &own = views_[slot(side)], &other = views_[slot(opponent)];
  const bool has_in_hand = position.in_hand_of(side) > 0;
  CellSet open = 0;
  for (CellSet cells = placements(position); cells != 0; cells &= cells - 1) {
    const int cell = lowest_bit(cells);
    const Guises& taken = move_guises_[slot(side)][static_cast<std::size_t>(cell)];
    const CellSet upright = taken[4 * slot(side)], flat = taken[4 * slot(opponent)];
    // A safe domino can wait, so playing it is no better than a move in hand.
    if (has_in_hand && (upright & own.other_cells(position.in_view(side))) == 0) continue;
    if (needs_.vertical_wins(without_flat(other, bounds.other, flat), true)) continue;
    if (needs_.vertical_wins(without_upright(own, bounds.own, upright), false)) return true;
    open |= CellSet{1} << cell;
  }
  for (const Candidate candidate : candidates(position, open)) {
    const bool refuted = search(after(position, candidate.cell));
    if (stopped_) return false;
    if (!refuted) return true;
  }
  // A move in hand is the last resort: it wins only where every move on the board would spoil.
  if (!has_in_hand) return false;
  StripSum other_after = bounds.other.sum;
  other_after.quarters += kQuarters;
  other_after.cold_quarters += kQuarters;
  if (needs_.vertical_wins(other_after, true)) return false;
  Position next = position;
  next.side = opponent;
  next.in_hand -= side == Side::first ? 1 : -1;
  return !search(next);
}

Answer<Move> DomineeringSolver::solve(const State& state, const Ask& ask) {
  nodes_ = 0;
  node_limit_ = ask.nodes > 0 ? ask.nodes : std::numeric_limits<std::uint64_t>::max();
  second_limit_ = ask.seconds > 0 ? ask.seconds : std::numeric_limits<double>::infinity();
  watch_ = ask.watch;
  clock_ = {};
  stopped_ = false;
  Answer<Move> answer;
  Verdict& verdict = answer.known.verdict;
  Position root = position_of(state);
  const Candidates moves = candidates(root, placements(root));
  simplify(root);
  const auto try_moves = [&](auto loses) {
    for (const Candidate candidate : moves) {
      const Move move = games::domineering::make_move(candidate.cell, state.side);
      State next = state;
      game_.play(next, move);
      Position child = position_of(next);
      simplify(child);
      if (!loses(child) || stopped_) continue;
      answer.moves.push_back({.move = move, .known = {Verdict::win}, .value = 1});
      if (!ask.every_move) return;
    }
  };
  if (!ask.every_move) {
    const bool win = !moves.empty() && search(root);
    if (!stopped_) verdict = win ? Verdict::win : Verdict::loss;
    if (win) try_moves([&](const Position& child) { return is_known_loss(child); });
  }
  if (ask.every_move || (verdict == Verdict::win && answer.moves.empty())) {
    try_moves([&](const Position& child) { return !search(child); });
    if (!answer.moves.empty()) {
      verdict = Verdict::win;
    } else if (ask.every_move && !stopped_) {
      verdict = Verdict::loss;
    }
  }
  answer.stopped = stopped_;
  answer.nodes = nodes_;
  answer.seconds = clock_.seconds();
  return answer;
}

Move DomineeringSolver::best_move(const State& state, const Ask& ask) {
  const auto answer = solve(state, ask);
  if (!answer.moves.empty()) return answer.best().move;
  // Resistance: the most promising of the moves that no bound refutes, if there is one.
  const Position root = position_of(state);
  const Candidates moves = candidates(root, placements(root));
  assert(!moves.empty());
  for (const Candidate candidate : moves) {
    if (!is_refuted(root, candidate.cell)) {
      return games::domineering::make_move(candidate.cell, state.side);
    }
  }
  return games::domineering::make_move(moves[0].cell, state.side);
}

std::vector<Move> DomineeringSolver::hardest_moves(const State& state, const Ask& ask) {
  const auto legal = game_.legal_moves(state);
  Ask share = ask;
  share.every_move = true;
  if (ask.nodes > 0) {
    share.nodes = std::max<std::uint64_t>(1, ask.nodes / std::max<std::size_t>(1, legal.size()));
  }
  std::vector<Move> hardest;
  std::size_t fewest = 0;
  int in_vain = 0;
  for (const Move move : legal) {
    State next = state;
    game_.play(next, move);
    const auto answers = solve(next, share);
    if (answers.stopped) {
      // Where the first ones are too much work, so are the others.
      if (hardest.empty() && ++in_vain == kTriedInVain) break;
      continue;
    }
    if (hardest.empty() || answers.moves.size() < fewest) {
      fewest = answers.moves.size();
      hardest.clear();
    }
    if (answers.moves.size() == fewest) hardest.push_back(move);
  }
  if (!hardest.empty()) return hardest;
  const Position root = position_of(state);
  for (const Move move : legal) {
    if (!is_refuted(root, games::domineering::cell_of(move))) hardest.push_back(move);
  }
  if (hardest.empty()) hardest.assign(legal.begin(), legal.end());
  return hardest;
}

}  // namespace damier::exact::domineering
