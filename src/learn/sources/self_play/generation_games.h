// The games of one generation: they follow from the recipe, the seed, the generation and the
// weights that play, so it does not matter when they are played, and by whom.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "damier/learn/rows/data_set.h"
#include "damier/learn/sources/self_play/shared_games.h"

namespace damier::learn {

struct GenerationGames {
  DataSet rows;
  SelfPlayFigures figures;
  bool from_file = false;  // played before, by a run that was stopped later in the generation
};

// What the rows of a generation are of, for their file.
Json generation_info(const Recipe& recipe, Seed seed, int generation);

// Plays the games of a generation and keeps their rows in `file`, or takes those that are there;
// an empty name keeps them in memory. `tell` hears how many games are over, with how many
// simulations.
Result<GenerationGames> generation_games(
    const SharedGames& games, int generation, const PlayingNetwork& network,
    const std::filesystem::path& file,
    const std::function<void(std::uint64_t games, std::uint64_t simulations)>& tell);

}  // namespace damier::learn
