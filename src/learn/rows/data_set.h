// Data sets: rows of numbers to learn from, in columns, as a safetensors file that any other tool
// can open too. The metadata tells where they come from.
//
// Rows stand in the order training, validation, test, and a split takes whole groups (the mirror
// images of a position, the positions of a game), never single rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/json/json.h"
#include "damier/base/result.h"
#include "damier/nn/safetensors.h"

namespace damier::learn {

enum class Split : std::uint8_t { training, validation, test };
inline constexpr std::size_t kSplits = 3;
std::string_view name_of(Split split);
std::optional<Split> split_named(std::string_view name);
// A number for each split, by name.
Json json_of(const std::array<std::uint64_t, kSplits>& counts);

struct Column {
  std::string name;
  nn::DType dtype = nn::DType::f32;
  std::uint64_t width = 1;  // numbers a row

  std::uint64_t row_bytes() const { return width * nn::size_of(dtype); }
  bool operator==(const Column&) const = default;
};

// Of a row of all of them.
std::uint64_t row_bytes(std::span<const Column> columns);

// The column that holds the group of each row; every data set has it.
inline constexpr std::string_view kGroupColumn = "group";

struct RowRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

class DataSet {
 public:
  // Reads and checks the header; no row is read, however large the file is.
  static Result<DataSet> open(const std::filesystem::path& path);

  // Rows that were never in a file: for each column its bytes, in the order of the splits.
  using ColumnBytes = std::vector<std::vector<std::byte>>;
  static DataSet in_memory(Json info, std::vector<Column> columns,
                           std::array<std::uint64_t, kSplits> counts, ColumnBytes bytes);

  // The file's name, or "generated rows".
  const std::string& source() const { return source_; }
  // What the metadata says: the game, the encoder, the teacher, the seed, …
  const Json& info() const { return info_; }
  const std::vector<Column>& columns() const { return columns_; }
  // -1 when there is none.
  int column_index(std::string_view name) const;
  std::uint64_t row_count() const;
  RowRange rows(Split split) const;

  // The bytes of some rows of a column; `out` has exactly their size. Safe from several threads.
  Status read(int column, RowRange range, std::span<std::byte> out) const;
  // Where a row of a column stands, and those after it; nullptr when they are in a file.
  const std::byte* in_place(int column, std::uint64_t row) const;

  // The same as numbers of T, whatever they are stored as.
  template <class T>
  Result<std::vector<T>> values(int column, RowRange range) const;

  // The text by which runs and models name this data: a checksum of all of its numbers.
  std::string checksum() const;

 private:
  class File;

  std::string source_;
  Json info_;
  std::vector<Column> columns_;
  std::array<std::uint64_t, kSplits> counts_ = {};
  std::vector<std::uint64_t> offsets_;  // of the columns in the file
  std::shared_ptr<const File> file_;    // null: the bytes are in memory
  std::shared_ptr<const ColumnBytes> bytes_;
};

// How many rows to read at a time, at most `most`: wide ones are taken a few megabytes at a time.
std::uint64_t rows_at_once(std::uint64_t row_bytes, std::uint64_t most);
// Goes through the rows, `most` at a time; an interrupt ends it.
Status for_each_block(RowRange rows, std::uint64_t most,
                      const std::function<Status(RowRange)>& use);

// Every group with the split that it is in, once, in order.
Result<std::vector<std::pair<std::int64_t, Split>>> groups_of(const DataSet& data);

// Reads every row: the numbers must be those that were written, and no group in two splits.
Status check_data_set(const DataSet& data);

// The checksum of the numbers as they stand now.
Result<std::uint64_t> computed_checksum(const DataSet& data);

// The key under which the metadata hold the set's description.
inline constexpr std::string_view kDataKey = "damier.data";
// A longer header belongs to no data set.
inline constexpr std::uint64_t kMaxDataHeaderBytes = std::uint64_t{1} << 20;

// Calls use.template operator()<Number>() with the type of the numbers.
auto with_numbers_of(nn::DType dtype, const auto& use) {
  switch (dtype) {
    case nn::DType::f32:
      return use.template operator()<float>();
    case nn::DType::f64:
      return use.template operator()<double>();
    case nn::DType::i32:
      return use.template operator()<std::int32_t>();
    case nn::DType::i64:
      return use.template operator()<std::int64_t>();
    default:
      return use.template operator()<std::uint8_t>();
  }
}

// Numbers of `dtype` from `bytes`, as T.
template <class T>
void convert(nn::DType dtype, std::span<const std::byte> bytes, std::span<T> out);

}  // namespace damier::learn
