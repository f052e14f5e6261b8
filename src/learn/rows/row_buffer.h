// Rows on their way to a data set: filled column by column, by name, and handed on together.
#pragma once

#include <cassert>
#include <span>
#include <string_view>
#include <vector>

#include "damier/base/files/bytes.h"
#include "damier/learn/rows/data_set_writer.h"

namespace damier::learn {

class RowBuffer {
 public:
  explicit RowBuffer(std::vector<Column> columns);

  std::size_t count() const { return rows_; }
  // New rows are zeros.
  void resize(std::size_t rows);
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
  void copy_row(const RowBuffer& from, std::size_t row);

  // Hands the rows on, if there are any, and is empty again.
  Status flush(Split split, RowSink& sink);

  // For another process, which takes them out with unpack() or hands them on with append_packed().
  void pack(ByteWriter& bytes) const;
  // False when what comes are not rows of these columns.
  bool unpack(ByteReader& bytes);

 private:
  int index_of(std::string_view column) const;

  std::vector<Column> columns_;
  std::size_t rows_ = 0;
  std::vector<std::vector<std::byte>> bytes_;  // by column
};

// The rows that pack() wrote; a failure when they are not of the sink's columns.
Status append_packed(ByteReader& bytes, Split split, RowSink& sink);

// One for each split.
class SplitBuffers {
 public:
  explicit SplitBuffers(RowSink& sink);
  RowBuffer& operator[](Split split) { return buffers_[static_cast<std::size_t>(split)]; }
  Status flush();

 private:
  RowSink& sink_;
  std::vector<RowBuffer> buffers_;
};

}  // namespace damier::learn
