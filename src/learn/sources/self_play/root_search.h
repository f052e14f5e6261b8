// Which move of the root a self-play search looks at next, which one it plays, and what it teaches.
//
// Two ways: by Gumbel noise and sequential halving (Danihelka et al., 2022), which needs few
// simulations, or by visits with Dirichlet noise and a temperature (AlphaZero's).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/games/known.h"

namespace damier::learn {

enum class RootKind : std::uint8_t { gumbel, visits };

struct RootOptions {
  RootKind kind = RootKind::gumbel;
  int simulations = 32;
  int considered = 16;         // gumbel: number of moves tried
  double noise = 0.25;         // visits: the share of noise in the priors
  double concentration = 10;   // visits: of the noise, shared out over the moves
  double temperature = 1;      // visits: moves are drawn by visits to the power of 1 / temperature
  int temperature_plies = 12;  // visits: from then on the best move is played
};

// What a tree knows of a move of its root.
struct RootMove {
  float prior = 0;
  std::uint32_t visits = 0;
  float mean = 0;  // of the results for the side to move; of a proven move its value
  games::Verdict proof = games::Verdict::unknown;

  bool open() const { return proof == games::Verdict::unknown; }
  bool known() const { return visits > 0 || !open(); }
};

class RootSearch {
 public:
  // `value` is what the network says of the root. With `explores` the search is one to learn from;
  // otherwise it plays as well as it can, without noise.
  RootSearch(const RootOptions& options, std::span<const RootMove> moves, float value,
             bool explores, RandomStream& random);

  // Noise for the root's priors, a number a move; nothing where this search needs none.
  std::span<const float> prior_noise() const { return prior_noise_; }
  double noise_share() const { return options_.noise; }

  // Whether there is more to simulate: nothing is left to find out of a root that is proven.
  bool goes_on(std::span<const RootMove> moves, int done) const;
  // The move that simulation number `done` must begin with; nothing where the tree may choose.
  std::optional<std::size_t> next(std::span<const RootMove> moves, int done) const;

  // The result expected of the root, from the search.
  float value(std::span<const RootMove> moves) const;
  // The move to play; `ply` counts from 0.
  std::size_t choice(std::span<const RootMove> moves, int ply, RandomStream& random) const;
  // What the network should think of the moves, with sum 1.
  void policy(std::span<const RootMove> moves, std::span<float> out) const;

 private:
  bool considers(const RootMove& move, std::size_t i) const;
  // How values weigh beside logarithms of priors, from what is known of all moves.
  struct Weighing {
    float mixed = 0;  // the value of a move that nothing is known of
    float scale = 0;
  };
  Weighing weighing(std::span<const RootMove> moves) const;
  // The prior and the value of a move in the measure of logarithms.
  float score(const Weighing& weighing, const RootMove& move, std::size_t i) const {
    const float mean = move.known() ? move.mean : weighing.mixed;
    return log_prior_[i] + weighing.scale * (mean + 1) / 2;
  }
  float noisy_score(const Weighing& weighing, const RootMove& move, std::size_t i) const {
    return score(weighing, move, i) + gumbel_[i];
  }

  RootOptions options_;
  float value_;
  bool explores_;
  std::vector<float> log_prior_;  // by move, as are the next two
  std::vector<float> gumbel_;     // noise
  std::vector<bool> considered_;
  std::vector<std::uint32_t> plan_;  // the visits that the move of each simulation has before it
  std::vector<float> prior_noise_;
};

}  // namespace damier::learn
