// Adding a game to a registry, and the toolkit of a game whose type is known. Apart from
// play/registry.h because here a game's type meets every search and solver, which takes a compiler
// long.
#pragma once

#include <utility>

#include <fmt/format.h>

#include "damier/base/text/program_name.h"
#include "damier/exact/by_search.h"
#include "damier/exact/reachable.h"
#include "damier/games/any_game_impl.h"
#include "damier/model/encoder_impl.h"
#include "damier/play/players/hidden_players.h"
#include "damier/play/players/network_players.h"
#include "damier/play/players/search_players.h"
#include "damier/play/ratings/strength.h"
#include "damier/play/registry.h"

namespace damier::play::detail {

// The players that search, and the network, where the game has them.
template <games::Game G>
std::vector<PlayerKind> search_kinds(const G& game) {
  const auto opened = [&](Result<PlayerFactory> (*open)(const G&, PlayerText&)) {
    return [game, open](PlayerText& text) { return open(game, text); };
  };
  std::vector<PlayerKind> kinds = {
      {"flat", "random games after every legal move, then the move with the best mean",
       opened(open_flat)},
      {"ucb", "a bandit at the root: as many random games as flat:N, spent where they matter",
       opened(open_ucb)},
      {"uct", "Monte Carlo tree search with random games", opened(open_uct)},
      {"puct", "tree search led by an evaluator", opened(open_puct)},
      {"minimax", "looks ahead with alpha-beta, then trusts the game's own heuristic",
       opened(open_minimax)}};
  if constexpr (exact::kHasSource<G>) {
    if (exact::Exact<G>(game).is_at_hand()) {
      kinds.push_back({"perfect", "the exact solution", opened(open_exact), true});
    }
  }
  kinds.push_back({"exact", "the exact solution", opened(open_exact), true, true});
  kinds.push_back({std::string(kNetworkName), std::string(kNetworkHelp), opened(open_network)});
  return kinds;
}

template <class G>
class ToolkitOf final : public Toolkit {
 public:
  explicit ToolkitOf(std::shared_ptr<const games::AnyGame> game)
      : game_(std::move(game)), rules_(games::rules_of<G>(*game_)) {}

  const games::AnyGame& game() const override { return *game_; }

  std::vector<PlayerKind> player_kinds() const override {
    std::vector<PlayerKind> kinds;
    if constexpr (games::Game<G>) kinds = search_kinds(rules_);
    for (PlayerKind& kind : OwnPlayers<G>::kinds(rules_)) kinds.push_back(std::move(kind));
    return kinds;
  }

  std::string strongest_player() const override {
    if constexpr (requires { OwnPlayers<G>::kStrongest; }) {
      return OwnPlayers<G>::kStrongest;
    } else if constexpr (games::Game<G>) {
      const Strength* measured = strength_of(game_->facts().name);
      return measured != nullptr ? measured->strongest : presumed_strongest(is_solved());
    } else {
      return "first";
    }
  }

  Solver solver() const override {
    if constexpr (games::HiddenGame<G>) {
      return [this](const games::Session&, const Ask&) -> Result<Answer> {
        return Error{fmt::format(
            "{0} has hidden information: no position has one exact value; `{1} analyze {0}` gives "
            "the exact probabilities",
            game_->facts().name, program_name())};
      };
    } else {
      if constexpr (exact::kHasSource<G>) {
        exact::Exact<G> exact(rules_);
        if (exact.is_at_hand()) return solver_of(std::move(exact));
      }
      return [this](const games::Session& session, const Ask& ask) -> Result<Answer> {
        const auto& history = games::history_of<G>(session);
        if constexpr (exact::kKnowsSome<G>) {
          const exact::Exact<G> exact(rules_);
          if (exact.knows(history.state())) {
            return with_actions(history, exact.answer(history, ask));
          }
        }
        return with_actions(history, exact::by_search(history, ask));
      };
    }
  }

  bool is_solved() const override {
    if constexpr (exact::kHasSource<G>) {
      return exact::Exact<G>(rules_).is_at_hand();
    } else {
      return false;
    }
  }

  bool knows_every_state() const override { return exact::kHasTable<G> && is_solved(); }

  bool knows(const games::Session& session) const override {
    if constexpr (exact::kKnowsSome<G>) {
      return exact::Exact<G>(rules_).knows_moves(games::history_of<G>(session).state());
    } else {
      return knows_every_state();
    }
  }

  Result<std::vector<SpaceFigure>> state_space() const override {
    if constexpr (exact::kHasTable<G>) {
      const auto exact = TRY(exact::Exact<G>::load(rules_));
      return exact.state_space();
    } else if constexpr (exact::kKnowsSome<G>) {
      return exact::Exact<G>(rules_).state_space();
    } else {
      return Error{fmt::format("the state space of {} is too large to be counted whole",
                               game_->facts().name)};
    }
  }

  Result<Worker> evaluation_worker(const std::string& player, std::uint64_t games, Seed seed,
                                   ThreadPool& pool) const override {
    if constexpr (games::HiddenGame<G>) {
      return hidden_worker<G>(*this, player, games, seed, pool);
    } else {
      return Error{fmt::format("{0} has two players: `{1} match {0} A B` compares them",
                               game_->facts().name, program_name())};
    }
  }

 private:
  template <class Exact>
  static Solver solver_of(Exact exact) {
    return [exact = std::move(exact)](const games::Session& session,
                                      const Ask& ask) -> Result<Answer> {
      const auto& history = games::history_of<G>(session);
      Answer answer = with_actions(history, exact.answer(history, ask));
      // A table looks at all of its states before it answers.
      if constexpr (exact::kHasTable<G>) {
        if (answer.known.is_certain()) answer.nodes = exact.table().indexer().state_count();
      }
      return answer;
    };
  }

  std::shared_ptr<const games::AnyGame> game_;
  const G& rules_;
};

}  // namespace damier::play::detail

namespace damier::play {

template <games::PlayableGame G>
Registry& Registry::add() {
  games::Registry::add<G>();
  toolkits_.emplace_back([](std::shared_ptr<const games::AnyGame> game) {
    return std::make_shared<detail::ToolkitOf<G>>(std::move(game));
  });
  return *this;
}

template <class G>
std::shared_ptr<const Toolkit> toolkit_of(const G& game) {
  return std::make_shared<detail::ToolkitOf<G>>(
      std::make_shared<games::detail::AnyGameOf<G>>(game));
}

}  // namespace damier::play
