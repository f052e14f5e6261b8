// Any game of two players as something to learn: positions with what a teacher says of them, games
// of a network against itself. The game's features are the input, its action indices the outputs,
// its symmetries the groups, unless the game has encoders of its own (model/encoder.h), labels, a
// judge or actors (labels.h, judge.h, actors.h).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/games/game.h"
#include "damier/learn/task.h"

namespace damier::learn {

template <games::Game G>
class SelfPlayGame;  // learn/sources/self_play/game_in_play.h

template <games::Game G>
class GameTask final : public Task {
 public:
  GameTask();

  std::vector<Column> columns(const GenerateOptions& options) const override;
  Result<RowsWork> rows_work(const GenerateOptions& options, ThreadPool& pool) const override;
  Status write_text(const DataSet& data, const std::filesystem::path& path) const override;
  std::vector<std::string> evaluated_sets() const override;
  Result<std::vector<Metric>> evaluate(model::Predictor& network, std::string_view encoder,
                                       std::string_view set) const override;
  Result<std::vector<Metric>> evaluate(model::Predictor& network, std::string_view encoder,
                                       const DataSet& data, Split split) const override;
  Result<Worker> self_play_worker(const SelfPlayOptions& options, const SelfPlayGames& games,
                                  const model::Predictor& network, ThreadPool& pool) const override;
  Result<Worker> self_play_match_worker(const SelfPlayOptions& options, const MatchRequest& request,
                                        const model::Predictor& network, const Opponent& opponent,
                                        ThreadPool& pool) const override;
  Result<std::unique_ptr<GamesInPlay>> games_in_play(
      const GamesInPlayOptions& options) const override;
  Status check_opponent(std::string_view encoder, std::string_view player) const override;

 private:
  Status check_together(const GenerateOptions& options) const override;
};

// The task of a game. Those of the games that ship are compiled once, and never inlined, so that
// everybody finds them; for others include learn/game_task_impl.h (learn/add_game.h does).
template <games::Game G>
[[gnu::noinline]] const GameTask<G>& game_task();

// Adds it; nothing for a game of one player, which has tasks of its own if any.
class Tasks;
template <class G>
void add_game_task(Tasks& tasks);

}  // namespace damier::learn
