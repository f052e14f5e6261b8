// Domineering as something to learn. Games of named players on boards of many sizes give the
// positions, and the exact solver says which moves win.
#pragma once

#include "damier/games/domineering/domineering.h"
#include "damier/learn/labels.h"

namespace damier::learn {

// Beside the columns of every game:
//   policy    1 at each move that wins; of a lost position, at those that leave the fewest winning
//             answers or, with more than 32 free cells, that took the solver longest to refute
//   known     1 at each legal move of which is known whether it wins
template <>
struct Labels<games::domineering::Domineering> : GenericLabels<games::domineering::Domineering> {
  using Domineering = games::domineering::Domineering;

  static std::vector<TaskOption> options();
  static std::vector<std::string> state_words();
  static Status check_together(const Task& task, const GenerateOptions& options);
  static std::function<TaughtByNumber<Domineering>()> own_games(const Task& task,
                                                                const Domineering& game,
                                                                const GenerateOptions& options);
  static std::vector<Column> policy_columns(const Encoder& encoder);
  static void write_more(const Encoder& encoder, const State& state,
                         const Lesson<Domineering>& lesson, RowBuffer& rows);
};

}  // namespace damier::learn
