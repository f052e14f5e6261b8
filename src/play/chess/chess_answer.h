// What chess engines say, as an answer: mates in moves become plies, moves without a line follow.
#pragma once

#include <algorithm>
#include <optional>

#include "damier/games/chess/chess.h"
#include "damier/search/answer.h"

namespace damier::play {

// Of a mate in this many moves; below 0: being mated.
constexpr games::Known known_of_mate(std::optional<int> mate) {
  if (!mate || *mate == 0) return {};
  if (*mate > 0) return {games::Verdict::win, 2 * *mate - 1};
  return {games::Verdict::loss, -2 * *mate};
}

// The legal moves that an engine said nothing of.
inline void add_other_moves(search::Answer<games::chess::Move>& answer,
                            const games::History<games::chess::Chess>& history) {
  for (const games::chess::Move move : history.game().legal_moves(history.state())) {
    const auto is_it = [&](const auto& other) { return other.move == move; };
    if (std::none_of(answer.moves.begin(), answer.moves.end(), is_it)) {
      answer.moves.push_back({move});
    }
  }
}

}  // namespace damier::play
