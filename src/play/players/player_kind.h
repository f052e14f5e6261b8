// A kind of player: the name that stands before the colon, and how players of it are made. A game's
// toolkit lists its kinds; names, help and makers all come from that list.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "damier/play/players/player.h"
#include "damier/play/players/player_text.h"

namespace damier::play {

// Makes players that know nothing of each other, in any thread, from what was read once.
using PlayerFactory = std::function<std::unique_ptr<Player>()>;

struct PlayerKind {
  std::string name;  // "uct"
  std::string help;  // one line
  // Reads the options, ends the reading with finish(), then opens what the player needs. Empty
  // for a human: the caller prompts the person.
  std::function<Result<PlayerFactory>(PlayerText&)> open;
  bool is_exact = false;   // all that it says is certain
  bool is_hidden = false;  // lists leave it out

  std::vector<PlayerOption> options() const;
};

// The player `net`, in whatever game.
inline constexpr std::string_view kNetworkName = "net";
inline constexpr std::string_view kNetworkHelp = "a network, alone or inside a search";
inline constexpr std::string_view kNetworkModel = ":MODEL";
inline constexpr std::string_view kNetworkModelHelp =
    "a model by its file or name (default: the one that ships, or was trained here last)";

// Players that only one game has, in its folder of this room.
template <class G>
struct OwnPlayers {
  static std::vector<PlayerKind> kinds(const G&) { return {}; }
};

}  // namespace damier::play
