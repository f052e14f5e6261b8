#include "damier/arena/players.h"

#include <array>

#include <fmt/format.h>

#include "damier/base/text.h"

namespace damier::arena {

namespace {

constexpr std::array<PlayerInfo, 3> kPlayers = {{
    {"random", "random", "a legal move at random, all equally likely"},
    {"first", "first", "the first legal move, in the game's own order"},
    {"human", "human", "you, at the keyboard"},
}};

class RandomPlayer final : public Player {
 public:
  games::Action choose(const games::Session& session, RandomStream& random) override {
    const auto actions = session.playing_actions();
    return actions[random.below(actions.size())];
  }
};

class FirstPlayer final : public Player {
 public:
  games::Action choose(const games::Session& session, RandomStream&) override {
    return session.playing_actions().front();
  }
};

}  // namespace

std::span<const PlayerInfo> player_infos() { return kPlayers; }

std::vector<std::string> player_names() {
  std::vector<std::string> names;
  for (const PlayerInfo& info : kPlayers) names.emplace_back(info.name);
  return names;
}

Result<NamedPlayer> make_player(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  const auto names = player_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    return unknown_name("player", name, names);
  }
  if (name != text) {
    return Error{fmt::format("player '{}' takes no options; got {}", name,
                             in_quotes(text.substr(name.size() + 1)))};
  }
  NamedPlayer named{std::string(name), nullptr};
  if (name == "random") named.player = std::make_unique<RandomPlayer>();
  if (name == "first") named.player = std::make_unique<FirstPlayer>();
  return named;
}

}  // namespace damier::arena
