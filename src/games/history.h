// A game as it is played: where it started, the moves so far, the position now. Here, and not in
// the state, live the rules that look back: draws by repetition and by length.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "damier/games/game.h"

namespace damier::games {

template <PlayableGame G>
class History {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  History(G game, State start) : game_(std::move(game)), states_{start} {}

  const G& game() const { return game_; }
  const State& start() const { return states_.front(); }
  const State& state() const { return states_.back(); }
  std::span<const Move> moves() const { return moves_; }
  std::span<const State> states() const { return states_; }

  std::vector<std::string> move_texts() const {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      texts.push_back(game_.move_text(states_[i], moves_[i]));
    }
    return texts;
  }

  // `move` must be legal and the game not over.
  void play(Move move) {
    State next = state();
    game_.play(next, move);
    states_.push_back(next);
    moves_.push_back(move);
  }

  bool undo() {
    if (moves_.empty()) return false;
    states_.pop_back();
    moves_.pop_back();
    return true;
  }

  Outcome outcome() const {
    const Outcome outcome = game_.outcome(state());
    if (outcome != Outcome::ongoing) return outcome;
    return drawn_by_repetition() || drawn_by_length() ? Outcome::draw : Outcome::ongoing;
  }

  // Why the game is over; empty while it is not.
  Text ending() const {
    if (game_.outcome(state()) != Outcome::ongoing) return game_.ending(state());
    if constexpr (Game<G>) {
      if (drawn_by_repetition()) {
        return Text::of("the position occurred {} times", game_.repetition_limit());
      }
      if (drawn_by_length()) return Text::of("{} plies were played", game_.ply_limit());
    }
    return {};
  }

  bool drawn_by_repetition() const {
    if constexpr (Game<G>) {
      return game_.repetition_limit() > 0 &&
             std::ranges::count(states_, state()) >= game_.repetition_limit();
    }
    return false;
  }

  bool drawn_by_length() const {
    if constexpr (Game<G>) {
      const int limit = game_.ply_limit();
      if (limit == 0 || static_cast<int>(moves_.size()) < limit) return false;
      // A ply counts when the position it was played in counts.
      return std::count_if(states_.begin(), states_.end() - 1, [&](const State& state) {
               return game_.counts_toward_limit(state);
             }) >= limit;
    }
    return false;
  }

 private:
  G game_;
  std::vector<State> states_;  // one more than moves_
  std::vector<Move> moves_;
};

}  // namespace damier::games
