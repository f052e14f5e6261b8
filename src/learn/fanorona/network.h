// What a network says about a position of fanoron-telo: how good each move is, and who will win.
#pragma once

#include <span>
#include <vector>

#include "damier/games/fanorona/fanorona.h"
#include "damier/learn/model/model.h"
#include "damier/learn/task.h"
#include "damier/search/evaluator.h"

namespace damier::learn {

// Which heads of a network say what; -1 where none does.
struct FanoronaHeads {
  int policy = -1;  // 18: departures then arrivals
  int moves = -1;   // 81 logits: 9 * from + to
  int value = -1;
  bool policy_is_logits = true;

  // A network must say something of the moves.
  static Result<FanoronaHeads> find(const nn::NetworkSpec& spec);

  // Of row `row` of the outputs. Differences are those of logarithms of probabilities: a move's
  // own, or that of its departure times that of its arrival.
  float score(const JudgedModel::Outputs& outputs, std::size_t row,
              games::fanorona::Move move) const;
};

// A network as a tree search's evaluator; each copy has buffers of its own.
class FanoronaNetwork {
 public:
  using Game = games::fanorona::Fanorona;
  static constexpr bool kGivesPriors = true;

  static Result<FanoronaNetwork> open(const std::string& path);

  // Fills `priors` with the probabilities of the moves, which are all legal ones. The value is 0
  // where the network has no such head.
  search::Evaluation evaluate(const Game& game, const Game::State& state,
                              std::span<const Game::Move> moves, std::span<float> priors,
                              RandomStream& random);
  bool knows_value() const { return heads_.value >= 0; }

 private:
  FanoronaNetwork(Predictor predictor, FanoronaHeads heads, std::string encoder);

  Predictor predictor_;
  FanoronaHeads heads_;
  std::string encoder_;
  std::vector<float> inputs_;
};

}  // namespace damier::learn
