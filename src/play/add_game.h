// Adding a game to a registry. Apart from play/registry.h because here a game's type meets every
// search and solver, which takes a compiler long.
#pragma once

#include <memory>
#include <utility>

#include "damier/model/encoder_impl.h"
#include "damier/play/registry.h"
#include "damier/play/toolkit_impl.h"

namespace damier::play {

template <games::PlayableGame G>
Registry& Registry::add() {
  games::Registry::add<G>();
  toolkits_.emplace_back([](std::shared_ptr<const games::AnyGame> game) {
    return std::make_shared<detail::ToolkitOf<G>>(std::move(game));
  });
  return *this;
}

}  // namespace damier::play
