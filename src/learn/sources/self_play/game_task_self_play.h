// How a game's task plays a network against itself and against others: numbered games, many at
// once on every thread. The same numbers give the same games, however many threads play them. For
// whoever compiles a game's task.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "damier/base/files/interrupt.h"
#include "damier/learn/game_task.h"
#include "damier/learn/rows/row_buffer.h"
#include "damier/learn/sources/self_play/leaves.h"
#include "damier/learn/sources/self_play/match_game.h"

namespace damier::learn {

namespace detail {

// What one thread does until there is no number left: `make(number)` begins a game, `over(number,
// game)` takes it when it has ended.
template <games::Game G, class InPlay, class Make, class Over>
void play_at_once(std::size_t seats_count, NumberedWork& work, std::span<Leaves<G, InPlay>> leaves,
                  const Make& make, const Over& over) {
  struct Seat {
    std::unique_ptr<InPlay> game;
    std::uint64_t number = 0;
  };
  std::vector<Seat> seats(seats_count);
  while (!interrupted()) {
    bool any = false;
    for (Seat& seat : seats) {
      for (;;) {
        if (seat.game == nullptr) {
          const auto number = work.next();
          if (!number) break;
          seat.number = *number;
          seat.game = make(seat.number);
        }
        const auto* leaf = seat.game->advance();
        if (leaf == nullptr) {
          over(seat.number, *seat.game);
          seat.game.reset();
        } else if (!leaves[*seat.game->asks()].settle_or_wait(*leaf, *seat.game)) {
          any = true;
          break;
        }
      }
    }
    if (!any && !work.wait()) return;
    for (auto& one : leaves) one.evaluate();
  }
}

// A worker whose threads each play that many games at once.
template <class Play>
Worker playing_worker(ThreadPool& pool, int games_at_once, Play play) {
  const auto threads = static_cast<std::size_t>(pool.size());
  const auto seats = static_cast<std::size_t>(games_at_once);
  return {seats * threads, [=, &pool](NumberedWork& work) -> Status {
            pool.for_each(threads, [&](std::size_t) { play(work, seats); });
            return Done{};
          }};
}

// A row for each position, in one of its images under the game's symmetries, drawn at random.
template <games::Game G>
void add_self_play_rows(const model::Encoder<G>& encoder, std::uint64_t number,
                        SelfPlayGame<G>& played, RowBuffer& rows) {
  const G& game = encoder.game();
  for (const LearntPosition<G>& position : played.positions()) {
    const auto symmetries = game.symmetries(position.state);
    const games::Symmetry symmetry =
        symmetries[static_cast<std::size_t>(played.random().below(symmetries.size()))];
    const typename G::State state = game.transformed(position.state, symmetry);
    rows.add_row();
    encoder.store(state, rows.template last<float>("input"));
    const auto policy = rows.template last<float>("moves");
    const auto legal = rows.template last<std::uint8_t>("legal");
    for (const typename G::Move move : game.legal_moves(state)) {
      legal[static_cast<std::size_t>(encoder.output_of(state, move))] = 1;
    }
    for (const auto& [move, share] : position.policy) {
      const typename G::Move image = game.transformed(move, symmetry);
      policy[static_cast<std::size_t>(encoder.output_of(state, image))] += share;
    }
    rows.template last<float>("value")[0] = played.target(position);
    rows.template last<std::int64_t>(kGroupColumn)[0] = static_cast<std::int64_t>(number);
  }
}

}  // namespace detail

template <games::Game G>
Result<Worker> GameTask<G>::self_play_worker(const SelfPlayOptions& options,
                                             const SelfPlayGames& games,
                                             const model::Predictor& network,
                                             ThreadPool& pool) const {
  const auto read = TRY(model::find_encoder<G>(games.encoder));
  const auto columns = TRY(self_play_columns(games.encoder));
  const auto evaluator =
      TRY(model::NetworkEvaluator<G>::make(read->game(), games.encoder, network.clone()));
  const auto play = [=](NumberedWork& work, std::size_t seats) {
    std::vector<Leaves<G, SelfPlayGame<G>>> leaves;
    leaves.emplace_back(read->game(), evaluator, options.cache);
    SelfPlayFigures told;  // of the leaves, with the games that are over
    detail::play_at_once<G, SelfPlayGame<G>>(
        seats, work, std::span(leaves),
        [&](std::uint64_t number) {
          return std::make_unique<SelfPlayGame<G>>(read->game(), options, games, number);
        },
        [&](std::uint64_t number, SelfPlayGame<G>& game) {
          SelfPlayFigures figures = game.figures();
          const auto since = [](std::uint64_t now, std::uint64_t& before) {
            return now - std::exchange(before, now);
          };
          figures.evaluations = since(leaves[0].asked(), told.evaluations);
          figures.passes = since(leaves[0].passes(), told.passes);
          figures.cached = since(leaves[0].cached(), told.cached);
          RowBuffer rows(columns);
          detail::add_self_play_rows(*read, number, game, rows);
          work.answer(number, packed_game(figures, rows));
        });
  };
  return detail::playing_worker(pool, options.games_at_once, play);
}

template <games::Game G>
Result<Worker> GameTask<G>::self_play_match_worker(const SelfPlayOptions& options,
                                                   const SelfPlayGames& games,
                                                   const model::Predictor& network,
                                                   const Opponent& opponent,
                                                   ThreadPool& pool) const {
  const auto read = TRY(model::find_encoder<G>(games.encoder));
  std::vector<model::NetworkEvaluator<G>> evaluators;
  for (const model::Predictor* one : {&network, opponent.network}) {
    if (one == nullptr) continue;
    auto evaluator =
        TRY(model::NetworkEvaluator<G>::make(read->game(), games.encoder, one->clone()));
    evaluators.push_back(std::move(evaluator));
  }
  play::OpenedPlayer player;
  if (opponent.network == nullptr) player = TRY(open_asked(read->game(), opponent.name));
  const auto play = [=](NumberedWork& work, std::size_t seats) {
    std::vector<Leaves<G, MatchGame<G>>> leaves;
    for (const auto& evaluator : evaluators) {
      leaves.emplace_back(read->game(), evaluator, options.cache);
    }
    const auto own = player.make ? player.make() : nullptr;
    detail::play_at_once<G, MatchGame<G>>(
        seats, work, std::span(leaves),
        [&](std::uint64_t number) {
          return std::make_unique<MatchGame<G>>(read->game(), options, games, number,
                                                static_cast<int>(evaluators.size()), own.get());
        },
        [&](std::uint64_t number, MatchGame<G>& game) {
          work.answer(number, packed_match_game(game.played()));
        });
  };
  return detail::playing_worker(pool, options.games_at_once, play);
}

}  // namespace damier::learn
