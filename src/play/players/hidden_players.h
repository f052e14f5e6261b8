// Players of games with hidden information, and how well they do. A player sees what a session
// shows it, never the state behind it.
#pragma once

#include <algorithm>

#include "damier/base/files/bytes.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/parallel/ranks.h"
#include "damier/base/text/program_name.h"
#include "damier/games/any_game_impl.h"
#include "damier/games/history.h"
#include "damier/games/outcome.h"
#include "damier/play/players/players.h"

namespace damier::play::detail {

// Whole games, move by move: game i with what deals[i] hides and the chance of random[i].
template <games::HiddenGame G>
std::vector<games::HiddenResult> play_sessions(const games::AnyGame& game, Player& player,
                                               std::span<const Seed> deals,
                                               std::span<RandomStream> random) {
  std::vector<games::HiddenResult> results;
  for (std::size_t i = 0; i < deals.size(); ++i) {
    const auto session = game.start(deals[i]);
    while (session->outcome() == games::Outcome::ongoing && !interrupted()) {
      session->play(player.choose(*session, random[i]));
    }
    const auto& history = games::history_of<G>(*session);
    results.push_back(
        {session->outcome() == games::Outcome::first_wins, history.game().score(history.state())});
  }
  return results;
}

template <games::HiddenGame G>
std::vector<games::HiddenResult> play_hidden(const games::AnyGame& game, Player& player,
                                             std::span<const Seed> deals,
                                             std::span<RandomStream> random) {
  return play_sessions<G>(game, player, deals, random);
}

template <games::HiddenGame G>
Result<Worker> hidden_worker(const Toolkit& toolkit, const std::string& player, std::uint64_t games,
                             Seed seed, ThreadPool& pool) {
  const auto opened = TRY(open_player(toolkit, player));
  if (opened.is_human()) {
    return Error{fmt::format("a human cannot be evaluated; see `{} help players`", program_name())};
  }
  return each_number(pool, [&toolkit, games, seed, make = opened.make] {
    const std::shared_ptr<Player> mine = make();
    return [&toolkit, games, seed, mine](std::uint64_t chunk) {
      const std::uint64_t begin = chunk * kEvaluationChunk;
      const std::uint64_t end = std::min(games, begin + kEvaluationChunk);
      std::vector<Seed> deals;
      std::vector<RandomStream> random;
      for (std::uint64_t i = begin; i < end; ++i) {
        deals.push_back(Seed{RandomStream(seed, "eval.deal", i)()});
        random.emplace_back(seed, "eval.player", i);
      }
      ByteWriter bytes;
      for (const games::HiddenResult& result :
           play_hidden<G>(toolkit.game(), *mine, deals, random)) {
        bytes.number(result.won).number<double>(result.score);
      }
      return bytes.take();
    };
  });
}

}  // namespace damier::play::detail
