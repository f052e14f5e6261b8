// Les Tacticiens de Brême as something to learn, also from positions with their exact answers.
#pragma once

#include "damier/games/bremen/bremen.h"
#include "damier/learn/actors.h"
#include "damier/learn/labels.h"

namespace damier::learn {

template <>
struct Labels<games::bremen::Bremen> : GenericLabels<games::bremen::Bremen> {
  static std::vector<TaskOption> options();
  static Status check_together(const Task& task, const GenerateOptions& options);
  static std::string judged_file(const Task& task, const GenerateOptions& options);
};

template <>
struct ActorsOf<games::bremen::Bremen> : GenericActors<games::bremen::Bremen> {
  static std::vector<std::string> potentials();
  static double potential(const games::bremen::Bremen& game, std::string_view name,
                          const games::bremen::State& state);
};

}  // namespace damier::learn
