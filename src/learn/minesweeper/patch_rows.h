// The rows of a data set of patches: made by all threads, in the order that was asked for.
//
// Each patch and each of its masks has a random stream of its own, so that a row is the same
// whichever thread makes it, and whatever the order.
#pragma once

#include "damier/learn/minesweeper/patch_task.h"

namespace damier::learn {

// All rows of all splits; what it returns describes them. Both options have been checked.
Result<Json> write_patch_rows(const PatchOptions& patch_options, const GenerateOptions& options,
                              ThreadPool& pool, RowSink& sink);

}  // namespace damier::learn
