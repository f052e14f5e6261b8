// Teachers: who says what is best in a position. Any player of the game is one, by its text
// ("minimax:4", "net:bremen,mcts=400", "engine:nodes=400"); `exact` is the solution of a game that
// can be solved.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/games/any_game_impl.h"
#include "damier/play/players/players.h"

namespace damier::learn {

// What a teacher says of a position that is not over.
template <games::Game G>
struct Lesson {
  typename G::Move move;               // the one that it would play
  std::vector<typename G::Move> best;  // all that are as good; `move` is one of them
  double value = 0;                    // the expected result for the side to move, -1 to 1
  int distance = 0;                    // plies to a win or loss that is certain; otherwise 0
  std::vector<typename G::Move> hardest = {};  // of a lost position, to answer; may be unknown
  std::vector<typename G::Move> unknown = {};  // moves that may be good or not
};

// A player that is asked about positions one by one: a teacher, or an opponent in many games at
// once. A person is none.
template <games::Game G>
Result<play::OpenedPlayer> open_asked(const G& game, std::string_view text,
                                      play::PlayerUse use = play::PlayerUse::every_best) {
  auto opened = play::open_player(*play::toolkit_of(game), text, use);
  if (opened && opened->is_human()) {
    return Error{"a human cannot be asked here; expected another player"};
  }
  return opened;
}

// Whether there is one of that text; nothing is opened.
template <games::Game G>
Status check_asked(const G& game, std::string_view text) {
  return play::check_player(*play::toolkit_of(game), text);
}

// Each thread has its own. What it says of a position follows from the position and `random` alone,
// unless a solver's limits are met.
template <games::Game G>
class Teacher {
 public:
  using Move = typename G::Move;
  using State = typename G::State;

  Teacher(const G& game, const play::OpenedPlayer& opened)
      : game_(game), player_(opened.make()), is_exact_(opened.is_exact) {}

  // Nothing where the teacher does not know.
  std::optional<Lesson<G>> teach(const State& state, RandomStream& random) {
    const auto session = games::session_of(games::History<G>(game_, state));
    const play::Answer answer =
        player_->answer(*session, {.every_move = is_exact_, .lines = 1, .random = &random});
    const play::MoveAnswer* best = &answer.best();
    if (is_exact_) {
      for (const play::MoveAnswer& move : answer.moves) {
        if (!move.known.is_certain()) return std::nullopt;
        if (better(move.known, best->known)) best = &move;
      }
    }
    Lesson<G> lesson{};
    lesson.value = is_exact_ ? games::value_of(best->known.verdict) : best->value.value_or(0);
    lesson.distance = best->known.plies.value_or(0);
    // In the game's order: by certain results, or by scores.
    for (const Move move : game_.legal_moves(state)) {
      const games::Action action = game_.action(state, move);
      const auto seen = std::find_if(answer.moves.begin(), answer.moves.end(),
                                     [&](const auto& one) { return one.move == action; });
      const bool as_good = is_exact_     ? seen->known == best->known
                           : best->score ? seen->score == best->score
                                         : action == best->move;
      if (as_good) lesson.best.push_back(move);
    }
    lesson.move = lesson.best.front();
    return lesson;
  }

 private:
  G game_;
  std::unique_ptr<play::Player> player_;
  bool is_exact_;
};

}  // namespace damier::learn
