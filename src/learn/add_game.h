// Adding a game to a registry. Apart from learn/registry.h because here a game's type meets every
// search and solver, which takes a compiler long.
#pragma once

#include "damier/learn/game_task_impl.h"
#include "damier/learn/registry.h"
#include "damier/play/add_game.h"

namespace damier::learn {

template <games::PlayableGame G>
Registry& Registry::add() {
  play::Registry::add<G>();
  add_game_task<G>(tasks_);
  return *this;
}

}  // namespace damier::learn
