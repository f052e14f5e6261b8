// A game of a network against an opponent: another network, or any player of the game.
#pragma once

#include <optional>

#include "damier/learn/sources/self_play/game_in_play.h"
#include "damier/learn/teacher.h"

namespace damier::learn {

template <games::Game G>
class MatchGame {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  // Games come in pairs with one opening; `number` is even where the network has the first side.
  // The opponent is a second network where `networks` is 2, otherwise `player`.
  MatchGame(const G& game, const SelfPlayOptions& options, const SelfPlayGames& games,
            std::uint64_t number, int networks, play::Player* player)
      : player_(player),
        networks_(networks),
        network_side_(number % 2 == 0 ? games::Side::first : games::Side::second),
        opening_(games.seed, "self_play.opening", games.generation << 32 | number / 2),
        random_(games.seed, "self_play.match", games.generation << 32 | number),
        history_(game, game.initial()),
        search_(game, options, false) {
    for (int ply = 0; ply < games.opening_plies; ++ply) {
      if (history_.outcome() != games::Outcome::ongoing) break;
      history_.play(random_move(history_, opening_));
    }
    // An opening that ends the game is none.
    if (history_.outcome() != games::Outcome::ongoing) {
      history_ = games::History<G>(game, game.initial());
    }
  }

  // The next position that a network must evaluate; nullptr: the game is over.
  const State* advance() {
    while (history_.outcome() == games::Outcome::ongoing) {
      if (!asks()) {
        history_.play(chosen_by(*player_, history_, random_));
        continue;
      }
      if (!searching_) search_.begin(history_);
      searching_ = true;
      if (const State* leaf = search_.advance(random_)) return leaf;
      history_.play(search_.choice(static_cast<int>(history_.moves().size()), random_));
      searching_ = false;
    }
    return nullptr;
  }
  // Which network must: 0 or 1; nothing where the opponent is none.
  std::optional<std::size_t> asks() const {
    const bool own = history_.game().side_to_move(history_.state()) == network_side_;
    if (own) return 0;
    return networks_ == 2 ? std::optional<std::size_t>(1) : std::nullopt;
  }
  std::span<const Move> leaf_moves() const { return search_.leaf_moves(); }
  void settle(const search::Evaluation& evaluation, std::span<const float> priors) {
    search_.settle(evaluation, priors);
  }

  // When the game is over.
  MatchedGame played() const {
    return {network_side_ == games::Side::first, history_.outcome(), history_.move_texts()};
  }

 private:
  play::Player* player_;
  int networks_;
  games::Side network_side_;
  RandomStream opening_, random_;
  games::History<G> history_;
  SearchInPlay<G> search_;
  bool searching_ = false;
};

}  // namespace damier::learn
