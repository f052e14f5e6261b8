// The players that search, for a game of any type: each takes its options from a text, asks the
// search, and turns the report into actions.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "damier/arena/player.h"
#include "damier/arena/player_text.h"
#include "damier/games/any_game_impl.h"
#include "damier/search/alpha_beta.h"
#include "damier/search/evaluator.h"
#include "damier/search/monte_carlo.h"
#include "damier/search/tree.h"
#include "damier/solve/exact.h"

namespace damier::arena::detail {

// Better for whoever moves: wins before all else, short ones first; losses last, long ones first.
inline bool ranks_before(const MoveView& a, const MoveView& b) {
  const auto class_of = [](const MoveView& move) {
    if (move.exact == Verdict::win) return 2;
    return move.exact == Verdict::loss ? 0 : 1;
  };
  if (class_of(a) != class_of(b)) return class_of(a) > class_of(b);
  if (a.exact == b.exact && a.distance && b.distance && *a.distance != *b.distance) {
    return (*a.distance < *b.distance) == (a.exact == Verdict::win);
  }
  if (a.visits && b.visits && *a.visits != *b.visits) return *a.visits > *b.visits;
  return a.value.value_or(0) > b.value.value_or(0);
}

template <games::Game G>
View view_of(const G& game, typename G::State state,
             const search::Report<typename G::Move>& report) {
  View view;
  view.nodes = report.nodes;
  for (const auto& move : report.moves) {
    MoveView seen;
    seen.action = game.action(state, move.move);
    seen.value = move.value;
    if (move.visits > 0) seen.visits = move.visits;
    seen.prior = move.prior;
    seen.exact = move.proof;
    if (move.distance >= 0) seen.distance = move.distance;
    view.moves.push_back(seen);
  }
  if (!view.moves.empty()) {
    const auto best = view.moves.begin() + static_cast<std::ptrdiff_t>(report.best);
    std::rotate(view.moves.begin(), best, best + 1);
    std::stable_sort(view.moves.begin() + 1, view.moves.end(), ranks_before);
  }
  for (const typename G::Move move : report.line) {
    view.line.push_back(game.action(state, move));
    game.play(state, move);
  }
  return view;
}

// A player made of a function from the game so far to a report.
template <games::Game G, class Search>
class SearchPlayer final : public Player {
 public:
  explicit SearchPlayer(Search search) : search_(std::move(search)) {}

  games::Action choose(const games::Session& session, RandomStream& random) override {
    const auto& history = games::history_of<G>(session);
    const auto report = search_(history, random, false);
    return history.game().action(history.state(), report.moves[report.best].move);
  }

  View view(const games::Session& session, RandomStream& random) override {
    const auto& history = games::history_of<G>(session);
    return view_of(history.game(), history.state(), search_(history, random, true));
  }

 private:
  Search search_;
};

template <games::Game G, class Search>
std::unique_ptr<Player> search_player(Search search) {
  return std::make_unique<SearchPlayer<G, Search>>(std::move(search));
}

inline constexpr std::int64_t kMostPlayouts = 1'000'000'000;

template <games::Game G>
std::unique_ptr<Player> make_minimax(const G& game, PlayerText& text) {
  search::AlphaBetaOptions options;
  options.depth = static_cast<int>(text.integer("", 1, 100, 4));
  options.budget.nodes =
      static_cast<std::uint64_t>(text.integer("nodes", 1, std::int64_t{1} << 50, 0));
  options.budget.seconds = text.number("seconds", 0.001, 1e6, 0);
  options.table_bytes = static_cast<std::size_t>(text.integer("table", 1, 1 << 16, 16)) << 20;
  auto engine = std::make_shared<search::AlphaBeta<G>>(game, options);
  return search_player<G>(
      [engine](const games::History<G>& history, RandomStream& random, bool every_move) {
        return engine->search(history, &random, every_move);
      });
}

template <games::Game G>
std::unique_ptr<Player> make_flat(PlayerText& text) {
  const auto playouts = static_cast<std::uint64_t>(text.integer("", 1, kMostPlayouts, 100));
  return search_player<G>([playouts](const games::History<G>& history, RandomStream& random, bool) {
    return search::flat(history, playouts, random);
  });
}

template <games::Game G>
std::unique_ptr<Player> make_ucb(PlayerText& text) {
  const auto playouts = static_cast<std::uint64_t>(text.integer("", 1, kMostPlayouts, 100));
  const double c = text.number("c", 0, 1000, 0.4);
  return search_player<G>(
      [playouts, c](const games::History<G>& history, RandomStream& random, bool) {
        return search::bandit(history, playouts, c, random);
      });
}

// `simulations` names the option that says how many.
template <games::Game G, class Evaluator>
std::unique_ptr<Player> make_tree(const G& game, PlayerText& text, std::string_view simulations,
                                  search::Formula formula, Evaluator evaluator) {
  search::TreeOptions options;
  options.formula = formula;
  // With a time to keep, that alone ends the search unless a number is given too.
  options.budget.nodes = static_cast<std::uint64_t>(
      text.integer(simulations, 1, kMostPlayouts, text.has("seconds") ? 0 : 1000));
  options.budget.seconds = text.number("seconds", 0.001, 1e6, 0);
  options.c = text.number("c", 0, 1000, formula == search::Formula::ucb1 ? 0.7 : 1.5);
  options.trees = static_cast<int>(text.integer("threads", 1, 256, 1));
  auto tree =
      std::make_shared<search::TreeSearch<G, Evaluator>>(game, options, std::move(evaluator));
  std::shared_ptr<ThreadPool> pool;
  if (options.trees > 1) pool = std::make_shared<ThreadPool>(options.trees);
  return search_player<G>([tree, pool](const games::History<G>& history, RandomStream& random,
                                       bool) { return tree->search(history, random, pool.get()); });
}

template <games::Game G>
std::unique_ptr<Player> make_puct(const G& game, PlayerText& text) {
  const std::string_view words[] = {"playouts", "exact"};
  if constexpr (solve::Exact<G>::kHasTable) {
    if (text.word("eval", words) == "exact") {
      return make_tree(game, text, "", search::Formula::puct,
                       typename solve::Exact<G>::Evaluator{});
    }
  } else {
    text.word("eval", std::span(words).first(1));
  }
  return make_tree(game, text, "", search::Formula::puct, search::PlayoutEvaluator{});
}

template <games::Game G>
std::unique_ptr<Player> make_perfect(const G& game, PlayerText&) {
  auto exact = std::make_shared<solve::Exact<G>>(game);
  return search_player<G>(
      [exact](const games::History<G>& history, RandomStream& random, bool every_move) {
        return exact->report(history, random, every_move);
      });
}

}  // namespace damier::arena::detail
