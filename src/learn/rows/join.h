// Several data sets of the same kind made one, as parts that were made one after the other or on
// machines that know nothing of each other.
#pragma once

#include <filesystem>
#include <span>

#include "damier/learn/rows/data_set.h"

namespace damier::learn {

// Writes the rows of all parts, each in its split, to `path`; returns what the new file says of
// itself. Groups that are numbers of a part's own (games, boards) are numbered anew. Wrong: parts
// of other columns, games or encoders, the same part twice, a group in two splits.
Result<Json> join_data_sets(std::span<const DataSet> parts, const std::filesystem::path& path);

}  // namespace damier::learn
