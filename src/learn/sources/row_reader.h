// Rows of a data set as a network in training takes them: inputs, and the targets of its heads.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "damier/learn/rows/batches.h"
#include "damier/learn/train/recipe.h"
#include "damier/nn/network.h"

namespace damier::learn {

template <class T>
class RowReader {
 public:
  // For rows with these columns, at most `batch` at a time. They must fit the recipe, which must
  // outlive this.
  RowReader(const Recipe& recipe, std::span<const Column> columns, const std::string& encoder,
            int batch);

  // The columns that are read, as indices into those of the rows; the first is the input.
  const std::vector<int>& columns() const { return indices_; }
  const Column& column(std::size_t k) const { return columns_[k]; }

  // The bytes of each of these columns, (rows, width).
  using Bytes = std::span<const std::byte* const>;
  // For each of these columns the map that turns each of the rows, or nullptr; or nothing.
  using Maps = std::span<const std::vector<const model::ColumnMap*>>;
  void read(Bytes bytes, std::span<const std::uint32_t> rows, Maps maps = {});

  // The sum of the losses of the rows that were read. In training the gradients are ready for a
  // step, and `step` decides what dropout drops.
  double loss(nn::Network<T>& network, bool training, std::uint64_t step) const;

  // Of the rows that were read, (rows, width).
  std::span<const T> inputs() const { return inputs_; }
  std::span<const T> targets(std::size_t head) const { return heads_[head].targets; }
  std::size_t rows() const { return rows_; }

 private:
  // Where a head's numbers come from, as places in `columns_`, and what they are.
  struct Head {
    std::size_t target = 0;
    int mask = -1;
    int mixed = -1;
    Gathering how = {};
    int width = 0;
    std::vector<T> targets, masks, mixed_targets;
  };

  std::size_t place_of(std::span<const Column> columns, const std::string& name);
  void read_inputs(Bytes bytes, std::span<const std::uint32_t> rows, Maps maps);
  void mix_targets(const HeadRecipe& recipe, Head& head) const;

  const Recipe& recipe_;
  std::shared_ptr<const model::AnyEncoder> encoder_;  // null where the rows are of no task
  bool expands_;
  std::vector<int> indices_;
  std::vector<Column> columns_;
  std::vector<Head> heads_;
  std::size_t rows_ = 0;
  std::vector<float> stored_;  // of inputs that the task expands: the rows as they are kept
  std::vector<float> planes_;
  std::vector<T> inputs_;
};

}  // namespace damier::learn
