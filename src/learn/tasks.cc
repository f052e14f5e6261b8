#include "damier/learn/tasks.h"

#include <algorithm>

#include "damier/base/text/text.h"
#include "damier/games/builtin.h"
#include "damier/learn/game_task.h"
#include "damier/learn/minesweeper/board_task.h"
#include "damier/learn/minesweeper/patch_task.h"

namespace damier::learn {

Tasks& Tasks::add(std::shared_ptr<const Task> task) {
  if (!find(task->name())) tasks_.push_back(std::move(task));
  return *this;
}

Tasks& Tasks::add(const Task& task) {
  return add(std::shared_ptr<const Task>(std::shared_ptr<void>(), &task));
}

std::vector<std::string> Tasks::names() const {
  std::vector<std::string> names;
  for (const auto& task : tasks_) names.emplace_back(task->name());
  return names;
}

Result<std::shared_ptr<const Task>> Tasks::find(std::string_view name) const {
  for (const auto& task : tasks_) {
    if (task->name() == name) return task;
  }
  return unknown_name("task", name, names());
}

// One for each game of two players, and what the folders of games add to that.
Tasks builtin_tasks() {
  Tasks tasks;
  games::for_each_game(games::BuiltinGames(), [&]<class G>() { add_game_task<G>(tasks); });
  tasks.add(minesweeper_board_task()).add(minesweeper_patch_task());
  return tasks;
}

}  // namespace damier::learn
