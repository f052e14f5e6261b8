#include "damier/learn/registry.h"

#include "damier/games/builtin.h"

namespace damier::learn {

void Registry::add_tasks(const Tasks& tasks) {
  for (const auto& task : tasks.all()) tasks_.add(task);
}

// Each game meets the searches in a file of its own: together they take a compiler minutes.
Registry builtin_games() {
  Registry registry;
  registry.add_tasks(builtin_tasks());
  games::for_each_game(games::BuiltinGames(), [&]<class G>() { registry.add<G>(); });
  return registry;
}

}  // namespace damier::learn
