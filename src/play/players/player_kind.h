// A player: something that chooses moves, and can say what it thinks of all of them. And a kind of
// player: the name that stands before the colon, and how players of it are made. A game's toolkit
// lists its kinds; names, help and makers all come from that list.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/base/result.h"
#include "damier/games/any_game.h"
#include "damier/play/players/player_text.h"
#include "damier/search/answer.h"

namespace damier::play {

using games::Known;
using games::Verdict;
using search::Ask;

// What a player says, its moves by their actions. Each action of a line is legal after those before
// it.
using Answer = search::Answer<games::Action>;
using MoveAnswer = search::MoveAnswer<games::Action>;

// A place among moves, the likeliest first: each weighs its prior to the power of 1 / temperature.
std::size_t drawn_by_prior(const std::vector<MoveAnswer>& moves, double temperature,
                           RandomStream& random);

// Writes what is certain of each move beside what a player thinks of it.
void add_known(Answer& answer, const Answer& certain);

// What the clocks of both sides show, in seconds, before a move; and what a move adds.
struct Clocks {
  std::array<double, 2> left = {};
  double increment = 0;
};

// A player cannot go on: the program that it asks has crashed, for instance.
class PlayerError : public std::runtime_error {
 public:
  explicit PlayerError(const Error& error) : std::runtime_error(error.text()) {}
};

// All of it may throw PlayerError.
class Player {
 public:
  virtual ~Player() = default;
  // A legal action of a game that is not over. All chance comes from `random`.
  virtual games::Action choose(const games::Session& session, RandomStream& random) = 0;
  // The same with what is thought of it; where there are clocks, a player that can reads them.
  virtual MoveAnswer choose_scored(const games::Session& session, RandomStream& random,
                                   const Clocks*) {
    return {choose(session, random)};
  }
  // All legal moves, within the player's own limits; the question brings the chance. A player that
  // only chooses lists the moves alone, the chosen one first.
  virtual Answer answer(const games::Session& session, const Ask& ask);
};

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

  std::vector<PlayerOption> options() const {
    if (open == nullptr) return {};
    PlayerText text = PlayerText::listening();
    static_cast<void>(open(text));  // an error: nothing was asked for
    return text.declared();
  }
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
