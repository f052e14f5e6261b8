// A player: something that chooses moves, and can say what it thinks of all of them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/base/result.h"
#include "damier/games/any_game.h"
#include "damier/search/answer.h"

namespace damier::play {

using games::Known;
using games::Verdict;
using search::Ask;

// What a player says, its moves by their actions. Each action of a line is legal after those before
// it.
using Answer = search::Answer<games::Action>;
using MoveAnswer = search::MoveAnswer<games::Action>;

// A place among moves, the likeliest first: each weighs its prior to the power of 1 / temperature.
std::size_t drawn_by_prior(const std::vector<MoveAnswer>& moves, double temperature,
                           RandomStream& random);

// Writes what is certain of each move beside what a player thinks of it.
void add_known(Answer& answer, const Answer& certain);

// What the clocks of both sides show, in seconds, before a move; and what a move adds.
struct Clocks {
  std::array<double, 2> left = {};
  double increment = 0;
};

// A player cannot go on: the program that it asks has crashed, for instance.
class PlayerError : public std::runtime_error {
 public:
  explicit PlayerError(const Error& error) : std::runtime_error(error.text()) {}
};

// All of it may throw PlayerError.
class Player {
 public:
  virtual ~Player() = default;
  // A legal action of a game that is not over. All chance comes from `random`.
  virtual games::Action choose(const games::Session& session, RandomStream& random) = 0;
  // The same with what is thought of it; where there are clocks, a player that can reads them.
  virtual MoveAnswer choose_scored(const games::Session& session, RandomStream& random,
                                   const Clocks*) {
    return {choose(session, random)};
  }
  // All legal moves, within the player's own limits; the question brings the chance. A player that
  // only chooses lists the moves alone, the chosen one first.
  virtual Answer answer(const games::Session& session, const Ask& ask);
};

}  // namespace damier::play
