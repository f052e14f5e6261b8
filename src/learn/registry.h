// The games by name, each with its toolkit and what can be learnt of it: one line adds a game, and
// every command knows it.
#pragma once

#include "damier/learn/tasks.h"
#include "damier/play/registry.h"

namespace damier::learn {

class Registry : public play::Registry {
 public:
  // Another game, after those that are there; its name must be new. Include learn/add_game.h.
  template <games::PlayableGame G>
  Registry& add();

  // Each game of two players has a task of its name.
  const Tasks& tasks() const { return tasks_; }
  void add_tasks(const Tasks& tasks);

 private:
  Tasks tasks_;
};

// The games that ship with Damier.
Registry builtin_games();

}  // namespace damier::learn
