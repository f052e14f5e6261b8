// All templates behind game_task.h, for whoever compiles a game's task.
#pragma once

#include "damier/learn/game_task_evaluation.h"
#include "damier/learn/game_task_occlusion.h"
#include "damier/learn/game_task_rows.h"
#include "damier/learn/sources/rewards/game_task_games_in_play.h"
#include "damier/learn/sources/self_play/game_task_self_play.h"
#include "damier/learn/tasks.h"

namespace damier::learn {

template <games::Game G>
std::optional<PlainTask> GameTask<G>::plain_task(std::string_view encoder) const {
  const auto read = reading(encoder.empty() ? encoders().front() : encoder);
  if (!read) return std::nullopt;
  return PlainTask{.task = name(),
                   .input = shape_of(read->game, read->encoder),
                   .actions = output_count(read->game, read->encoder),
                   .teacher = games::HasHeuristic<G> ? "minimax:3" : "uct:400",
                   .sets = evaluated_sets()};
}

template <games::Game G>
Json GameTask<G>::recipe(std::string_view encoder) const {
  const auto plain = plain_task(encoder);
  return plain ? plain_recipe(*plain) : Json(nullptr);
}

template <games::Game G>
Json GameTask<G>::self_play_recipe(std::string_view encoder) const {
  const auto plain = plain_task(encoder);
  return plain ? plain_self_play_recipe(*plain) : Json(nullptr);
}

template <games::Game G>
Json GameTask<G>::reinforcement_recipe(std::string_view encoder, std::string_view method) const {
  const auto plain = plain_task(encoder);
  return plain ? plain_reinforcement_recipe(*plain, method) : Json(nullptr);
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
