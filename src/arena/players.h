// Players by name. A player is a name with options ("random", "uct:1000,c=0.5"), made by one
// factory that the terminal, matches and the server share.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/arena/player.h"
#include "damier/arena/toolkit.h"

namespace damier::arena {

struct PlayerOption {
  std::string_view name;  // "c"
  std::string_view help;
  bool is_flag = false;  // a word that stands alone, without a value
};

struct PlayerInfo {
  std::string_view name;
  std::string_view form;  // with its options: "uct:N,c=X"
  std::string_view help;
  std::vector<PlayerOption> options;
};

// All players, `human` last.
std::span<const PlayerInfo> player_infos();

std::vector<std::string> player_names();
// Those that a game can have.
std::vector<std::string> player_names(const Toolkit& toolkit);

// A player that was asked for by name.
struct NamedPlayer {
  std::string name;
  std::unique_ptr<Player> player;  // none for a human: whoever asked has to ask the person

  bool is_human() const { return player == nullptr; }
};

Result<NamedPlayer> make_player(const Toolkit& toolkit, std::string_view text);

// What is certain of every move, where the game's table knows every state; the game must go on.
std::optional<View> exact_view(const Toolkit& toolkit, const games::Session& session);

// The player whose hints are worth most in this game.
std::string_view strongest_player(const Toolkit& toolkit);

}  // namespace damier::arena
