// Self-play as a source: an epoch is a generation, which begins with games of the network that was
// kept, and then takes steps on random positions of the last few generations' games.
#pragma once

#include <filesystem>

#include "damier/base/parallel/ranks.h"
#include "damier/learn/sources/source.h"
#include "damier/learn/train/learner.h"

namespace damier::learn {

// The games of generations that are still learnt from are kept in `folder`, for a run that goes
// on; an empty name keeps none. All must outlive the source.
template <class T>
Result<std::unique_ptr<Source<T>>> games_source(Learner<T>& learner, Ranks& ranks,
                                                const std::filesystem::path& folder);

// A file of that name in a run's folder holds games.
bool is_games_file(std::string_view name);

}  // namespace damier::learn
