// The games by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "damier/games/any_game.h"

namespace damier::games {

class Registry {
 public:
  // Another game, after those that are there; its name must be new.
  template <PlayableGame G>
  Registry& add() {
    entries_.push_back(game_entry<G>());
    return *this;
  }

  const std::vector<GameEntry>& entries() const { return entries_; }
  std::vector<std::string> names() const;
  Result<const GameEntry*> find(std::string_view name) const;
  Result<std::shared_ptr<const AnyGame>> make(std::string_view name,
                                              const OptionValues& options = {}) const;

 private:
  std::vector<GameEntry> entries_;
};

// The rules of the games that ship with Damier; play/registry.h adds the players.
Registry builtin_games();

}  // namespace damier::games
