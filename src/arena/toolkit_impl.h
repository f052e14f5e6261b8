// The toolkit of a game whose type is known; include arena/add_game.h.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "damier/arena/hidden_players.h"
#include "damier/arena/network_players.h"
#include "damier/arena/search_players.h"
#include "damier/arena/toolkit.h"
#include "damier/games/any_game_impl.h"
#include "damier/search/solve.h"
#include "damier/solve/exact.h"

namespace damier::arena::detail {

template <class G>
class ToolkitOf final : public Toolkit {
 public:
  explicit ToolkitOf(std::shared_ptr<const games::AnyGame> game)
      : game_(std::move(game)), rules_(games::rules_of<G>(*game_)) {}

  const games::AnyGame& game() const override { return *game_; }

  bool offers(std::string_view player) const override {
    if (player == "random" || player == "first" || player == "human") return true;
    if constexpr (games::HiddenGame<G>) {
      return HiddenPlayers<G>::offers(player);
    } else {
      if (player == "perfect") return solve::Exact<G>::kAvailable;
      if (player == "net") return NetworkOf<G>::kAvailable;
      return player != "solver";
    }
  }

  std::unique_ptr<Player> make_player(PlayerText& text) const override {
    if constexpr (games::HiddenGame<G>) {
      return HiddenPlayers<G>::make(rules_, text);
    } else {
      const std::string& name = text.name();
      if (name == "flat") return make_flat<G>(text);
      if (name == "ucb") return make_ucb<G>(text);
      if (name == "uct") {
        return make_tree(rules_, text, "", search::Formula::ucb1, search::PlayoutEvaluator{});
      }
      if (name == "puct") return make_puct(rules_, text);
      if constexpr (solve::Exact<G>::kAvailable) {
        if (name == "perfect") return make_perfect(rules_, text);
      }
      if constexpr (NetworkOf<G>::kAvailable) {
        if (name == "net") return make_network(rules_, text);
      }
      return make_minimax(rules_, text);
    }
  }

  Result<Solution> solve(const games::Session& session, const SolveLimits& limits) const override {
    if constexpr (games::HiddenGame<G>) {
      return Error{fmt::format(
          "{} has hidden information: no position has one exact value; `damier analyze {}` gives "
          "the exact chances",
          game_->facts().name, game_->facts().name)};
    } else {
      const auto& history = games::history_of<G>(session);
      if constexpr (solve::Exact<G>::kAvailable) {
        return solve::Exact<G>(rules_).solve(history.state(), limits);
      } else {
        return solution_of(history, search::solve_by_search(
                                        history, search::Budget{limits.nodes, limits.seconds}));
      }
    }
  }

  bool knows_every_state() const override { return solve::Exact<G>::kHasTable; }

  Result<std::vector<SpaceFigure>> state_space() const override {
    if constexpr (solve::Exact<G>::kHasTable) {
      return solve::Exact<G>::state_space();
    } else {
      return Error{fmt::format("the state space of {} is too large to be counted whole",
                               game_->facts().name)};
    }
  }

  Result<Evaluation> evaluate(const std::string& player, std::uint64_t games, Seed seed,
                              ThreadPool& pool,
                              const std::function<void(std::uint64_t)>& on_done) const override {
    if constexpr (games::HiddenGame<G>) {
      return evaluate_hidden<G>(*this, player, games, seed, pool, on_done);
    } else {
      return Error{fmt::format("{} has two players: `damier match {} A B` compares them",
                               game_->facts().name, game_->facts().name)};
    }
  }

 private:
  template <class Found>
  static Solution solution_of(const games::History<G>& history, const Found& found) {
    Solution solution;
    solution.value = found.value;
    if (found.distance >= 0) solution.distance = found.distance;
    for (const auto move : found.best_moves) {
      solution.best.push_back(history.game().move_text(history.state(), move));
    }
    solution.best_is_complete = found.distance >= 0;
    solution.nodes = found.nodes;
    solution.seconds = found.seconds;
    return solution;
  }

  std::shared_ptr<const games::AnyGame> game_;
  const G& rules_;
};

}  // namespace damier::arena::detail
