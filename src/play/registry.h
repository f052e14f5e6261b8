// The games by name, each with its toolkit: one line adds a game, and every command knows it.
#pragma once

#include "damier/base/files/bytes.h"
#include "damier/games/registry.h"
#include "damier/play/toolkit.h"

namespace damier::play {

class Registry : public games::Registry {
 public:
  // Another game, after those that are there; its name must be new. Include play/add_game.h.
  template <games::PlayableGame G>
  Registry& add();

  // For a game that this registry made.
  std::shared_ptr<const Toolkit> toolkit(std::shared_ptr<const games::AnyGame> game) const;

 private:
  using MakeToolkit =
      std::function<std::shared_ptr<const Toolkit>(std::shared_ptr<const games::AnyGame>)>;
  std::vector<MakeToolkit> toolkits_;  // in the order of entries()
};

// The games that ship with Damier.
Registry builtin_games();

// A game with its rules in a message to another process, by name.
void send_game(ByteWriter& bytes, const games::AnyGame& game);
Result<std::shared_ptr<const Toolkit>> sent_game(ByteReader& bytes, const Registry& registry);

}  // namespace damier::play
