// Who says what positions of chess are worth, and plays the games that they come from: our engine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "damier/base/result.h"
#include "damier/search/chess/engine.h"

namespace damier::learn::chess {

using games::chess::Chess;
using games::chess::Move;
using games::chess::State;
using search::chess::History;

// Scores beyond this, mates among them, count as this: what is won is won.
inline constexpr int kMostCentipawns = 2000;

struct Scored {
  Move move;
  int score = 0;  // hundredths of a pawn, for the side to move
};

// Each thread has its own. What our engine says follows from the game so far alone.
class Scorer {
 public:
  virtual ~Scorer() = default;
  // The game must go on. After an error, which another engine may make, it is of no more use.
  virtual Result<Scored> score(const History& history) = 0;
};

struct ScorerName {
  std::uint64_t nodes = 0;  // that a search may look at

  // "engine:NODES"; `what` names it in errors.
  static Result<ScorerName> parse(std::string_view text, std::string_view what);
};

// An error where another engine does not start.
Result<std::unique_ptr<Scorer>> make_scorer(const ScorerName& name);

}  // namespace damier::learn::chess
