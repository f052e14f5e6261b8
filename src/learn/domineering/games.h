// Games of Domineering whose positions are learnt from: who plays them, on which boards, and what
// the exact solver says of their positions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/base/result.h"
#include "damier/exact/domineering/solver.h"
#include "damier/games/domineering/domineering.h"
#include "damier/learn/game_task.h"

namespace damier::learn::domineering {

using games::domineering::CellSet;
using games::domineering::Domineering;
using games::domineering::Move;
using games::domineering::State;

// A side's moves: those of a player by its text, or of "exact", which plays at random as long as
// many cells are free.
using MoveChoice = std::function<Move(const games::History<Domineering>&, RandomStream&)>;

struct GamesPlan {
  Seed seed = Seed{1};
  std::vector<std::string> players;  // each side of each game is one of them, by lot
  double noise = 0;                  // the share of moves at random instead
  int opening = 0;                   // games begin with up to so many moves at random
  double smaller = 0;                // the share of games on smaller boards, from 4x4 on
  // Shares of positions that become rows. Labels take long where many cells are free, so `early`
  // falls to a third with every four cells more; `late` holds once half of the cells are taken.
  double early = 1;
  double late = 1;
  bool one = false;  // the lesson names one move only
};

// The names in a text, separated by spaces; an error for one that is none.
Result<std::vector<std::string>> parse_players(std::string_view text);

// Plays and labels; one for each thread. A game follows from the plan and its number alone.
class TaughtGames {
 public:
  // An error when a network cannot be read.
  static Result<TaughtGames> make(const Domineering& game, const GamesPlan& plan);

  // Boards are laid into that of the game, the cells outside as taken.
  std::vector<Taught<Domineering>> play(std::uint64_t number);

 private:
  TaughtGames(const Domineering& game, const GamesPlan& plan);

  State start(RandomStream& random) const;
  bool is_wanted(const State& state, int cells_at_start, RandomStream& random) const;
  std::optional<Lesson<Domineering>> lesson(const State& state, RandomStream& random);
  // Without the move that it names, nor the hardest ones.
  std::optional<Lesson<Domineering>> full_lesson(const State& state);
  std::optional<Lesson<Domineering>> opening_lesson(const State& state);
  // Of a lost position: what takes long to refute, where counting all answers would take too long.
  std::vector<Move> stubborn_moves(const State& state);

  Domineering game_;
  GamesPlan plan_;
  // It keeps its table: what it says does not depend on that, only how fast.
  std::shared_ptr<exact::domineering::DomineeringSolver> solver_;
  std::shared_ptr<exact::domineering::DomineeringSolver> forgetful_;  // small: to count nodes
  std::unordered_map<std::uint64_t, Lesson<Domineering>> openings_;   // by the hash of the position
  std::vector<MoveChoice> players_;
};

}  // namespace damier::learn::domineering
