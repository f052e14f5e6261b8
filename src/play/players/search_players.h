// The players that search, for a game of any type: each declares its options, asks the search, and
// turns the report into actions.
#pragma once

#include <memory>
#include <utility>

#include "damier/exact/reachable.h"
#include "damier/games/any_game_impl.h"
#include "damier/play/players/player.h"
#include "damier/play/players/player_text.h"
#include "damier/search/alpha_beta.h"
#include "damier/search/evaluator.h"
#include "damier/search/monte_carlo.h"
#include "damier/search/tree.h"

namespace damier::play::detail {

template <games::Game G>
View view_of(const G& game, typename G::State state,
             const search::Report<typename G::Move>& report) {
  View view;
  view.nodes = report.nodes;
  for (const auto& move : report.moves) {
    MoveView seen;
    seen.action = game.action(state, move.move);
    seen.value = move.value;
    seen.score = move.score;
    if (move.visits > 0) seen.visits = move.visits;
    seen.prior = move.prior;
    seen.exact = move.proof;
    if (move.distance >= 0) seen.distance = move.distance;
    view.moves.push_back(seen);
  }
  put_best_first(view.moves, report.best);
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
    const auto report = search_(history, random, false, nullptr);
    return history.game().action(history.state(), report.moves[report.best].move);
  }

  View view(const games::Session& session, RandomStream& random, search::Watch* watch) override {
    const auto& history = games::history_of<G>(session);
    return view_of(history.game(), history.state(), search_(history, random, true, watch));
  }

 private:
  Search search_;
};

// Players that each have a search of their own, made by `make`.
template <games::Game G, class Make>
PlayerFactory search_players(Make make) {
  return [make] { return std::make_unique<SearchPlayer<G, decltype(make())>>(make()); };
}

inline constexpr std::int64_t kMaxPlayouts = 1'000'000'000;

inline std::int64_t read_playouts(PlayerText& text) {
  return text.integer(":N", "random games for every legal move", 1, kMaxPlayouts, 100);
}

inline double read_seconds(PlayerText& text) {
  return text.number("seconds=S", "time for a move, instead of a number or beside it", 0.001, 1e6)
      .value_or(0);
}

template <games::Game G>
Result<PlayerFactory> open_minimax(const G& game, PlayerText& text) {
  search::AlphaBetaOptions options;
  options.depth = static_cast<int>(text.integer(":D", "plies to look ahead", 1, 100, 4));
  options.budget.nodes = static_cast<std::uint64_t>(
      text.integer("nodes=N", "stops after so many positions", 1, std::int64_t{1} << 50)
          .value_or(0));
  options.budget.seconds = read_seconds(text);
  options.table_bytes = static_cast<std::size_t>(
                            text.integer("table=M", "memory for positions in MiB", 1, 1 << 16, 16))
                        << 20;
  if (auto status = text.finish(); !status) return std::move(status).error();
  return search_players<G>([game, options] {
    return
        [engine = std::make_shared<search::AlphaBeta<G>>(game, options)](
            const games::History<G>& history, RandomStream& random, bool every_move,
            search::Watch* watch) { return engine->search(history, &random, every_move, watch); };
  });
}

template <games::Game G>
Result<PlayerFactory> open_flat(PlayerText& text) {
  constexpr std::string_view kLast[] = {"tried", "untried"};
  const auto playouts = static_cast<std::uint64_t>(read_playouts(text));
  const bool last_untried =
      text.word("last=L", "the last move in the list: as the others, or left at 0 without a game",
                kLast) == "untried";
  if (auto status = text.finish(); !status) return std::move(status).error();
  return search_players<G>([playouts, last_untried] {
    return [playouts, last_untried](const games::History<G>& history, RandomStream& random, bool,
                                    search::Watch* watch) {
      return search::flat(history, playouts, random, watch, last_untried);
    };
  });
}

template <games::Game G>
Result<PlayerFactory> open_ucb(PlayerText& text) {
  const auto playouts = static_cast<std::uint64_t>(read_playouts(text));
  constexpr std::string_view kChoices[] = {"visits", "bound"};
  constexpr std::string_view kMeans[] = {"tried", "zero"};
  search::BanditOptions options;
  options.c = text.number("c=X", "how much it explores", 0, 1000, options.c);
  options.choose_bound = text.word("choice=C", "what it plays: the most tried, the greatest bound",
                                   kChoices) == "bound";
  options.from_zero = text.word("mean=M", "before a move is tried: each once first, or a mean of 0",
                                kMeans) == "zero";
  if (auto status = text.finish(); !status) return std::move(status).error();
  return search_players<G>([playouts, options] {
    return [playouts, options](const games::History<G>& history, RandomStream& random, bool,
                               search::Watch* watch) {
      return search::bandit(history, playouts, options, random, watch);
    };
  });
}

// `simulations` is the form of the option that says how many; `c` the default of exploration.
inline search::TreeOptions read_tree_options(PlayerText& text, std::string_view simulations,
                                             search::Formula formula, double c) {
  search::TreeOptions options;
  options.formula = formula;
  const auto number =
      text.integer(simulations, "simulations a move, 1000 where no time is given", 1, kMaxPlayouts);
  options.c = text.number("c=X", "how much it explores", 0, 1000, c);
  options.budget.seconds = read_seconds(text);
  // With a time to keep, that alone ends the search unless a number is given too.
  options.budget.nodes =
      static_cast<std::uint64_t>(number.value_or(options.budget.seconds > 0 ? 0 : 1000));
  options.trees = static_cast<int>(
      text.integer("threads=T", "so many trees at once, their visits added up", 1, 256, 1));
  return options;
}

// Every player has a copy of the evaluator.
template <games::Game G, class Evaluator>
PlayerFactory tree_players(const G& game, const search::TreeOptions& options, Evaluator evaluator) {
  return search_players<G>(
      [game, options, shared = std::make_shared<const Evaluator>(std::move(evaluator))] {
        auto tree = std::make_shared<search::TreeSearch<G, Evaluator>>(game, options, *shared);
        std::shared_ptr<ThreadPool> pool;
        if (options.trees > 1) pool = std::make_shared<ThreadPool>(options.trees);
        return [tree, pool](const games::History<G>& history, RandomStream& random, bool,
                            search::Watch* watch) {
          return tree->search(history, random, pool.get(), watch);
        };
      });
}

template <games::Game G>
Result<PlayerFactory> open_uct(const G& game, PlayerText& text) {
  const auto options = read_tree_options(text, ":N", search::Formula::ucb1, 0.7);
  if (auto status = text.finish(); !status) return std::move(status).error();
  return tree_players(game, options, search::PlayoutEvaluator{});
}

template <games::Game G>
Result<PlayerFactory> open_puct(const G& game, PlayerText& text) {
  constexpr std::string_view kEvaluators[] = {"playouts", "exact"};
  const auto options = read_tree_options(text, ":N", search::Formula::puct, 1.5);
  const bool exact =
      text.word("eval=E", "random games, or the table of a solved game", kEvaluators) == "exact";
  if (auto status = text.finish(); !status) return std::move(status).error();
  if constexpr (exact::Exact<G>::kHasTable) {
    const exact::Exact<G> table(game);
    if (exact && table.is_at_hand()) return tree_players(game, options, table.evaluator());
  }
  if (exact) {
    return text.error(Error{
        fmt::format("{} has no exact table for eval=exact; expected playouts", G::facts().name)});
  }
  return tree_players(game, options, search::PlayoutEvaluator{});
}

template <games::Game G>
Result<PlayerFactory> open_perfect(const G& game, PlayerText&) {
  return search_players<G>([game] {
    return [exact = std::make_shared<exact::Exact<G>>(game)](
               const games::History<G>& history, RandomStream& random, bool every_move,
               search::Watch* watch) { return exact->report(history, random, every_move, watch); };
  });
}

}  // namespace damier::play::detail
