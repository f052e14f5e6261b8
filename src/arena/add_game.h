// Adding a game to a registry. Apart from arena/registry.h because here a game's type meets every
// search and solver, which takes a compiler long.
#pragma once

#include <memory>
#include <utility>

#include "damier/arena/registry.h"
#include "damier/arena/toolkit_impl.h"
#include "damier/learn/game_task_impl.h"

namespace damier::arena {

template <games::PlayableGame G>
Registry& Registry::add() {
  games::Registry::add<G>();
  learn::add_game_task<G>(tasks_);
  toolkits_.emplace_back([](std::shared_ptr<const games::AnyGame> game) {
    return std::make_shared<detail::ToolkitOf<G>>(std::move(game));
  });
  return *this;
}

}  // namespace damier::arena
