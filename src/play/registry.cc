#include "damier/play/registry.h"

#include <cassert>

#include "damier/games/builtin.h"

namespace damier::play {

std::shared_ptr<const Toolkit> Registry::toolkit(std::shared_ptr<const games::AnyGame> game) const {
  for (std::size_t i = 0; i < entries().size(); ++i) {
    if (entries()[i].facts.name == game->facts().name) return toolkits_[i](std::move(game));
  }
  assert(false && "a game of another registry");
  return nullptr;
}

// Each game meets the searches in a file of its own: together they take a compiler minutes.
Registry builtin_games() {
  Registry registry;
  games::for_each_game(games::BuiltinGames(), [&]<class G>() { registry.add<G>(); });
  return registry;
}

}  // namespace damier::play
