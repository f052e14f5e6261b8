// A game that was played, move by move: what each was worth, and what was better.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "damier/app/context.h"
#include "damier/games/saved_game.h"
#include "damier/play/analysis/played_game.h"

namespace damier::app {

// A file for the game with remarks, in the game's own format.
struct AnnotatedFile {
  std::string output;
  std::optional<std::string> original;  // a file in that format, from which the game is
  std::int64_t number = 1;              // which of its games
};

// Prints a row for each move as soon as it is known, then how each side did; returns the exit code.
// `player` evaluates the positions: the strongest one of the game if none is given. `title` says
// the players, `source` where the game is from; both may be empty.
Result<int> analyze_played_game(const Context& context, const games::SavedGame& game,
                                const std::string& title, const std::string& source,
                                const std::optional<std::string>& player,
                                const std::optional<AnnotatedFile>& annotated = {});

// By a player, or by what the game says itself where something is hidden.
void judge_played_game(const Context& context, play::PlayedGame& game, const play::Toolkit& toolkit,
                       const play::PlayerFactory& make, Seed seed, ThreadPool& pool,
                       const play::PlayedGame::OnMove& on_move);

// A move that was judged, and {"game", "moves": those judged so far, "sides": how each did}.
Json played_move_json(const play::PlayedGame& game, std::size_t i);
Json played_game_json(const play::PlayedGame& game);

}  // namespace damier::app
