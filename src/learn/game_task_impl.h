// All templates behind game_task.h, for whoever compiles a game's task.
#pragma once

#include "damier/learn/actors.h"
#include "damier/learn/game_task.h"
#include "damier/learn/judge_impl.h"
#include "damier/learn/labels_impl.h"
#include "damier/learn/sources/rewards/game_task_games_in_play.h"
#include "damier/learn/sources/self_play/game_task_self_play.h"
#include "damier/learn/tasks.h"

namespace damier::learn {

template <games::Game G>
GameTask<G>::GameTask()
    : Task(model::encoders_of<G>(),
           {.defaults = Labels<G>::defaults(),
            .splits = {"class", "game", "none"},
            .options = Labels<G>::options(),
            .main_metric = Judge<G>::main_metric(),
            .curve_metrics = Judge<G>::curve_metrics(),
            .potentials = ActorsOf<G>::potentials(),
            .plain_teacher = games::HasHeuristic<G> ? "minimax:3" : "uct:400"}) {}

template <games::Game G>
std::vector<Column> GameTask<G>::columns(const GenerateOptions& options) const {
  return Labels<G>::columns(*this, options);
}

template <games::Game G>
Result<RowsWork> GameTask<G>::rows_work(const GenerateOptions& options, ThreadPool& pool) const {
  return Labels<G>::rows_work(*this, options, pool);
}

template <games::Game G>
Status GameTask<G>::check_together(const GenerateOptions& options) const {
  return Labels<G>::check_together(*this, options);
}

template <games::Game G>
Status GameTask<G>::write_text(const DataSet& data, const std::filesystem::path& path) const {
  return Labels<G>::write_text(data, path);
}

template <games::Game G>
Status GameTask<G>::check_opponent(std::string_view encoder, std::string_view player) const {
  const auto read = TRY(model::find_encoder<G>(encoder));
  return check_asked(read->game(), player);
}

template <games::Game G>
std::vector<std::string> GameTask<G>::evaluated_sets() const {
  return Judge<G>::sets();
}

template <games::Game G>
Result<std::vector<Metric>> GameTask<G>::evaluate(model::Predictor& network,
                                                  std::string_view encoder,
                                                  std::string_view set) const {
  return Judge<G>::evaluate_set(network, encoder, set);
}

template <games::Game G>
Result<std::vector<Metric>> GameTask<G>::evaluate(model::Predictor& network,
                                                  std::string_view encoder, const DataSet& data,
                                                  Split split) const {
  return Judge<G>::evaluate_data(network, encoder, data, split);
}

template <games::Game G>
const GameTask<G>& game_task() {
  static const GameTask<G> task;
  return task;
}

template <class G>
void add_game_task(Tasks& tasks) {
  if constexpr (games::Game<G>) tasks.add(game_task<G>());
}

}  // namespace damier::learn
