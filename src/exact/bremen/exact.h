// Brême is solved, but its table has no place here: what every position of the draft is worth is
// known, and every outcome of it. Positions of play are left to a search.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "damier/exact/exact.h"
#include "damier/games/bremen/bremen.h"

namespace damier::exact {

namespace bremen {

// The game was solved whole on a graphics card (gpu/); what its 14,400 positions right after the
// draft are worth is kept here, and the draft follows from them.
class Draft {
 public:
  // Under a limit on the plies of play, 0 for none: longer wins are draws. Made once.
  static std::shared_ptr<const Draft> with_limit(int plies);

  // Unknown for positions of play and for those that no draft leads to.
  Known known(const games::bremen::State& state) const;

  struct Outcomes {
    std::uint64_t won = 0, drawn = 0, lost = 0;  // for Blue, who moves first
    int longest = 0;                             // plies
  };
  const Outcomes& outcomes() const { return outcomes_; }
  std::uint64_t positions() const { return positions_; }

 private:
  explicit Draft(int limit);
  Known fill(const games::bremen::State& state);

  int limit_;
  std::vector<std::int16_t> values_;  // by key, packed
  Outcomes outcomes_;
  std::uint64_t positions_ = 0;
};

}  // namespace bremen

template <>
class Exact<games::bremen::Bremen> {
 public:
  using Game = games::bremen::Bremen;

  explicit Exact(const Game& game);
  bool knows(const Game::State& state) const {
    return draft_ != nullptr && draft_->known(state).is_certain();
  }
  bool knows_moves(const Game::State& state) const {
    return game_.is_drafting(state) && knows(state);
  }
  // Of a position that is known.
  Answer<Game::Move> answer(const games::History<Game>& history, const Ask& ask) const;
  std::vector<SpaceFigure> state_space() const;

 private:
  Game game_;
  std::shared_ptr<const bremen::Draft> draft_;  // of the usual rules
};

}  // namespace damier::exact
