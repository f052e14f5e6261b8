// Rewards as a source: a network plays many games at once, learns from what came of its moves, and
// plays on. A step of the source is a round of moves with the lessons that are due after it.
#pragma once

#include "damier/learn/sources/source.h"
#include "damier/learn/train/learner.h"

namespace damier::learn {

template <class T>
Result<std::unique_ptr<Source<T>>> reward_source(Learner<T>& learner);

}  // namespace damier::learn
