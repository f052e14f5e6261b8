// The tasks of the games that ship: the one list of them.

#include "damier/games/bremen/bremen.h"
#include "damier/games/chess/chess.h"
#include "damier/games/domineering/domineering.h"
#include "damier/learn/fanorona/task.h"
#include "damier/learn/game_task.h"
#include "damier/learn/minesweeper/board_task.h"
#include "damier/learn/minesweeper/patch_task.h"
#include "damier/learn/tasks.h"

namespace damier::learn {

Tasks builtin_tasks() {
  Tasks tasks;
  tasks.add(fanorona_task())
      .add(game_task<games::bremen::Bremen>())
      .add(minesweeper_board_task())
      .add(minesweeper_patch_task())
      .add(game_task<games::chess::Chess>())
      .add(game_task<games::domineering::Domineering>());
  return tasks;
}

}  // namespace damier::learn
