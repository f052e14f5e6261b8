// The players that search, for a game of any type: each declares its options and makes the search
// that it asks.
#pragma once

#include "damier/exact/reachable.h"
#include "damier/play/players/answering_player.h"
#include "damier/search/alpha_beta.h"
#include "damier/search/evaluator.h"
#include "damier/search/monte_carlo.h"
#include "damier/search/tree.h"

namespace damier::play::detail {

inline constexpr std::int64_t kMaxPlayouts = 1'000'000'000;
// What alpha-beta remembers of single positions: it is cleared for each of them.
inline constexpr std::size_t kPositionTable = std::size_t{1} << 14;

inline std::int64_t read_playouts(PlayerText& text) {
  return text.integer(":N", "random games for every legal move", 1, kMaxPlayouts, 100);
}

inline double read_seconds(PlayerText& text) {
  return text.number("seconds=S", "seconds per move, instead of a number or with one", 0.001, 1e6)
      .value_or(0);
}

template <games::Game G>
Result<PlayerFactory> open_minimax(const G& game, PlayerText& text) {
  Ask limits;
  limits.depth = static_cast<int>(text.integer(":D", "plies to look ahead", 1, 100, 4));
  limits.nodes = static_cast<std::uint64_t>(
      text.integer("nodes=N", "stop after this many positions", 1, std::int64_t{1} << 50)
          .value_or(0));
  limits.seconds = read_seconds(text);
  search::AlphaBetaOptions options;
  options.table_bytes = static_cast<std::size_t>(
                            text.integer("table=M", "memory for positions in MiB", 1, 1 << 16, 16))
                        << 20;
  options.draws_ties = text.use() != PlayerUse::one_best;
  if (text.use() != PlayerUse::games && !text.has("table")) options.table_bytes = kPositionTable;
  TRY(text.finish());
  return answering_players<G, search::AlphaBeta<G>>(limits, game, options);
}

// A game may have options of its own for these two (OwnPlayers<G>): the faults of a published
// program, for the study of it.
template <games::Game G>
Result<PlayerFactory> open_flat(const G&, PlayerText& text) {
  const auto playouts = static_cast<std::uint64_t>(read_playouts(text));
  bool last_untried = false;
  if constexpr (requires { OwnPlayers<G>::read_flat_faults(text); }) {
    last_untried = OwnPlayers<G>::read_flat_faults(text);
  }
  TRY(text.finish());
  return answering_players<G, search::FlatSearch<G>>({}, playouts, last_untried);
}

template <games::Game G>
Result<PlayerFactory> open_ucb(const G&, PlayerText& text) {
  const auto playouts = static_cast<std::uint64_t>(read_playouts(text));
  search::BanditOptions options;
  options.c = text.number("c=X", "how much to explore", 0, 1000, options.c);
  if constexpr (requires { OwnPlayers<G>::read_bandit_faults(text, options); }) {
    OwnPlayers<G>::read_bandit_faults(text, options);
  }
  TRY(text.finish());
  return answering_players<G, search::BanditSearch<G>>({}, playouts, options);
}

struct TreeSettings {
  search::TreeOptions options;
  Ask limits;
};

// `simulations` is the form of the option that says how many; `c` the default of exploration.
inline TreeSettings read_tree_settings(PlayerText& text, std::string_view simulations,
                                       search::Formula formula, double c) {
  TreeSettings settings;
  settings.options.formula = formula;
  const auto number =
      text.integer(simulations, "simulations per move, 1000 if no time is given", 1, kMaxPlayouts);
  settings.options.c = text.number("c=X", "how much to explore", 0, 1000, c);
  settings.limits.seconds = read_seconds(text);
  // With a time to keep, that alone ends the search unless a number is given too.
  settings.limits.nodes =
      static_cast<std::uint64_t>(number.value_or(settings.limits.seconds > 0 ? 0 : 1000));
  settings.options.trees = static_cast<int>(text.integer(
      "threads=T", "number of trees searched in parallel; visits are summed", 1, 256, 1));
  settings.options.at_once = true;
  settings.options.keeps_tree = text.use() == PlayerUse::games;
  return settings;
}

// Every player has a copy of the evaluator.
template <games::Game G, class Evaluator>
PlayerFactory tree_players(const G& game, const TreeSettings& settings, Evaluator evaluator) {
  return [game, settings, shared = std::make_shared<const Evaluator>(std::move(evaluator))] {
    return std::make_unique<AnsweringPlayer<G, search::TreeSearch<G, Evaluator>>>(
        settings.limits, game, settings.options, *shared);
  };
}

template <games::Game G>
Result<PlayerFactory> open_uct(const G& game, PlayerText& text) {
  const auto settings = read_tree_settings(text, ":N", search::Formula::ucb1, 0.7);
  TRY(text.finish());
  return tree_players(game, settings, search::PlayoutEvaluator{});
}

template <games::Game G>
Result<PlayerFactory> open_puct(const G& game, PlayerText& text) {
  constexpr std::string_view kEvaluators[] = {"playouts", "exact"};
  const auto settings = read_tree_settings(text, ":N", search::Formula::puct, 1.5);
  const bool exact =
      text.word("eval=E", "random games, or the table of a solved game", kEvaluators) == "exact";
  TRY(text.finish());
  if constexpr (exact::kHasTable<G>) {
    exact::Exact<G> table(game);
    if (exact && table.is_at_hand()) return tree_players(game, settings, std::move(table));
  }
  if (exact) {
    return Error{
        fmt::format("{} has no exact table for eval=exact; expected playouts", G::facts().name)};
  }
  return tree_players(game, settings, search::PlayoutEvaluator{});
}

// The exact solution of any game that can be solved.
template <games::Game G>
Result<PlayerFactory> open_exact(const G& game, PlayerText& text) {
  if constexpr (exact::kHasSource<G>) {
    TRY(text.finish());
    TRY(exact::Exact<G>::load(game));
    return PlayerFactory([game] {
      return std::make_unique<AnsweringPlayer<G, exact::Exact<G>>>(
          Ask{}, exact::Exact<G>::load(game).value());
    });
  } else {
    return Error{
        fmt::format("{} is not solved: it has no exact teacher; expected another player, "
                    "as minimax:4 or uct:1000",
                    G::facts().name)};
  }
}

}  // namespace damier::play::detail
