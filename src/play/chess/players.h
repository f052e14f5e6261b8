// Players that only chess has: the engine, and other engines by UCI, "uci:stockfish,Skill
// Level=10".
#pragma once

#include <vector>

#include "damier/games/chess/chess.h"
#include "damier/play/players/player_kind.h"
#include "damier/search/chess/uci_client.h"

namespace damier::play {

// A chess engine as a player: what it says, as an answer.
class ChessPlayer : public Player {
 public:
  games::Action choose(const games::Session& session, RandomStream& random) final {
    return choose_scored(session, random, nullptr).move;
  }
  MoveAnswer choose_scored(const games::Session& session, RandomStream&,
                           const Clocks* clocks) final;
  Answer answer(const games::Session& session, const Ask& ask) final;

 protected:
  using History = search::chess::History;

  explicit ChessPlayer(int usual_lines) : usual_lines_(usual_lines) {}
  // Looks for this many lines; `watch`, where there is one, is told meanwhile.
  virtual search::chess::UciAnswer ask(const History& history, int lines, const Clocks* clocks,
                                       search::Watch* watch) = 0;

 private:
  int usual_lines_;
};

search::chess::Milliseconds milliseconds_of(double seconds);

PlayerKind engine_player_kind();
PlayerKind uci_player_kind();

template <>
struct OwnPlayers<games::chess::Chess> {
  static std::vector<PlayerKind> kinds(const games::chess::Chess&) {
    return {engine_player_kind(), uci_player_kind()};
  }
};

}  // namespace damier::play
