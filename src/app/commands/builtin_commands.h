// What the games that ship offer to the commands: the one list of them in this room.
#pragma once

#include "damier/app/game_commands.h"

namespace damier::app {

std::unique_ptr<GameCommands> bremen_commands();
std::unique_ptr<GameCommands> chess_commands();
std::unique_ptr<GameCommands> domineering_commands();
std::unique_ptr<GameCommands> fanorona_commands();
std::unique_ptr<GameCommands> minesweeper_commands();

inline GameCommandsList builtin_commands() {
  GameCommandsList list;
  list.add(fanorona_commands());
  list.add(bremen_commands());
  list.add(minesweeper_commands());
  list.add(chess_commands());
  list.add(domineering_commands());
  return list;
}

}  // namespace damier::app
