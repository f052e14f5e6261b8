// The tasks of the games that ship: one for each game of two players, and what the folders of games
// add to that.

#include "damier/games/builtin.h"
#include "damier/learn/bremen/task.h"
#include "damier/learn/chess/task.h"
#include "damier/learn/domineering/task.h"
#include "damier/learn/fanorona/task.h"
#include "damier/learn/game_task.h"
#include "damier/learn/minesweeper/board_task.h"
#include "damier/learn/minesweeper/patch_task.h"
#include "damier/learn/tasks.h"

namespace damier::learn {

Tasks builtin_tasks() {
  Tasks tasks;
  games::for_each_game(games::BuiltinGames(), [&]<class G>() { add_game_task<G>(tasks); });
  tasks.add(minesweeper_board_task()).add(minesweeper_patch_task());
  return tasks;
}

}  // namespace damier::learn
