// Rows on their way to a data set: filled column by column, by name, and handed on together.
#pragma once

#include <algorithm>
#include <cassert>
#include <span>
#include <string_view>
#include <vector>

#include "damier/base/files/bytes.h"
#include "damier/learn/rows/data_set_writer.h"

namespace damier::learn {

class RowBuffer {
 public:
  explicit RowBuffer(std::vector<Column> columns)
      : columns_(std::move(columns)), bytes_(columns_.size()) {}

  std::size_t count() const { return rows_; }
  // New rows are zeros.
  void resize(std::size_t rows) {
    rows_ = rows;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      bytes_[k].resize(rows * static_cast<std::size_t>(columns_[k].row_bytes()));
    }
  }

  void add_row() { resize(rows_ + 1); }

  // All rows of a column, (count, width); nothing where there is no such column. T is what the
  // column holds. Threads may fill different rows at the same time.
  template <class T>
  std::span<T> all(std::string_view column) {
    const int k = index_of(column);
    if (k < 0) return {};
    auto& bytes = bytes_[static_cast<std::size_t>(k)];
    assert(nn::size_of(columns_[static_cast<std::size_t>(k)].dtype) == sizeof(T));
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  // The row that was added last.
  template <class T>
  std::span<T> last(std::string_view column) {
    const auto values = all<T>(column);
    return values.empty() ? values : values.last(values.size() / rows_);
  }

  // Copies a row of another buffer of the same columns to the end.
  void copy_row(const RowBuffer& from, std::size_t row) {
    assert(columns_ == from.columns_);
    ++rows_;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const auto width = static_cast<std::ptrdiff_t>(columns_[k].row_bytes());
      const auto begin = from.bytes_[k].begin() + static_cast<std::ptrdiff_t>(row) * width;
      bytes_[k].insert(bytes_[k].end(), begin, begin + width);
    }
  }

  // Hands the rows on, if there are any, and is empty again.
  Status flush(Split split, RowSink& sink) {
    if (rows_ == 0) return Done{};
    const std::vector<std::span<const std::byte>> rows(bytes_.begin(), bytes_.end());
    auto status = sink.append(split, rows);
    resize(0);
    return status;
  }

  // For another process, which takes them out with unpack() or hands them on with append_packed().
  void pack(ByteWriter& bytes) const {
    bytes.number<std::uint64_t>(rows_);
    for (const auto& column : bytes_) {
      bytes.text({reinterpret_cast<const char*>(column.data()), column.size()});
    }
  }

  // False when what comes are not rows of these columns.
  bool unpack(ByteReader& bytes) {
    rows_ = static_cast<std::size_t>(bytes.number<std::uint64_t>());
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const std::string_view found = bytes.text();
      if (!bytes.good() || found.size() != rows_ * columns_[k].row_bytes()) return false;
      const auto* first = reinterpret_cast<const std::byte*>(found.data());
      bytes_[k].assign(first, first + found.size());
    }
    return bytes.good();
  }

 private:
  int index_of(std::string_view column) const {
    const auto at = std::ranges::find(columns_, column, &Column::name);
    return at == columns_.end() ? -1 : static_cast<int>(at - columns_.begin());
  }

  std::vector<Column> columns_;
  std::size_t rows_ = 0;
  std::vector<std::vector<std::byte>> bytes_;  // by column
};

// The rows that pack() wrote; a failure when they are not of the sink's columns.
inline Status append_packed(ByteReader& bytes, Split split, RowSink& sink) {
  const auto count = bytes.number<std::uint64_t>();
  std::vector<std::span<const std::byte>> rows;
  for (const Column& column : sink.columns()) {
    const std::string_view found = bytes.text();
    if (!bytes.good() || found.size() != count * column.row_bytes()) {
      return Error{"rows came that are not of this data set", {}, ErrorKind::failure};
    }
    rows.emplace_back(reinterpret_cast<const std::byte*>(found.data()), found.size());
  }
  return count == 0 ? Status(Done{}) : sink.append(split, rows);
}

// One for each split.
class SplitBuffers {
 public:
  explicit SplitBuffers(RowSink& sink)
      : sink_(sink), buffers_(kSplits, RowBuffer(sink.columns())) {}

  RowBuffer& operator[](Split split) { return buffers_[static_cast<std::size_t>(split)]; }
  Status flush() {
    for (std::size_t split = 0; split < kSplits; ++split) {
      TRY(buffers_[split].flush(static_cast<Split>(split), sink_));
    }
    return Done{};
  }

 private:
  RowSink& sink_;
  std::vector<RowBuffer> buffers_;
};

}  // namespace damier::learn
