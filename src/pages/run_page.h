// A stored run as a page: the curves and the figures of a training, the score of a match, the
// ratings of a tournament.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "damier/games/any_game.h"
#include "damier/pages/training_curves.h"
#include "damier/report/page.h"
#include "damier/store/store.h"

namespace damier::pages {

// The players of a match, a tournament or an evaluation, as they were asked for.
std::vector<std::string> players_of(const Run& run);

// `metrics` and `games` are those of the run; with `game` some of the games are drawn.
report::Page run_page(const Run& run, const std::vector<MetricRow>& metrics,
                      std::span<const GameRow> games, const games::AnyGame* game = nullptr);
// Several trainings beside each other.
report::Page trainings_page(std::span<const StoredTraining> trainings);

}  // namespace damier::pages
