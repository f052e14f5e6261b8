// Rows that a program makes itself and keeps in memory, for a network that learns something else
// than one of the games. parse_rows_recipe() reads the recipe, train() learns from the rows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "damier/learn/rows/data_set_writer.h"
#include "damier/learn/train/recipe.h"

namespace damier::learn {

class Rows {
 public:
  // The columns are the network's input and what the recipe's heads ask for.
  explicit Rows(const Recipe& recipe);

  // One row: the network's input, and one list of numbers for every other column, in the order of
  // the heads: the target of each and, where it has them, its mask and what is mixed in.
  void add(const std::vector<double>& input, const std::vector<std::vector<double>>& targets,
           Split split = Split::training);

  // The rows, which are no longer here then; an error when one of them does not fit.
  Result<DataSet> finish();

 private:
  void note_error(std::string message);

  bool doubles_;
  MemoryRows rows_;
  std::int64_t count_ = 0;
  std::optional<Error> error_;
};

}  // namespace damier::learn
