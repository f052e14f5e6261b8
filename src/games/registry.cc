#include "damier/games/registry.h"

#include "damier/base/text/text.h"
#include "damier/games/builtin.h"

namespace damier::games {

Registry builtin_games() {
  Registry registry;
  for_each_game(BuiltinGames(), [&]<class G>() { registry.add<G>(); });
  return registry;
}

std::vector<std::string> Registry::names() const {
  std::vector<std::string> names;
  for (const GameEntry& entry : entries_) names.emplace_back(entry.facts.name);
  return names;
}

Result<const GameEntry*> Registry::find(std::string_view name) const {
  for (const GameEntry& entry : entries_) {
    if (entry.facts.name == name) return &entry;
  }
  return unknown_name("game", name, names());
}

Result<std::shared_ptr<const AnyGame>> Registry::make(std::string_view name,
                                                      const OptionValues& options) const {
  const auto entry = TRY(find(name));
  return entry->make(options);
}

}  // namespace damier::games
