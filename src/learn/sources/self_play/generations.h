// Learning by play: generations of games of a network against itself, each followed by lessons from
// the games of the last few generations.
//
// A run that is stopped or killed goes on from its last whole generation, or from the games of the
// one that it was in, and ends with the same bits as one that was left alone.
#pragma once

#include "damier/learn/train/training_run.h"

namespace damier::learn {

// Runs a recipe with self_play, or goes on where the folder's checkpoint is. A generation is told
// to `options.on_epoch` as an epoch.
Result<TrainingResult> learn_by_play(const Recipe& recipe, Seed seed, ThreadPool& pool,
                                     const nn::Provenance& provenance = {},
                                     const TrainingOptions& options = {});

}  // namespace damier::learn
