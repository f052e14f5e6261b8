// The rows that a network learns from, in the order of an epoch, as batches of numbers.
//
// Rows come in windows. A window is what fits into the memory that a recipe allows: all rows, which
// are then read once, or some blocks of them, drawn anew in each epoch. The order follows from the
// seed, the epoch and the window alone, or is that of the data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
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
          Seed seed, bool shuffled = true)
      : data_(data), rows_(rows), columns_(std::move(columns)), seed_(seed), shuffled_(shuffled) {
    std::uint64_t row_bytes = sizeof(std::uint32_t);
    for (std::size_t k = 0; k < columns_.size(); ++k) row_bytes += column(k).row_bytes();
    blocks_ = (rows_.count + kBlockRows - 1) / kBlockRows;
    blocks_in_window_ = std::max<std::uint64_t>(1, memory_bytes / (row_bytes * kBlockRows));
    blocks_in_window_ = std::min(blocks_in_window_, std::max<std::uint64_t>(1, blocks_));
    count_ = static_cast<std::size_t>((blocks_ + blocks_in_window_ - 1) / blocks_in_window_);
    count_ = std::max<std::size_t>(1, count_);
    bytes_.resize(columns_.size());
    places_.resize(columns_.size());
    for (std::size_t k = 0; count_ == 1 && k < columns_.size(); ++k) {
      places_[k] = data_.in_place(columns_[k], rows_.first);
      holds_all_ = places_[k] != nullptr;
    }
  }

  std::size_t count() const { return count_; }
  // An epoch's batches of `batch` rows, none across two windows.
  std::int64_t batches(int batch) const {
    const auto size = static_cast<std::uint64_t>(batch);
    std::uint64_t sum = 0, left = rows_.count;
    for (std::size_t window = 0; window < count_; ++window) {
      const std::uint64_t rows = std::min(left, blocks_in_window_ * kBlockRows);
      sum += (rows + size - 1) / size;
      left -= rows;
    }
    return static_cast<std::int64_t>(sum);
  }

  // Makes window `window` of the epoch the current one.
  Status load(int epoch, std::size_t window) {
    const std::vector<std::uint64_t> blocks = blocks_of(epoch, window);
    std::uint64_t rows = 0;
    const auto rows_in = [&](std::uint64_t block) {
      return std::min(kBlockRows, rows_.count - block * kBlockRows);
    };
    for (const std::uint64_t block : blocks) rows += rows_in(block);
    if (!holds_all_) {
      for (std::size_t k = 0; k < columns_.size(); ++k) {
        const std::uint64_t row_bytes = column(k).row_bytes();
        bytes_[k].resize(static_cast<std::size_t>(rows * row_bytes));
        std::span<std::byte> rest = bytes_[k];
        for (const std::uint64_t block : blocks) {
          const RowRange range = {rows_.first + block * kBlockRows, rows_in(block)};
          const auto size = static_cast<std::size_t>(range.count * row_bytes);
          TRY(data_.read(columns_[k], range, rest.first(size)));
          rest = rest.subspan(size);
        }
        places_[k] = bytes_[k].data();
      }
      holds_all_ = count_ == 1;
    }
    order_.resize(static_cast<std::size_t>(rows));
    std::iota(order_.begin(), order_.end(), 0u);
    if (shuffled_) {
      RandomStream(seed_, "train.order", place_of(epoch, window)).shuffle(std::span(order_));
    }
    return Done{};
  }

  // Rows of the current window, in the order of learning.
  std::span<const std::uint32_t> order() const { return order_; }
  // The bytes of each of the columns, (rows of the window, width).
  std::span<const std::byte* const> bytes() const { return places_; }

 private:
  static constexpr std::uint64_t kBlockRows = 1024;

  // One stream for each window of each epoch.
  static std::uint64_t place_of(int epoch, std::size_t window) {
    return static_cast<std::uint64_t>(epoch) << 32 | static_cast<std::uint64_t>(window);
  }
  const Column& column(std::size_t k) const {
    return data_.columns()[static_cast<std::size_t>(columns_[k])];
  }

  std::vector<std::uint64_t> blocks_of(int epoch, std::size_t window) const {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(blocks_));
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    if (count_ > 1 && shuffled_) {
      RandomStream(seed_, "train.blocks", static_cast<std::uint64_t>(epoch))
          .shuffle(std::span(all));
    }
    const auto first = static_cast<std::size_t>(blocks_in_window_) * window;
    const auto last = std::min(all.size(), first + static_cast<std::size_t>(blocks_in_window_));
    return {all.begin() + static_cast<std::ptrdiff_t>(first),
            all.begin() + static_cast<std::ptrdiff_t>(last)};
  }

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

namespace detail {

template <class From, class T>
void gather_from(std::size_t width, const std::byte* bytes, std::span<const std::uint32_t> rows,
                 std::span<const model::ColumnMap* const> maps, const Gathering& how, T* out) {
  const T scale = static_cast<T>(how.scale);
  // Vectors of bytes are aligned for every number.
  const From* const all = reinterpret_cast<const From*>(bytes);
  for (std::size_t i = 0; i < rows.size(); ++i, out += width) {
    const From* const row = all + rows[i] * width;
    const model::ColumnMap* const map = maps.empty() ? nullptr : maps[i];
    if (map == nullptr) {
      for (std::size_t k = 0; k < width; ++k) out[k] = static_cast<T>(row[k]) * scale;
    } else {
      for (std::size_t k = 0; k < width; ++k) {
        out[k] = static_cast<T>(row[map->source[k]]) * static_cast<T>(map->sign[k]) * scale;
      }
    }
    if (!how.share_out) continue;
    const T sum = std::accumulate(out, out + width, T(0));
    if (sum != T(0)) {
      for (std::size_t k = 0; k < width; ++k) out[k] /= sum;
    }
  }
}

}  // namespace detail

// Rows of a column, one after the other. `maps` is empty, or holds for each row the map that turns
// it, or nullptr.
template <class T>
void gather(const Column& column, const std::byte* bytes, std::span<const std::uint32_t> rows,
            std::span<const model::ColumnMap* const> maps, const Gathering& how, T* out) {
  with_numbers_of(column.dtype, [&]<class From>() {
    detail::gather_from<From>(static_cast<std::size_t>(column.width), bytes, rows, maps, how, out);
  });
}

}  // namespace damier::learn
