// The rows that a network learns from, in the order of an epoch, as batches of numbers.
//
// Rows come in windows. A window is what fits into the memory that a recipe allows: all rows, which
// are then read once, or some blocks of them, drawn anew in each epoch. The order follows from the
// seed, the epoch and the window alone, or is that of the data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/learn/rows/data_set.h"
#include "damier/learn/task.h"

namespace damier::learn {

class Windows {
 public:
  // `columns` are indices into data.columns(). `data` must outlive this.
  Windows(const DataSet& data, RowRange rows, std::vector<int> columns, std::uint64_t memory_bytes,
          Seed seed, bool shuffled = true);

  std::size_t count() const { return count_; }
  // An epoch's batches of `batch` rows, none across two windows.
  std::int64_t batches(int batch) const;

  // Makes window `window` of the epoch the current one.
  Status load(int epoch, std::size_t window);
  // Rows of the current window, in the order of learning.
  std::span<const std::uint32_t> order() const { return order_; }
  // The bytes of each of the columns, (rows of the window, width).
  std::span<const std::byte* const> bytes() const { return places_; }

 private:
  const Column& column(std::size_t k) const;
  std::vector<std::uint64_t> blocks_of(int epoch, std::size_t window) const;

  const DataSet& data_;
  RowRange rows_;
  std::vector<int> columns_;
  Seed seed_;
  bool shuffled_;
  std::uint64_t blocks_ = 0;  // of kBlockRows rows, the last may be shorter
  std::uint64_t blocks_in_window_ = 0;
  std::size_t count_ = 1;
  bool holds_all_ = false;
  std::vector<std::vector<std::byte>> bytes_;  // none of data that are in memory as a whole
  std::vector<const std::byte*> places_;       // of each column's rows
  std::vector<std::uint32_t> order_;
};

// How the numbers of a column become those of a batch.
struct Gathering {
  float scale = 1;
  bool share_out = false;  // each row becomes a distribution: marks of 1 share it evenly
};

// Rows of a column, one after the other. `maps` is empty, or holds for each row the map that turns
// it, or nullptr.
template <class T>
void gather(const Column& column, const std::byte* bytes, std::span<const std::uint32_t> rows,
            std::span<const model::ColumnMap* const> maps, const Gathering& how, T* out);

}  // namespace damier::learn
