// Minesweeper's patches as something to learn: is there a bomb under the centre?
//
// Rows come as masks of patches (or as sights of one board in play), and all masks of a patch are
// one group, so that no split sees what another has learnt by heart.
#pragma once

#include "damier/games/minesweeper/minesweeper.h"
#include "damier/learn/task.h"
#include "damier/model/minesweeper/patch.h"

namespace damier::learn {

// The columns of a data set:
//   input      the codes of the cells, each kept as a byte 4 higher (patch_encoder.h)
//   bomb       1 where the centre hides a bomb, 0 elsewhere
//   uncovered  safe cells of the patch that are open
//   group      the patch's number, or the board's
const Task& minesweeper_patch_task();

// In which order the rows of each split are written.
enum class PatchOrder : std::uint8_t {
  mixed,        // patches at random, and their masks far from each other
  safe_first,   // first all rows with a safe centre ("NoBM BM" in the report)
  bombs_first,  // first all rows with a bomb in the centre ("BM NoBM")
  alternate,    // so many rows with a safe centre, so many with a bomb, and so on
};

// What GenerateOptions say, in this task's own words.
struct PatchOptions {
  int diameter = 5;
  games::minesweeper::Minesweeper game;
  double bomb_share = 0.5;  // negative: as the boards in play have it
  int masks = 10;
  bool flags = false;
  bool duplicates = true;
  std::uint32_t pool = 0;  // without duplicates: drawn from so many of each kind; 0: the first ones
  bool play = false;       // the source: boards in play, or the report's generator
  PatchOrder order = PatchOrder::mixed;
  std::uint64_t run = 1;  // of alternate
};
Result<PatchOptions> read_patch_options(const GenerateOptions& options);

// All rows of all splits, made by all threads in the order that was asked for; what it returns
// describes them. Both options have been checked. Each patch and each of its masks has a random
// stream of its own, so that a row is the same whichever thread makes it, and whatever the order.
Result<Json> write_patch_rows(const PatchOptions& patch_options, const GenerateOptions& options,
                              ThreadPool& pool, RowSink& sink);

// The report's test set, drawn from a stream that no training uses.
GenerateOptions fresh_patches(std::string_view encoder, bool flags);

// What a network says of one row.
struct EvaluatedPatch {
  std::int64_t group = 0;
  float probability = 0;
  std::uint8_t uncovered = 0;
  bool bomb = false;

  // The report's "erreur absolue".
  double error() const { return bomb ? 1.0 - probability : static_cast<double>(probability); }
};
Result<std::vector<EvaluatedPatch>> evaluate_patches(model::Predictor& network,
                                                     std::string_view encoder, const DataSet& data,
                                                     Split split);
// accuracy (at 0.5), mean_absolute_error and mean_squared_error; the intervals know that masks of
// one patch are alike.
std::vector<Metric> patch_metrics(std::vector<EvaluatedPatch> patches);

}  // namespace damier::learn
