// A player: something that chooses moves, and can say what it thinks of all of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/base/result.h"
#include "damier/games/any_game.h"
#include "damier/games/verdict.h"

namespace damier::search {
class Watch;
}

namespace damier::play {

using games::Verdict;

// What a player thinks of one legal move, as far as it knows: always for the side to move.
struct MoveView {
  games::Action action = {};
  std::optional<double> value;  // the expected result, from -1 to 1
  std::optional<int> score;     // hundredths of the heuristic's unit, of a player that counts in it
  std::optional<std::uint64_t> visits;
  std::optional<double> prior;
  Verdict exact = Verdict::unknown;
  std::optional<int> distance;  // plies to the end with best play, this move included
  // Expected wins, draws and losses in thousandths, of a player that tells them apart.
  std::optional<std::array<int, 3>> results;
  std::vector<games::Action> line;  // from this move on, where the player has one
};

struct View {
  std::vector<MoveView> moves;      // all legal moves, the best first
  std::vector<games::Action> line;  // the best line, each action legal after those before it
  std::uint64_t nodes = 0;
};

// The move number `best`, then the others: those that win before all else, short wins first, those
// that lose last; by visits and value otherwise.
void put_best_first(std::vector<MoveView>& moves, std::size_t best);
// The greatest prior first; all have one.
void sort_by_prior(std::vector<MoveView>& moves);
// A place among moves sorted like that: each weighs its prior to the power of 1 / temperature.
std::size_t drawn_by_prior(const std::vector<MoveView>& moves, double temperature,
                           RandomStream& random);

// Writes what is certain of each move beside what a player thinks of it.
void add_exact(View& view, const View& exact);
// Moves that win before all else, those that lose last; otherwise in the order that they have.
void put_certain_first(std::vector<MoveView>& moves);

// What the clocks of both sides show, in seconds, before a move; and what a move adds.
struct Clocks {
  std::array<double, 2> left = {};
  double increment = 0;
};

// A move with what the player says of it, for the side to move.
struct Choice {
  games::Action action = {};
  std::optional<int> score = {};  // hundredths of the heuristic's unit
  std::optional<int> mate = {};   // the win is so many moves of its own ahead; negative: the loss
};

// A player cannot go on: the program that it asks has crashed, for instance.
class PlayerError : public std::runtime_error {
 public:
  explicit PlayerError(const Error& error) : std::runtime_error(error.text()) {}
};

// choose() and view() throw PlayerError.
class Player {
 public:
  virtual ~Player() = default;
  // A legal action of a game that is not over. All chance comes from `random`.
  virtual games::Action choose(const games::Session& session, RandomStream& random) = 0;
  // The same, with its score; where there are clocks, a player that can reads them.
  virtual Choice choose_scored(const games::Session& session, RandomStream& random, const Clocks*) {
    return {choose(session, random)};
  }
  // So many of the best moves are what view() is asked for; players that look at all of them
  // equally well need not know.
  virtual void show_lines(int) {}
  // The same as a view of all moves; players that have none list the moves alone. Those that search
  // tell `watch` what they find meanwhile.
  virtual View view(const games::Session& session, RandomStream& random,
                    search::Watch* watch = nullptr);
};

}  // namespace damier::play
