// Decides domineering positions: who wins, and by which move.
//
// The search asks one yes-or-no question of every position, and most positions are answered by the
// bounds of bounds.h. A solver keeps its table between calls, so later answers come faster; a fresh
// solver always visits the same nodes.
#pragma once

#include "damier/base/numbers/stopwatch.h"
#include "damier/exact/domineering/bounds.h"
#include "damier/exact/domineering/proven.h"
#include "damier/search/answer.h"

namespace damier::exact::domineering {

using games::Verdict;  // for the side to move; never a draw here
using games::domineering::Domineering;
using games::domineering::Move;
using games::domineering::State;
using search::Answer;
using search::Ask;

class DomineeringSolver {
 public:
  static constexpr int kDefaultTableBits = 20;  // entries of 16 bytes, as a power of two

  explicit DomineeringSolver(const Domineering& game, int table_bits = kDefaultTableBits);
  // Solvers in several threads may share a table, if they solve the same board.
  DomineeringSolver(const Domineering& game, std::shared_ptr<ProvenPositions> table);

  // Who wins, and a winning move; with `every_move` all of them, which takes the search of each.
  // The nodes are the positions visited, those that a bound decides included; a move that a bound
  // refutes before it is played makes none.
  Answer<Move> solve(const State& state, const Ask& ask = {});

  // A winning move where the limits suffice to find one, else one that makes it hard. There must be
  // a legal move.
  Move best_move(const State& state, const Ask& ask = {});

  // Of a lost position: the moves that leave the opponent the fewest winning answers. The limit is
  // shared out evenly; moves whose answers it does not allow to count are left out, unless that
  // leaves none: then all that no bound refutes, or all, are as good as each other.
  std::vector<Move> hardest_moves(const State& state, const Ask& ask = {});

  void forget() { table_->forget(); }

 private:
  // The free cells in eight guises: 0 to 3 in Vertical's view as it is, mirrored left to right,
  // upside down and both; 4 to 7 the same in Horizontal's view.
  using Guises = std::array<CellSet, 8>;

  struct Position {
    Guises free = {};
    // Moves in hand that nobody can take away and that no longer show on the board: Vertical's
    // less Horizontal's.
    int in_hand = 0;
    Side side = Side::first;

    CellSet in_view(Side viewer) const { return free[4 * slot(viewer)]; }
    int in_hand_of(Side whose) const { return whose == Side::first ? in_hand : -in_hand; }
  };

  struct Candidate {
    std::uint8_t cell;
    int score;
  };
  using Candidates = InlineList<Candidate, 64>;

  // For the side to move and for the other, moves in hand included.
  struct Bounds {
    Bound own;
    Bound other;
  };

  void take(Position& position, const Guises& cells) const {
    for (std::size_t i = 0; i < cells.size(); ++i) position.free[i] &= ~cells[i];
  }
  void simplify(Position& position) const;
  Position position_of(const State& state) const;  // not simplified
  Position after(const Position& position, int cell) const;
  CellSet placements(const Position& position) const {
    return position.side == Side::first ? views_[0].own_placements(position.free[0])
                                        : views_[0].other_placements(position.free[0]);
  }
  Candidates candidates(const Position& position, CellSet cells) const;
  Bounds bounds_of(const Position& position) const;

  ProvenPositions::Name name_of(const Position& position) const;

  bool is_stopped();
  bool search(const Position& position);
  bool expand(const Position& position, const Bounds& bounds);
  bool is_known_loss(const Position& position) {
    const Bounds bounds = bounds_of(position);
    if (needs_.vertical_wins(bounds.other.sum, false)) return true;
    return table_->look_up(name_of(position)) == Verdict::loss;
  }
  // by a bound alone
  bool is_refuted(const Position& root, int cell) const {
    return needs_.vertical_wins(bounds_of(after(root, cell)).own.sum, true);
  }

  Domineering game_;
  std::array<View, 2> views_;
  bool square_;
  const SwitchNeeds needs_;
  std::array<Guises, 64> cell_guises_ = {};
  std::array<std::array<Guises, 64>, 2> move_guises_ = {};  // by side and lower-index cell
  std::array<std::array<int, 64>, 2> places_ = {};          // what a move's place is worth
  std::shared_ptr<ProvenPositions> table_;

  std::uint64_t nodes_ = 0;
  std::uint64_t node_limit_ = 0;
  double second_limit_ = 0;
  search::Watch* watch_ = nullptr;
  Stopwatch clock_;
  bool stopped_ = false;
};

}  // namespace damier::exact::domineering
