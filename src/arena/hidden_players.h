// Players of games with hidden information, and how well they do. A player sees what a session
// shows it, never the state behind it.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "damier/arena/players.h"
#include "damier/base/interrupt.h"
#include "damier/base/program_name.h"
#include "damier/base/workers.h"
#include "damier/games/any_game_impl.h"
#include "damier/games/hidden_result.h"
#include "damier/games/history.h"

namespace damier::arena::detail {

// Whole games, move by move: game i with what deals[i] hides and the chance of random[i].
template <games::HiddenGame G>
void play_sessions(const games::AnyGame& game, Player& player, std::span<const Seed> deals,
                   std::span<RandomStream> random, std::span<games::HiddenResult> results) {
  for (std::size_t i = 0; i < deals.size(); ++i) {
    const auto session = game.start(deals[i]);
    while (session->outcome() == games::Outcome::ongoing && !interrupted()) {
      session->play(player.choose(*session, random[i]));
    }
    const auto& history = games::history_of<G>(*session);
    results[i] = {session->outcome() == games::Outcome::first_wins,
                  history.game().score(history.state())};
  }
}

template <games::HiddenGame G>
void play_hidden(const games::AnyGame& game, Player& player, std::span<const Seed> deals,
                 std::span<RandomStream> random, std::span<games::HiddenResult> results) {
  play_sessions<G>(game, player, deals, random, results);
}

template <games::HiddenGame G>
Result<Evaluation> evaluate_hidden(const Toolkit& toolkit, const std::string& player,
                                   std::uint64_t games, Seed seed, ThreadPool& pool,
                                   const std::function<void(std::uint64_t)>& on_done) {
  const auto opened = open_player(toolkit, player);
  if (!opened) return opened.error();
  if (opened->is_human())
    return Error{fmt::format("a human cannot be evaluated; see `{} help players`", program_name())};
  constexpr std::uint64_t kChunk = 64;
  const std::uint64_t chunks = (games + kChunk - 1) / kChunk;
  std::vector<std::uint8_t> won(games);
  std::vector<double> scores(games);
  std::mutex mutex;
  std::uint64_t done = 0;  // guarded by mutex
  Workers<std::unique_ptr<Player>> players;
  const auto play_chunk = [&](const std::unique_ptr<Player>& mine, std::size_t chunk) {
    if (interrupted()) return;
    const std::uint64_t begin = chunk * kChunk, end = std::min(games, begin + kChunk);
    std::vector<Seed> deals;
    std::vector<RandomStream> random;
    std::vector<games::HiddenResult> results(end - begin);
    for (std::uint64_t i = begin; i < end; ++i) {
      deals.push_back(Seed{RandomStream(seed, "eval.deal", i)()});
      random.emplace_back(seed, "eval.player", i);
    }
    play_hidden<G>(toolkit.game(), *mine, deals, random, results);
    if (interrupted()) return;  // games may have been cut short
    for (std::uint64_t i = begin; i < end; ++i) {
      won[i] = results[i - begin].won;
      scores[i] = results[i - begin].score;
    }
    const std::lock_guard lock(mutex);
    done += end - begin;
    if (on_done) on_done(end - begin);
  };
  players.for_each(
      pool, chunks, [&] { return opened->make(); }, play_chunk);
  Evaluation evaluation;
  if (done < games) return evaluation;  // interrupted: a part would depend on the threads
  evaluation.games = games;
  evaluation.scores = std::move(scores);
  for (const std::uint8_t one : won) evaluation.wins += one;
  return evaluation;
}

}  // namespace damier::arena::detail
