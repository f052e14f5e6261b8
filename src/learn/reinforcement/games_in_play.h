// Many games that go on side by side, as somebody who learns from them sees them: numbers in,
// actions out, a reward for each. A task makes them (Task::games_in_play).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "damier/base/random.h"
#include "damier/base/result.h"

namespace damier::learn {

// What a move is worth to the side that makes it: the result, if it ends the game, and `move` in
// any case.
struct Rewards {
  double win = 1, draw = 0, loss = -1, move = 0;
};

struct GamesInPlayOptions {
  std::string encoder;  // how positions are seen, with the rules
  Rewards rewards;
  int random_plies = 0;   // games begin with up to so many random moves, to see more of the game
  bool symmetry = false;  // positions are seen in one of their images, drawn at random
  // For each game who has the other side: "self", who then sees the positions of both sides,
  // "random", or the name of a teacher.
  std::vector<std::string> against;
};

// What came of a move.
struct MoveMade {
  float reward = 0;
  bool over = false;    // what is seen next belongs to a new game
  bool turned = false;  // what is seen next is seen by the other side
  // Of a game that is over.
  std::int8_t result = 0;  // of the side that moved first: 1 win, 0 draw, -1 loss
  std::uint32_t plies = 0;
};

// All chance comes from the streams that are handed in. Different games may be used by different
// threads, unless they are against a teacher.
class GamesInPlay {
 public:
  virtual ~GamesInPlay() = default;

  // To be called once for each game, or restore().
  virtual void begin(std::size_t game, RandomStream& random) = 0;
  // What the side that must choose sees, and 1 at each action that it may choose.
  virtual void observe(std::size_t game, std::span<float> input,
                       std::span<std::uint8_t> legal) const = 0;
  // Plays an action that is legal, as observe() shows it.
  virtual MoveMade play(std::size_t game, int action, RandomStream& random) = 0;

  // Where a game stands, as numbers, and back.
  virtual std::vector<std::int32_t> record(std::size_t game) const = 0;
  virtual Status restore(std::size_t game, std::span<const std::int32_t> record) = 0;
};

}  // namespace damier::learn
