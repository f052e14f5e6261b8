// Players by name. A player is a name with options ("random", later "uct:1000"), made by one
// factory that the terminal, matches and the server share.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/random.h"
#include "damier/base/result.h"
#include "damier/games/any_game.h"

namespace damier::arena {

class Player {
 public:
  virtual ~Player() = default;
  // A legal action of a game that is not over. All chance comes from `random`.
  virtual games::Action choose(const games::Session& session, RandomStream& random) = 0;
};

struct PlayerInfo {
  std::string_view name;
  std::string_view form;  // with its options
  std::string_view help;
};

// All players, `human` last.
std::span<const PlayerInfo> player_infos();
std::vector<std::string> player_names();

// A player that was asked for by name.
struct NamedPlayer {
  std::string name;
  std::unique_ptr<Player> player;  // none for a human: whoever asked has to ask the person

  bool is_human() const { return player == nullptr; }
};

Result<NamedPlayer> make_player(std::string_view text);

}  // namespace damier::arena
