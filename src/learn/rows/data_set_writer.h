// Writing data sets: rows come in any order, each with its split, and leave the memory at once.
//
// A file appears under its name only when it is whole. Until then the rows are in nameless files
// beside it, which vanish with the process.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "damier/learn/rows/data_set.h"

namespace damier::learn {

// Where rows go.
class RowSink {
 public:
  explicit RowSink(std::vector<Column> columns) : columns_(std::move(columns)) {}
  virtual ~RowSink() = default;

  const std::vector<Column>& columns() const { return columns_; }
  // Rows of all columns, in the columns' order: each span holds the same number of rows.
  Status append(Split split, std::span<const std::span<const std::byte>> rows);

 protected:
  virtual Status append_column(std::size_t column, Split split,
                               std::span<const std::byte> rows) = 0;
  // Completes what is said of the rows; `sums` are the checksums by column, then by split.
  void describe(Json& info, std::span<const std::uint64_t> sums) const;

  std::array<std::uint64_t, kSplits> counts_ = {};

 private:
  std::vector<Column> columns_;
};

class DataSetWriter : public RowSink {
 public:
  // A column "group" of one I64 must be there.
  static Result<std::unique_ptr<DataSetWriter>> create(const std::filesystem::path& path,
                                                       std::vector<Column> columns);
  ~DataSetWriter() override;

  // Adds the counts and the checksum to `info`, which it returns, and puts the file in its place.
  Result<Json> finish(Json info);

 private:
  class Spill;
  DataSetWriter(std::filesystem::path path, std::vector<Column> columns);
  Status append_column(std::size_t column, Split split, std::span<const std::byte> rows) override;

  std::filesystem::path path_;
  std::vector<std::unique_ptr<Spill>> spills_;  // by column, then by split
};

// Keeps the rows instead of writing them.
class MemoryRows : public RowSink {
 public:
  explicit MemoryRows(std::vector<Column> columns)
      : RowSink(std::move(columns)), bytes_(this->columns().size()) {}
  DataSet finish(Json info);

 private:
  Status append_column(std::size_t column, Split split, std::span<const std::byte> rows) override;

  std::vector<std::array<std::vector<std::byte>, kSplits>> bytes_;  // by column
};

}  // namespace damier::learn
