// All templates behind game_task.h, for the file that compiles a game's task.
#pragma once

#include "damier/learn/game_task_evaluation.h"
#include "damier/learn/game_task_rows.h"
#include "damier/learn/sources/rewards/game_task_games_in_play.h"
#include "damier/learn/sources/self_play/game_task_self_play.h"
#include "damier/learn/tasks.h"

namespace damier::learn {

template <games::Game G>
TaskFacts GameTask<G>::usual_facts(std::vector<std::string> states) {
  constexpr bool kHasHeuristic = games::HasHeuristic<G>;
  TaskFacts facts = {
      .splits = {"class", "game", "none"},
      .options = usual_options(exact::kHasSource<G> ? "exact" : "minimax:3", std::move(states),
                               model::encoders_of<G>().names, G::options()),
      .main_metric = "value_kept",
      .plain_teacher = kHasHeuristic ? "minimax:3" : "uct:400"};
  if (kHasHeuristic) facts.potentials.emplace_back("heuristic");
  return facts;
}

template <games::Game G>
double GameTask<G>::potential([[maybe_unused]] const G& game, std::string_view,
                              [[maybe_unused]] const State& state) const {
  if constexpr (games::HasHeuristic<G>) return game.heuristic(state) / 100.0;
  return 0;
}

template <games::Game G>
Status GameTask<G>::check_opponent(std::string_view encoder, std::string_view player) const {
  const auto read = TRY(model::find_encoder<G>(encoder));
  return check_asked(read->game(), player);
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
