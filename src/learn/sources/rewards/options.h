// How a network learns by reward, as the object "reinforcement" of a recipe says it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "damier/learn/sources/rewards/games_in_play.h"

namespace damier::learn {

// Q-learning, actor-critic, and policy gradient with clipping.
enum class ReinforcementMethod : std::uint8_t { q, a2c, ppo };
inline constexpr std::array<std::string_view, 3> kReinforcementMethods = {"q", "a2c", "ppo"};

// A number that changes evenly over a share of the run, and then stays.
struct Fading {
  double first = 0;
  double last = 0;
  double share = 1;

  // `done` is the share of the run that is over.
  double at(double done) const {
    return done >= share ? last : first + (last - first) * done / share;
  }
};

// Mistakes that people make in Q-learning, to see what they cost (docs/bremen.md).
struct Faults {
  bool no_end = false;          // the value of a next position counts after the end, too
  bool illegal_maxima = false;  // the best next move is taken among illegal ones, too
  bool same_sign = false;       // the opponent's values count as one's own
};
inline constexpr std::array<std::string_view, 3> kFaults = {"no_end", "illegal_maxima",
                                                            "same_sign"};

struct ReinforcementOptions {
  ReinforcementMethod method = ReinforcementMethod::q;
  int games = 64;                               // at once
  int moves = 1;                                // of each game, between two lessons
  std::vector<std::string> against = {"self"};  // the games take turns
  int random_plies = 0;
  Rewards rewards;
  std::vector<Shaping> shaping;
  double discount = 0.99;  // of the value of the next position

  // q: moves are drawn from the last `replay` of them, once `begin` of them were made.
  std::uint64_t replay = 50'000;
  std::uint64_t begin = 1000;
  double reuse = 4;                 // how often a move is learnt from, about
  Fading epsilon = {1, 0.05, 0.5};  // the share of moves at random
  Fading temperature = {0, 0, 1};   // of values when a move is drawn by them; 0: the best
  int look_ahead = 1;               // moves whose rewards count as they came
  bool double_q = true;             // the network chooses the next move, the target values it
  int target_every = 100;           // lessons, after which the target network is renewed
  double priority = 0;              // exponent of the errors; 0: moves are drawn evenly
  Fading correction = {0.4, 1, 1};  // exponent of the weights that make up for it
  bool huber = true;                // errors beyond 1 count linearly
  // Moves that set the game up (a draft) are worth the result of the game, once that is known.
  bool draft_by_result = false;
  // They are chosen among legal ones; otherwise any may be chosen, and illegal ones are punished.
  bool draft_mask = true;
  // What the limit on plies ends is drawn; otherwise the last move of such a game teaches nothing,
  // as the limit is not among what a network sees.
  bool limit_draws = true;
  Faults faults;

  // a2c and ppo.
  double lambda = 0.95;  // 1: all rewards of a round count as they came; 0: only the next
  Fading entropy = {0.01, 0.01, 1};  // a reward for not being sure
  double value_weight = 0.5;
  bool normalise = true;  // advantages to mean 0 and deviation 1
  // ppo.
  double clip = 0.2;
  int passes = 4;  // over the moves of a round

  // Of all games.
  std::uint64_t moves_of_round() const {
    return static_cast<std::uint64_t>(games) * static_cast<std::uint64_t>(moves);
  }
  // Moves of each game that an experience must hold, and one position more.
  std::size_t times_to_keep() const {
    const auto round = static_cast<std::size_t>(moves);
    if (method != ReinforcementMethod::q) return round + 1;
    const auto at_once = static_cast<std::uint64_t>(games);
    const auto least = std::max(round, static_cast<std::size_t>(look_ahead));
    return std::max(static_cast<std::size_t>((replay + at_once - 1) / at_once), least) + 1;
  }
  // The optimiser's steps after `moves_made` moves of all games.
  std::int64_t lessons_after(std::uint64_t moves_made, int batch) const {
    if (method == ReinforcementMethod::q) {
      const std::uint64_t first = std::max(
          begin, static_cast<std::uint64_t>(games) * static_cast<std::uint64_t>(look_ahead));
      if (moves_made <= first) return 0;
      return static_cast<std::int64_t>(reuse * static_cast<double>(moves_made - first) / batch);
    }
    const auto rounds = static_cast<std::int64_t>(moves_made / moves_of_round());
    if (method == ReinforcementMethod::a2c) return rounds;
    const auto size = static_cast<std::uint64_t>(batch);
    return rounds * passes * static_cast<std::int64_t>((moves_of_round() + size - 1) / size);
  }
};

}  // namespace damier::learn
