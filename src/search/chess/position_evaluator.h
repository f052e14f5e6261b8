// What the search thinks of positions without looking ahead: by the hand-written evaluation, or by
// a network. One object a thread; it is told of every move that the search makes and takes back, so
// that a network can update its sums instead of adding them up again.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "damier/search/chess/evaluation.h"
#include "damier/search/chess/evaluation_network.h"

namespace damier::search::chess {

// The sums of the network along the line that a search looks at: what a move changes is noted at
// once and added when a score is asked for.
class PositionEvaluator {
 public:
  // No network: the hand-written evaluation, which looks at the position alone.
  explicit PositionEvaluator(std::shared_ptr<const EvaluationNetwork> network = {});

  // A new search begins: forgets every push.
  void reset();
  // `move` was made in `before`. A null move (the other side is to move, nothing else changed) is
  // pushed by push_null().
  void push(const games::chess::State& before, games::chess::Move move);
  void push_null();
  void pop();
  // Hundredths of a pawn for the side to move, within games::kHeuristicLimit. `state` is the
  // position of the last push, or the one that reset() was called for.
  int score(const games::chess::State& state);

 private:
  struct Placed {
    games::chess::Piece piece;
    games::chess::Square square;
  };
  // A position: what the move before it changed, and for which viewers the sums are there.
  struct Frame {
    Placed added[2];
    Placed removed[2];
    std::int8_t added_count = 0;
    std::int8_t removed_count = 0;
    bool turned[2] = {};  // the viewer's king changed its half of the board
    bool known[2] = {};
  };

  // The last position that was added up for a viewer and a half of the board its king stood on:
  // the next one differs by a few pieces only.
  struct Remembered {
    games::chess::Bitboard pieces[2][games::chess::kKinds] = {};  // by side
    AlignedNumbers sums;
  };

  std::int16_t* sums(std::size_t frame, int viewer);
  Frame& add_frame();
  void bring_up_to_date(const games::chess::State& state, int viewer);
  void add_up(const games::chess::State& state, int viewer);
  void update(std::size_t frame, int viewer, bool mirrored);

  std::shared_ptr<const EvaluationNetwork> network_;  // none: by hand
  HandWrittenEvaluation hand_written_;
  std::vector<Frame> frames_;
  std::size_t last_ = 0;
  AlignedNumbers sums_;  // (frames, viewers, units)
  Remembered remembered_[2][2];
};

}  // namespace damier::search::chess
