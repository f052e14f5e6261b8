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
  virtual Status append(Split split, std::span<const std::span<const std::byte>> rows) = 0;

 private:
  std::vector<Column> columns_;
};

class DataSetWriter : public RowSink {
 public:
  // A column "group" of one I64 must be there.
  static Result<std::unique_ptr<DataSetWriter>> create(const std::filesystem::path& path,
                                                       std::vector<Column> columns);
  ~DataSetWriter() override;

  Status append(Split split, std::span<const std::span<const std::byte>> rows) override;
  // Adds the counts and the checksum to `info`, which it returns, and puts the file in its place.
  Result<Json> finish(Json info);

 private:
  class Spill;
  DataSetWriter(std::filesystem::path path, std::vector<Column> columns);

  std::filesystem::path path_;
  std::array<std::uint64_t, kSplits> counts_ = {};
  std::vector<std::unique_ptr<Spill>> spills_;  // by column, then by split
};

// Keeps the rows instead of writing them.
class MemoryRows : public RowSink {
 public:
  explicit MemoryRows(std::vector<Column> columns);

  Status append(Split split, std::span<const std::span<const std::byte>> rows) override;
  DataSet finish(Json info);

 private:
  std::array<std::uint64_t, kSplits> counts_ = {};
  std::vector<std::array<std::vector<std::byte>, kSplits>> bytes_;  // by column
};

}  // namespace damier::learn
