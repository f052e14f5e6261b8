// Learning by reward: a network plays many games at once, learns from what came of its moves, and
// plays on.
//
// A run that is stopped or killed goes on from its last checkpoint and ends with the same bits as
// one that was left alone, on any number of threads.
#pragma once

#include "damier/learn/train/training_run.h"

namespace damier::learn {

// Runs a recipe with reinforcement, or goes on where the folder's checkpoint is.
Result<TrainingResult> learn_by_reward(const Recipe& recipe, Seed seed, ThreadPool& pool,
                                       const nn::Provenance& provenance = {},
                                       const TrainingOptions& options = {});

}  // namespace damier::learn
