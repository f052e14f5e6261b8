// A player made of anything that answers in a game's own moves (search/answer.h).
#pragma once

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
  // What is asked is made of `parts`; `limits` hold for every move.
  template <class... Parts>
  explicit AnsweringPlayer(const Ask& limits, const Parts&... parts)
      : asked_(parts...), limits_(limits) {}

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

// Players that each ask one of their own.
template <games::Game G, class Asked, class... Parts>
PlayerFactory answering_players(const Ask& limits, const Parts&... parts) {
  return [=] { return std::make_unique<AnsweringPlayer<G, Asked>>(limits, parts...); };
}

}  // namespace damier::play
