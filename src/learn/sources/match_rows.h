// The games that measure a network in training, as a run keeps them.
#pragma once

#include <string>
#include <vector>

#include "damier/learn/sources/self_play/self_play.h"
#include "damier/store/store.h"

namespace damier::learn {

// The games of a match, numbered after those that are there. `epoch` counts the epochs before.
void add_match_rows(const MatchCounts& match, const std::string& network,
                    const std::string& opponent, int epoch, std::vector<GameRow>& rows);

}  // namespace damier::learn
