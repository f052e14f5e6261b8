// A match between two players in one call, for programs; docs/library.md shows it.
#pragma once

#include <variant>

#include "damier/play/contest/contest.h"
#include "damier/play/registry.h"

namespace damier::play {

// Who plays: a text as on the command line ("uct:1000"), or a name and what makes players of it.
using Entrant = std::variant<std::string, OpenedPlayer>;

struct MatchOptions {
  std::int64_t games = 100;  // even: every opening is played twice, with the sides swapped
  int opening_plies = 2;     // played at random before the players take over
  Seed seed = Seed{1};       // decides all games, whatever the number of threads
  int threads = available_threads();
  games::OptionValues rules = {};
  // Hears of each game that is done, one at a time; false ends the match.
  std::function<bool(const GameRow&)> on_game = {};
};

// As the first player saw it.
struct MatchResult {
  Record record;
  Estimate score;  // points a game, with its 95 % interval
  EloDifference elo;
  std::vector<GameRow> games;  // all but those that an interrupt, or on_game, left out
};

Result<MatchResult> play_match(const Registry& registry, std::string_view game,
                               const Entrant& player, const Entrant& opponent,
                               const MatchOptions& options = {});

}  // namespace damier::play
