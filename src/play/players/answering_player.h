// A player made of anything that answers in a game's own moves (search/answer.h).
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "damier/games/any_game_impl.h"
#include "damier/play/players/player_kind.h"

namespace damier::play {

// The same answer with the moves by their actions.
template <games::Game G>
Answer with_actions(const games::History<G>& history, search::Answer<typename G::Move> found) {
  const G& game = history.game();
  const auto actions = [&](const std::vector<typename G::Move>& line) {
    std::vector<games::Action> list;
    typename G::State state = history.state();
    for (const typename G::Move move : line) {
      list.push_back(game.action(state, move));
      game.play(state, move);
    }
    return list;
  };
  Answer answer{.known = found.known,
                .line = actions(found.line),
                .nodes = found.nodes,
                .seconds = found.seconds,
                .depth = found.depth,
                .stopped = found.stopped,
                .for_other_side = found.for_other_side};
  for (const auto& move : found.moves) {
    answer.moves.push_back({.move = game.action(history.state(), move.move),
                            .known = move.known,
                            .value = move.value,
                            .score = move.score,
                            .visits = move.visits,
                            .prior = move.prior,
                            .results = move.results,
                            .line = actions(move.line)});
  }
  return answer;
}

template <games::Game G, search::Answers<G> Asked>
class AnsweringPlayer final : public Player {
 public:
  // `make` makes what is asked, `limits` holds for every move.
  template <class Make>
  AnsweringPlayer(const Make& make, const Ask& limits) : asked_(make()), limits_(limits) {}

  games::Action choose(const games::Session& session, RandomStream& random) override {
    const auto& history = games::history_of<G>(session);
    Ask ask = limits_;
    ask.random = &random;
    return history.game().action(history.state(), asked_.answer(history, ask).best().move);
  }

  Answer answer(const games::Session& session, const Ask& wanted) override {
    const auto& history = games::history_of<G>(session);
    Ask ask = wanted;
    ask.nodes = limits_.nodes;
    ask.seconds = limits_.seconds;
    ask.depth = limits_.depth;
    return with_actions(history, asked_.answer(history, ask));
  }

 private:
  Asked asked_;
  Ask limits_;
};

// Players that each ask one of their own, made by `make`.
template <games::Game G, class Make>
PlayerFactory answering_players(Make make, const Ask& limits = {}) {
  return [make = std::move(make), limits] {
    return std::make_unique<AnsweringPlayer<G, decltype(make())>>(make, limits);
  };
}

}  // namespace damier::play
