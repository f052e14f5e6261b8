// Chess as something to learn. Positions of games, played by our engine or read from a file, are
// learnt with their value alone:
//
//   input     the encoder's numbers (model/chess/encoders.h), or those that they follow from
//   target    what White may expect, from 0 to 1: the score through a sigmoid, the result of the
//             game, or something between
//   score     hundredths of a pawn, White's
//   result    of the game, White's: 1, 0.5 or 0
//   value     the target for the side to move, from -1 to 1
//   position  its text, in bytes; zeros behind it
//   group     the game
//
// Rows of the encoder "pieces" are short, 40 bytes: input, score, result and group, and all are
// those of the side to move.
#pragma once

#include "damier/games/chess/chess.h"
#include "damier/learn/game_task.h"
#include "damier/learn/judge.h"
#include "damier/learn/labels.h"

namespace damier::learn {

template <>
struct Labels<games::chess::Chess> : GenericLabels<games::chess::Chess> {
  static GenerateOptions defaults();
  static std::vector<TaskOption> options();
  static std::vector<std::string> state_words();
  static Status check_together(const Task& task, const GenerateOptions& options);
  static std::vector<Column> columns(const Task& task, const GenerateOptions& options);
  static Result<RowsWork> rows_work(const Task& task, const GenerateOptions& options,
                                    ThreadPool& pool);
  // Of positions with their value: as the report has them.
  static Status write_text(const DataSet& data, const std::filesystem::path& path);
};

template <>
struct Judge<games::chess::Chess> : GenericJudge<games::chess::Chess> {
  static std::vector<std::string> curve_metrics();
  // Rows that hold scores are compared with those.
  static Result<std::vector<Metric>> evaluate_data(model::Predictor& network,
                                                   std::string_view encoder, const DataSet& data,
                                                   Split split);
};

}  // namespace damier::learn
