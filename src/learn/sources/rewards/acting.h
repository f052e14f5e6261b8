// A network that plays many games at once and writes down what happens: one call of the network
// answers a move of all games of a thread. Games depend on their numbers, the seed and the weights
// alone, not on the number of threads.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "damier/base/parallel/threads.h"
#include "damier/learn/sources/rewards/experience.h"
#include "damier/learn/sources/rewards/options.h"
#include "damier/learn/task.h"
#include "damier/model/predictor.h"

namespace damier::learn {

// How a move follows from what the network says of the actions.
struct Choosing {
  double epsilon = 0;        // the share of moves at random
  double temperature = 0;    // moves are drawn by the softmax of scores over it; 0: the best one
  bool illegal_too = false;  // those that are marked as illegal take part, but not at random
};

struct Choice {
  int action = 0;
  // By the softmax of the scores, also of a move at random; 0 where the best move is played.
  float log_probability = 0;
};
Choice choose(std::span<const float> scores, std::span<const std::uint8_t> legal,
              const Choosing& choosing, RandomStream& random);

// Of the games that came to their end.
struct PlayFigures {
  std::uint64_t games = 0, plies = 0, draws = 0, first_wins = 0;
  std::uint64_t cuts = 0;     // draws by the limit on plies
  std::uint64_t illegal = 0;  // moves of all games

  void add(const PlayFigures& other);
};

template <class T>
class Actors {
 public:
  // The network has a head "moves" and, if any, one "value".
  static Result<std::unique_ptr<Actors>> make(const Task& task, const nn::NetworkSpec& spec,
                                              const std::string& encoder, bool symmetry,
                                              const ReinforcementOptions& options, Seed seed,
                                              ThreadPool& pool);

  // New games, and what is seen of them at time 0.
  void begin(Experience& experience);
  // Plays `moves` moves of every game with the network's weights, from now() on; the caller
  // advances the time. Nothing if it was interrupted, and then there is no going on from here.
  std::optional<PlayFigures> play(const nn::Network<T>& network, const Choosing& choosing,
                                  Experience& experience, Time moves);

  // Where the games stand, as tensors, and back.
  static constexpr std::string_view kPrefix = "games.";
  void write(nn::TensorFile& file) const;
  Status read(const nn::TensorFile& file);

 private:
  // What one thread plays at a time: games [first, first + count).
  struct Part {
    std::size_t first = 0, count = 0;
    std::unique_ptr<GamesInPlay> games;
    std::unique_ptr<nn::Network<T>> network;
    std::unique_ptr<model::Predictor> predictor;
    std::vector<float> inputs;
    std::vector<RandomStream> random;  // by game
    PlayFigures figures;
  };

  Actors(const ReinforcementOptions& options, Seed seed, ThreadPool& pool)
      : options_(options), seed_(seed), pool_(pool) {}
  void ask(Part& part, const Experience& experience, Time time) const;
  void note(Part& part, std::size_t game, Experience& experience, Time time, int action,
            const MoveMade& made) const;
  bool play_part(Part& part, const Choosing& choosing, Experience& experience, Time moves) const;

  const ReinforcementOptions& options_;
  Seed seed_;
  ThreadPool& pool_;
  std::size_t moves_head_ = 0;
  int value_head_ = -1;
  std::vector<Part> parts_;
};

}  // namespace damier::learn
