// Steps of a network on rows, whether they were labelled or come from games of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "damier/learn/sources/row_reader.h"
#include "damier/learn/train/learner.h"
#include "damier/nn/local_rule.h"

namespace damier::learn {

template <class T>
class RowLessons {
 public:
  // On rows with these columns, which must fit the recipe.
  RowLessons(Learner<T>& learner, std::span<const Column> columns, const std::string& encoder);

  // The columns whose bytes learn() takes, as indices into those of the rows.
  const std::vector<int>& columns() const { return reader_.columns(); }
  // One step; the sum of the rows' losses before it.
  double learn(typename RowReader<T>::Bytes bytes, std::span<const std::uint32_t> rows);

  // The share of the steps' time that went into making batches of the rows: turning, gathering and
  // expanding them. Some steps are timed for it.
  double loading_share() const { return step_time_ > 0 ? loading_time_ / step_time_ : 0; }

 private:
  void find_symmetries(const std::string& encoder);
  void choose_symmetries(std::size_t rows);
  // One of the rows after the other; their loss before each step.
  double learn_locally();

  Learner<T>& learner_;
  RowReader<T> reader_;
  std::optional<nn::LocalRule<T>> local_rule_;
  std::vector<model::SymmetryMaps> maps_;
  std::vector<std::vector<const model::ColumnMap*>> symmetries_;  // by symmetry, then by column
  std::vector<std::vector<const model::ColumnMap*>>
      chosen_;                               // by column: for each row of the batch
  double loading_time_ = 0, step_time_ = 0;  // seconds, of the steps that were timed
};

}  // namespace damier::learn
