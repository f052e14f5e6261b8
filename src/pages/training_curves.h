// The curves of a training as figures: losses, what was measured and, of learning by play, strength
// and games.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/play/ratings/ratings.h"
#include "damier/report/page.h"
#include "damier/store/store.h"

namespace damier::pages {

// A figure that tells more of the machine than of the run.
bool is_speed(std::string_view name);

// What a training counts: "epoch", or "generation" of learning by play.
std::string_view counted_unit(const Run& run);

// Strengths from the games that measured a network that learns by play: those of "generation 8" or
// "epoch 8" and of its opponents, above the weakest there is: "random", or else the first network
// or the first opponent. None without such games.
std::optional<play::RatingTable> rated_generations(std::span<const GameRow> games);

// A stored training with what it left.
struct StoredTraining {
  Run run;
  std::vector<MetricRow> metrics;
  std::vector<GameRow> games;  // those that measured a network that learns by play

  std::string name() const;  // "fanorona-q 3f2a9c01"
};

// Without blocks when there is no curve. `games` are those that measured a network that learns by
// play.
report::Section training_curves(const Run& run, const std::vector<MetricRow>& metrics,
                                std::span<const GameRow> games);
// One figure for everything that was measured, with a curve of each training that has it.
report::Section compared_curves(std::span<const StoredTraining> trainings);

}  // namespace damier::pages
