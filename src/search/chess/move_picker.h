// The moves of a position one after the other, the most promising first: the move of the
// transposition table, good captures (by static exchange), quiet moves by killers, counter move and
// histories, bad captures. Stages that are not reached are not generated.
#pragma once

#include <cstdint>

#include "damier/games/chess/generator.h"
#include "damier/search/chess/history.h"
#include "damier/search/chess/see.h"

namespace damier::search::chess {

inline bool is_quiet(const games::chess::State& state, games::chess::Move move) {
  using games::chess::MoveType;
  return !is_promotion(move) && type_of(move) != MoveType::en_passant &&
         (state.of(opponent(state.side)) & bit(to_of(move))) == 0;
}

// The kind that a capture takes; a pawn where it takes nothing.
inline int captured_kind(const games::chess::State& state, games::chess::Move move) {
  const games::chess::Bitboard to = bit(to_of(move));
  return (state.of(opponent(state.side)) & to) != 0 ? index(state.kind_on(to)) : 0;
}

// What quiet moves are ordered by beside the butterfly history.
struct QuietOrder {
  games::chess::Move killers[2] = {};
  games::chess::Move counter_move = {};
  const PieceToHistory* continuation[3] = {};  // of the moves one, two and four plies ago
};

class MovePicker {
 public:
  using Move = games::chess::Move;
  using State = games::chess::State;

  enum class Wanted : std::uint8_t { all, captures };

  // With `captures` those that gain less than `threshold` come last, as bad captures.
  MovePicker(const games::chess::Generator& generator, const Attacks& attacks, const State& state,
             Histories& histories, Move table_move, Wanted wanted, const QuietOrder& order,
             int threshold = 0);

  // Move{} when there are no more.
  Move next();
  // Leaves out the quiet moves that are still to come.
  void skip_quiets() { skip_quiets_ = true; }
  // The last move is a capture that loses material.
  bool is_bad_capture() const { return stage_ == Stage::bad_captures; }

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
  void add_captures(games::chess::Bitboard from, games::chess::Bitboard to);
  // The best of those left, moved to the front of them.
  Scored take_best();

  const games::chess::Generator& generator_;
  const Attacks& attacks_;
  const State& state_;
  Histories& histories_;
  const QuietOrder& order_;
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
