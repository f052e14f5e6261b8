// Who says what positions of chess are worth, and plays the games that they come from: our engine,
// or another one by UCI.
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
inline constexpr int kMaxCentipawns = 2000;

struct Scored {
  Move move;
  int score = 0;  // hundredths of a pawn, for the side to move
};

// Each thread has its own. What our engine says follows from what it was asked since new_game(): it
// keeps its table from move to move, as in play, and forgets it between games.
class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual Status new_game() = 0;
  // The game must go on. After an error, which another engine may make, it is of no more use.
  virtual Result<Scored> score(const History& history) = 0;
};

struct ScorerName {
  std::uint64_t nodes = 0;  // that a search may look at
  std::string command;      // of another engine, that speaks UCI; empty: ours
  // By which ours evaluates; none: by hand.
  std::shared_ptr<const search::chess::EvaluationNetwork> network;

  // Ours by "engine:NODES"; `what` names it in errors.
  static Result<ScorerName> parse(std::string_view text, std::string_view what);
};

// An error where another engine does not start.
Result<std::unique_ptr<Scorer>> make_scorer(const ScorerName& name);

}  // namespace damier::learn::chess
