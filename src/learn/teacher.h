// Teachers: who says what is best in a position. Any player of the game is one, by its text
// ("minimax:4", "net:bremen,mcts=400", "engine:nodes=400"); `exact` is the solution of a game that
// can be solved. And how players are asked who play many games at once.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "damier/exact/reachable.h"
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

template <games::Game G>
typename G::Move random_move(const games::History<G>& history, RandomStream& random) {
  const auto moves = history.game().legal_moves(history.state());
  return moves[static_cast<std::size_t>(random.below(moves.size()))];
}

template <games::Game G>
typename G::Move chosen_by(play::Player& player, const games::History<G>& history,
                           RandomStream& random) {
  const games::Action action = player.choose(*games::session_of(history), random);
  return *history.game().move(history.state(), action);
}

// Up to `max_plies` moves at random; one that would end the game is not played.
template <games::Game G>
void play_opening(games::History<G>& history, int max_plies, RandomStream& random) {
  auto plies = random.below(static_cast<std::uint64_t>(max_plies) + 1);
  for (; plies > 0 && history.outcome() == games::Outcome::ongoing; --plies) {
    history.play(random_move(history, random));
  }
  if (history.outcome() != games::Outcome::ongoing) history.undo();
}

// Each thread has its own. What it says of a position follows from the position and `random` alone,
// unless a solver's limits are met. A game's own exact source (exact/GAME/exact.h) must be included
// where one is made.
template <games::Game G>
class Teacher {
 public:
  using Move = typename G::Move;
  using State = typename G::State;

  Teacher(const G& game, const play::OpenedPlayer& opened) : game_(game) {
    if constexpr (exact::kHasSource<G>) {
      if (opened.is_exact) exact_.emplace(exact::Exact<G>::load(game).value());
    }
    if (!exact_) player_ = opened.make();
  }

  // Nothing where the teacher does not know.
  std::optional<Lesson<G>> teach(const State& state, RandomStream& random) {
    if constexpr (exact::kHasSource<G>) {
      if (exact_) return exact_lesson(state, random);
    }
    const auto session = games::session_of(games::History<G>(game_, state));
    const play::Answer answer = player_->answer(*session, {.lines = 1, .random = &random});
    const play::MoveAnswer& best = answer.best();
    Lesson<G> lesson{{}, {}, best.value.value_or(0), best.known.plies.value_or(0)};
    // In the game's order.
    for (const Move move : game_.legal_moves(state)) {
      const auto seen =
          std::ranges::find(answer.moves, game_.action(state, move), &play::MoveAnswer::move);
      if (best.score ? seen->score == best.score : seen->move == best.move) {
        lesson.best.push_back(move);
      }
    }
    lesson.move = lesson.best.front();
    return lesson;
  }

 private:
  // The moves are asked by their type: hardly anything else is done for a position of a table.
  std::optional<Lesson<G>> exact_lesson(const State& state, RandomStream& random) const {
    Lesson<G> lesson{};
    games::Known best;
    const auto look = [&](Move move, const games::Known& known) {
      if (lesson.best.empty() || better(known, best)) {
        best = known;
        lesson.best.clear();
      }
      if (known == best) lesson.best.push_back(move);
      return known.is_certain();
    };
    const auto legal = game_.legal_moves(state);
    const auto finish = [&] {
      lesson.move = lesson.best.front();
      lesson.value = value_of(best.verdict);
      lesson.distance = best.plies.value_or(0);
      return lesson;
    };
    if constexpr (exact::kHasTable<G>) {
      if (exact_->knows(state)) {
        for (const Move move : legal) look(move, exact_->table().value_after(state, move));
        return finish();
      }
    }
    const auto answer = exact_->answer(games::History<G>(game_, state),
                                       {.every_move = true, .lines = 1, .random = &random});
    for (const Move move : legal) {
      const auto seen = std::ranges::find(answer.moves, move, &exact::MoveAnswer<Move>::move);
      if (seen == answer.moves.end() || !look(move, seen->known)) return std::nullopt;
    }
    return finish();
  }

  struct Nothing {};
  G game_;
  std::unique_ptr<play::Player> player_;
  std::optional<std::conditional_t<exact::kHasSource<G>, exact::Exact<G>, Nothing>> exact_;
};

}  // namespace damier::learn
