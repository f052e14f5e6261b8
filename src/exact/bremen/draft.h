// The draft of Brême, solved: what every position of it is worth, and every outcome.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "damier/games/bremen/bremen.h"
#include "damier/games/known.h"

namespace damier::exact::bremen {

using games::Known;

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

}  // namespace damier::exact::bremen
