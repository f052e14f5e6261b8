// The positions that a network learns from: those of the games of the last few generations.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "damier/learn/rows/data_set.h"

namespace damier::learn {

// They stay in memory from one generation to the next, one after the other: only the games of the
// newest one are read.
class GamesWindow {
 public:
  // The newest of N generations that fit into that many bytes.
  GamesWindow(int generations, std::uint64_t most_bytes);

  // The games of one generation more; a failure when there is no room for them.
  Status add(const DataSet& games);
  std::uint64_t newest_rows() const { return rows_.back(); }
  std::uint64_t rows() const;
  // The bytes of a column, (rows(), width), until the next add().
  const std::byte* bytes(int column) const {
    return bytes_[static_cast<std::size_t>(column)].data();
  }

 private:
  std::size_t generations_;
  std::uint64_t most_bytes_;
  std::vector<Column> columns_;
  std::deque<std::uint64_t> rows_;  // of each generation, the newest last
  DataSet::ColumnBytes bytes_;
};

}  // namespace damier::learn
