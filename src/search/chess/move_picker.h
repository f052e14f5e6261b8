// The moves of a position one after the other, the most promising first: the table's move, captures
// that do not lose material, quiet moves, the other captures. What is not reached is not generated.
#pragma once

#include <cstdint>

#include "damier/games/chess/generator.h"
#include "damier/search/chess/move_memory.h"
#include "damier/search/chess/see.h"

namespace damier::search::chess {

inline bool is_quiet(const games::chess::State& state, games::chess::Move move) {
  using games::chess::Manner;
  return !is_promotion(move) && manner_of(move) != Manner::en_passant &&
         (state.of(opponent(state.side)) & bit(to_of(move))) == 0;
}

// The kind that a capture takes; a pawn where it takes nothing.
inline int taken_kind(const games::chess::State& state, games::chess::Move move) {
  const games::chess::Bitboard to = bit(to_of(move));
  return (state.of(opponent(state.side)) & to) != 0 ? index(state.kind_on(to)) : 0;
}

// What quiet moves are ordered by beside their own history.
struct QuietHints {
  games::chess::Move killers[2] = {};
  games::chess::Move answer = {};        // what was best against the last move
  const MoveMemory::Row* after[3] = {};  // one, two and four plies ago
};

class MovePicker {
 public:
  using Move = games::chess::Move;
  using State = games::chess::State;

  enum class Wanted : std::uint8_t { all, captures };

  // With `captures` those that gain less than `threshold` come last, as `is_bad()` ones.
  MovePicker(const games::chess::Generator& generator, const Reach& reach, const State& state,
             MoveMemory& memory, Move table_move, Wanted wanted, const QuietHints& hints,
             int threshold = 0);

  // Move{} when there are no more.
  Move next();
  // Quiet moves that are still to come are left out.
  void skip_quiets() { skip_quiets_ = true; }
  // The last move is a capture that loses material.
  bool is_bad() const { return stage_ == Stage::bad_captures; }

 private:
  enum class Stage : std::uint8_t {
    table_move,
    make_captures,
    good_captures,
    make_quiets,
    quiets,
    bad_captures,
    done,
  };
  struct Scored {
    Move move;
    int score;
  };

  bool is_legal(Move move) const;
  void make_captures();
  void make_quiets();
  void add_captures(const games::chess::MoveList& moves);
  // The best of those left, moved to the front of them.
  Scored take_best();

  const games::chess::Generator& generator_;
  const Reach& reach_;
  const State& state_;
  MoveMemory& memory_;
  const QuietHints& hints_;
  Move table_move_;
  Wanted wanted_;
  Stage stage_ = Stage::table_move;
  bool skip_quiets_ = false;
  int threshold_;
  int next_ = 0, end_ = 0;  // of the moves of this stage
  int bad_end_ = 0;         // captures put off, at the front of the list
  Scored moves_[games::chess::MoveList::capacity()];
};

}  // namespace damier::search::chess
