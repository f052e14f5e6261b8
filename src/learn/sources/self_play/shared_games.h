// Games of self-play, played by this process and by those that it shares work with: what rank 0
// sends to the others so that they play its games, and how they do it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "damier/learn/train/recipe.h"
#include "damier/nn/network.h"

namespace damier::learn {

// The kind of work, for Ranks::serve().
inline constexpr std::string_view kSelfPlayWork = "self-play";
Result<Worker> self_play_worker(std::string_view order, const Tasks& tasks, ThreadPool& pool);

// A network that plays, here and elsewhere.
struct PlayingNetwork {
  std::unique_ptr<model::Predictor> predictor;
  std::function<Result<std::string>()> weights;  // as a file
};
template <class T>
PlayingNetwork playing_network(const Recipe& recipe, std::shared_ptr<const nn::Network<T>> weights);

// The games that a recipe asks for.
class SharedGames {
 public:
  SharedGames(const Recipe& recipe, Seed seed, ThreadPool& pool, Ranks& ranks)
      : recipe_(recipe), own_(*recipe.self_play), seed_(seed), pool_(pool), ranks_(ranks) {}

  const Recipe& recipe() const { return recipe_; }
  Seed seed() const { return seed_; }

  // All games of a generation, their rows in the order of their numbers. `tell` hears how many are
  // over, with how many simulations.
  Result<SelfPlayFigures> play(
      int generation, const PlayingNetwork& network, RowSink& rows,
      const std::function<void(std::uint64_t games, std::uint64_t simulations)>& tell) const;
  // A match of the network against another one, or against an opponent by name.
  Result<MatchCounts> match(int generation, const PlayingNetwork& network,
                            const PlayingNetwork& opponent, int games) const;
  Result<MatchCounts> match(int generation, const PlayingNetwork& network,
                            const std::string& opponent, int games) const;

 private:
  struct Order;
  Result<SharedWork> work_of(const Order& order, Result<Worker> worker) const;
  Result<MatchCounts> match_against(int generation, const PlayingNetwork& network,
                                    const PlayingNetwork* opponent, const std::string& name,
                                    int games) const;

  const Recipe& recipe_;
  const SelfPlayRecipe& own_;
  Seed seed_;
  ThreadPool& pool_;
  Ranks& ranks_;
};

}  // namespace damier::learn
