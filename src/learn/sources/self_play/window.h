// The positions that a network learns from: those of the games of the last few generations.
#pragma once

#include <cstdint>
#include <deque>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "damier/learn/rows/data_set.h"

namespace damier::learn {

// They stay in memory from one generation to the next, one after the other: only the games of the
// newest one are read.
class GamesWindow {
 public:
  // The newest of N generations that fit into that many bytes.
  GamesWindow(int generations, std::uint64_t most_bytes)
      : generations_(static_cast<std::size_t>(generations)), most_bytes_(most_bytes) {}

  // The games of one generation more; a failure when there is no room for them.
  Status add(const DataSet& games) {
    columns_ = games.columns();
    bytes_.resize(columns_.size());
    const std::uint64_t row_bytes = learn::row_bytes(columns_);
    const RowRange fresh = games.rows(Split::training);
    if (fresh.count == 0 || fresh.count * row_bytes > most_bytes_) {
      return Error{fmt::format("its positions take {} bytes; expected some, and {} at most "
                               "(\"memory\")",
                               fresh.count * row_bytes, most_bytes_),
                   {},
                   ErrorKind::failure};
    }
    rows_.push_back(fresh.count);
    const std::uint64_t all = rows();
    std::uint64_t gone = 0;
    for (; rows_.size() > generations_ || (all - gone) * row_bytes > most_bytes_;
         rows_.pop_front()) {
      gone += rows_.front();
    }
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      std::vector<std::byte>& bytes = bytes_[k];
      const std::uint64_t width = columns_[k].row_bytes();
      bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(gone * width));
      bytes.resize(static_cast<std::size_t>((all - gone) * width));
      const auto own = std::span(bytes).last(static_cast<std::size_t>(fresh.count * width));
      TRY(games.read(static_cast<int>(k), fresh, own));
    }
    return Done{};
  }
  std::uint64_t newest_rows() const { return rows_.back(); }
  std::uint64_t rows() const {
    return std::accumulate(rows_.begin(), rows_.end(), std::uint64_t{0});
  }
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
