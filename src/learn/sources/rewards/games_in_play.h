// Many games that go on side by side, as somebody who learns from them sees them: numbers in,
// actions out, a reward for each. A task makes them (Task::games_in_play).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/base/result.h"

namespace damier::learn {

// What a move is worth to the side that makes it: the result, if it ends the game, and `move` in
// any case. A choice that is not legal is worth `illegal` and nothing else.
struct Rewards {
  double win = 1, draw = 0, loss = -1, move = 0, illegal = 0;

  // Of a result: 1 win, 0 draw, -1 loss.
  double of(int result) const { return result > 0 ? win : result < 0 ? loss : draw; }
};

// Moves that make a position better by one of the task's figures (Task::potentials) earn that much,
// times the weight; those that make it worse lose it. As what is gained is paid back when it is
// lost, the best moves stay the best (Ng, Harada and Russell, 1999).
struct Shaping {
  std::string potential;
  double weight = 0;
};

struct GamesInPlayOptions {
  std::string encoder;  // how positions are seen, with the rules
  Rewards rewards;
  int random_plies = 0;   // most random moves at the start of a game, to see more of it
  bool symmetry = false;  // positions are seen in one of their images, drawn at random
  // For each game who has the other side: "self", who then sees the positions of both sides,
  // "random", or any other player.
  std::vector<std::string> against;
  std::vector<Shaping> shaping = {};
  double discount = 1;        // of what is gained by shaping, the same as the learner's
  bool show_illegal = false;  // observe() marks moves that are not legal, too
};

// What observe() says of an action: 0 is one that the position does not ask for.
inline constexpr std::uint8_t kLegal = 1, kIllegal = 2;

// What came of a move.
struct MoveMade {
  float reward = 0;
  bool over = false;     // what is seen next belongs to a new game
  bool turned = false;   // what is seen next is seen by the other side
  bool setup = false;    // it set the game up and is no ply of play, as in a draft
  bool illegal = false;  // it was not made, but one at random in its place
  // Of a game that is over.
  bool cut = false;            // a draw by the limit on plies
  std::int8_t own_result = 0;  // of the side that made the move: 1 win, 0 draw, -1 loss
  std::int8_t result = 0;      // of the side that moved first: 1 win, 0 draw, -1 loss
  std::uint32_t plies = 0;
};

// All chance comes from the streams that are handed in. Different games may be used by different
// threads, unless they are against a player.
class GamesInPlay {
 public:
  virtual ~GamesInPlay() = default;

  // To be called once for each game, or restore().
  virtual void begin(std::size_t game, RandomStream& random) = 0;
  // What the side that must choose sees, kLegal at each action that it may choose and, where they
  // are to be shown, kIllegal at the others that stand for a move of the same kind.
  virtual void observe(std::size_t game, std::span<float> input,
                       std::span<std::uint8_t> legal) const = 0;
  // Whether the next move sets the game up, as in a draft.
  virtual bool sets_up(std::size_t game) const = 0;
  // Plays an action that is legal, as observe() shows it; any other counts as illegal.
  virtual MoveMade play(std::size_t game, int action, RandomStream& random) = 0;

  // Where a game stands, as numbers, and back.
  virtual std::vector<std::int32_t> record(std::size_t game) const = 0;
  virtual Status restore(std::size_t game, std::span<const std::int32_t> record) = 0;
};

}  // namespace damier::learn
