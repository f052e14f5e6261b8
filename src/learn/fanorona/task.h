// Fanoron-telo as something to learn: every state with what the exact table, or a search, says.
// "Right" is asked of the table, whatever teacher made the labels.
#pragma once

#include "damier/games/fanorona/fanorona.h"
#include "damier/learn/game_task.h"
#include "damier/learn/judge.h"
#include "damier/learn/labels.h"

namespace damier::learn {

// Beside the columns of every game, without "position":
//   policy    (18): departures then arrivals, each a distribution; a network may learn it instead
//             of "moves"
//   phase     how many pieces have moved
//   state     the state's number in exact::FanoronaIndexer
template <>
struct Labels<games::fanorona::Fanorona> : GenericLabels<games::fanorona::Fanorona> {
  using Fanorona = games::fanorona::Fanorona;

  static std::vector<TaskOption> options();
  static std::vector<std::string> state_words() { return {"all", "reachable", "play"}; }
  static Status check_together(const Task& task, const GenerateOptions& options);
  static Result<std::vector<State>> listed(const Fanorona& game, std::string_view which);
  static std::vector<State> drawn(const Task& task, std::vector<State> states,
                                  const GenerateOptions& options);
  static std::vector<Column> policy_columns(const Encoder& encoder);
  static std::vector<Column> place_columns(const Fanorona& game);
  static void write_more(const Encoder& encoder, const State& state, const Lesson<Fanorona>& lesson,
                         RowBuffer& rows);
  static Result<std::vector<State>> states_in(const Fanorona& game, const DataSet& data,
                                              Split split);
  static std::int64_t group_of(const Fanorona& game, const State& state);
};

template <>
struct Judge<games::fanorona::Fanorona> : GenericJudge<games::fanorona::Fanorona> {
  static std::vector<std::string> sets() { return {"all", "reachable"}; }
  // The report's own question: do the highest departure and the highest arrival name the label?
  static bool names_label(const model::MoveHeads& heads, const model::Predictor& network,
                          std::size_t row, int label, games::Action chosen);
};

const GameTask<games::fanorona::Fanorona>& fanorona_task();

}  // namespace damier::learn
