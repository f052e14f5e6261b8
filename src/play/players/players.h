// Players by name. A player is a name with options ("random", "uct:1000,c=0.5"), made by one
// factory that the terminal, matches and the server share.
#pragma once

#include "damier/play/players/player_kind.h"
#include "damier/play/toolkit.h"

namespace damier::play {

class Registry;

// The kinds that a game can have, `human` last.
std::vector<PlayerKind> player_kinds(const Toolkit& toolkit);
std::vector<std::string> player_names(const Toolkit& toolkit);

// A player that was asked for by name, with its files read.
struct OpenedPlayer {
  std::string name;
  PlayerFactory make;     // empty for a human: the caller prompts the person
  bool is_exact = false;  // all that it says is certain

  bool is_human() const { return make == nullptr; }
};
Result<OpenedPlayer> open_player(const Toolkit& toolkit, std::string_view text,
                                 PlayerUse use = PlayerUse::games);

// Whether there is such a player, as far as its text tells: no file is read, no program started.
Status check_player(const Toolkit& toolkit, std::string_view text);

// The same, made.
struct NamedPlayer {
  std::string name;
  std::unique_ptr<Player> player;  // none for a human

  bool is_human() const { return player == nullptr; }
};
Result<NamedPlayer> make_player(const Toolkit& toolkit, std::string_view text);

// What is known of a move, by solving the position after it within the limits of `ask`.
Known known_of_move(const Toolkit::Solver& solve, const games::Session& session,
                    games::Action action, const Ask& ask);

// What is certain of every move, where that is known at once; the game must go on.
std::optional<Answer> known_answer(const Toolkit& toolkit, const games::Session& session);
// The same where the game has a solver: as far as it gets in a second or two.
std::optional<Answer> solved_answer(const Toolkit& toolkit, const games::Session& session);

// What the player of that name thinks of the moves of a position, beside what is certain of them;
// nothing where the game is over.
Answer analyzed(const Toolkit& toolkit, std::string_view name, Player& player,
                const games::Session& session, Ask ask);

// The players of all games, for the help: each name once, with the options that some game's has.
struct PlayerInfo {
  struct Option {
    PlayerOption declared;
    std::vector<std::string> games;  // that have it; none: all that have the player
  };
  std::string name;
  std::string form;  // with its value: "uct:N"
  std::string help;
  std::vector<Option> options;
  std::vector<std::string> games;  // where most games do not have it
};
std::vector<PlayerInfo> player_infos(const Registry& registry);
std::vector<std::string> player_names(const Registry& registry);

}  // namespace damier::play
