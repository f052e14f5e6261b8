// The players that pages may ask, opened once and kept: a network's weights are not read again for
// every move.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "damier/play/players/players.h"
#include "damier/play/registry.h"

namespace damier::app::serve {

// An error where a page may not ask for such a player: one that would run a program or read a file
// of its choice, or take memory without measure. Models that were trained here may be named unless
// the server is public.
Status check_player(std::string_view text, bool is_public);

// A game and a player of it; for any thread.
class PlayerShelf {
 public:
  PlayerShelf(const play::Registry& registry, bool is_public)
      : registry_(registry), is_public_(is_public) {}

  std::shared_ptr<const play::Toolkit> toolkit(const std::shared_ptr<const games::AnyGame>& game);

  struct Asked {
    std::shared_ptr<const play::Toolkit> toolkit;
    std::string name;
    std::unique_ptr<play::Player> player;
  };
  // An empty text is the strongest player of the game.
  Result<Asked> ask(const std::shared_ptr<const games::AnyGame>& game, std::string_view text);

 private:
  struct Kept {
    std::string key;
    std::shared_ptr<const play::Toolkit> toolkit;
    std::shared_ptr<const play::OpenedPlayer> player;  // null: the toolkit alone
  };
  // What is kept under a key moves to the front; nothing where there is none.
  std::optional<Kept> find(const std::string& key);
  void keep(Kept kept);

  const play::Registry& registry_;
  bool is_public_;
  std::mutex mutex_;
  std::list<Kept> kept_;  // guarded by mutex_, the last used first
};

}  // namespace damier::app::serve
