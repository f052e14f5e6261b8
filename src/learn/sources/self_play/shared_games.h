// Games of self-play, played by this process and by those that it shares work with: what rank 0
// sends to the others so that they play its games, and how they do it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "damier/learn/train/recipe.h"
#include "damier/nn/network.h"

namespace damier::learn {

// A file in a run's folder whose name begins so holds games.
inline constexpr std::string_view kGamesFile = "games-";

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

// The games of one generation: they follow from the recipe, the seed, the generation and the
// weights that play, so it does not matter when and where they are played.
struct GenerationGames {
  DataSet rows;
  SelfPlayFigures figures;
};
// The games of a file, if they are those that `info` describes and whole; a run that was killed
// while it wrote them plays them again.
std::optional<GenerationGames> kept_games(const std::filesystem::path& file, const Json& info);
Status write_games(const std::filesystem::path& file, const GenerationGames& games, Json info);

// The games that a recipe asks for.
class SharedGames {
 public:
  using Tell = std::function<void(std::uint64_t games, std::uint64_t simulations)>;

  SharedGames(const Recipe& recipe, Seed seed, ThreadPool& pool, Ranks& ranks)
      : recipe_(recipe), own_(*recipe.self_play), seed_(seed), pool_(pool), ranks_(ranks) {}

  // All games of a generation, their rows in the order of their numbers. `tell` hears how many are
  // over, with how many simulations.
  Result<SelfPlayFigures> play(int generation, const PlayingNetwork& network, RowSink& rows,
                               const Tell& tell) const;
  // A match of the network against another one or, where that is null, against the player `name`.
  Result<MatchCounts> match(int generation, const PlayingNetwork& network,
                            const PlayingNetwork* opponent, const std::string& name,
                            int games) const;

 private:
  SelfPlayGames games_of(int generation, int count) const {
    return {own_.encoder, seed_, static_cast<std::uint64_t>(generation), 0,
            static_cast<std::uint64_t>(count)};
  }
  Result<SharedWork> work_of(std::uint64_t generation, Result<Worker> worker, bool match,
                             const std::string& name,
                             std::initializer_list<const PlayingNetwork*> networks) const;

  const Recipe& recipe_;
  const SelfPlayRecipe& own_;
  Seed seed_;
  ThreadPool& pool_;
  Ranks& ranks_;
};

}  // namespace damier::learn
