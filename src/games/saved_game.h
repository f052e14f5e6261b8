// A game on disk: the rules, the start and the moves, as JSON that a person can read.
//
//   {"schema": "damier/game/1", "game": "bremen", "rules": {"maxply": "300", …}, "seed": 1,
//    "position": "----/---- b", "moves": ["d@a1", …], "players": ["human", "random"],
//    "language": "fr"}
//
// The position is replayed from the moves, so a file that was tampered with is found out at the
// first move that is not legal.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "damier/base/json/json.h"
#include "damier/base/result.h"
#include "damier/base/text/language.h"
#include "damier/games/registry.h"

namespace damier::games {

struct SavedGame {
  std::shared_ptr<const AnyGame> game;
  Seed seed = Seed{0};
  std::unique_ptr<Session> session;
  std::array<std::string, 2> players;  // player names by side; empty when not known
  double seconds = 0;                  // playing time so far
  std::optional<Side> resigned;        // who gave up, if somebody did
  std::optional<Language> language;    // of the person who plays
};

// Longer games are refused.
inline constexpr std::size_t kMaxSavedMoves = 20000;

Json to_json(const SavedGame& saved);
// `source` names the text or the document in errors.
Result<SavedGame> read_saved_game(const Registry& registry, const Json& json,
                                  std::string_view source);
Result<SavedGame> parse_saved_game(const Registry& registry, std::string_view text,
                                   std::string_view source);

}  // namespace damier::games
