// The positions that a network learns from: those of the games of the last few generations.
#pragma once

#include <cstdint>
#include <vector>

#include "damier/learn/data/data_set.h"

namespace damier::learn {

class GamesWindow {
 public:
  // The games of so many generations at most, and `games` to begin with.
  explicit GamesWindow(int generations, std::vector<DataSet> games = {});

  // Those of one generation more.
  void add(DataSet games);
  std::uint64_t newest_rows() const { return games_.back().rows(Split::training).count; }
  // The newest generations that so many bytes have room for, as one set; a failure when there is no
  // room for the last one.
  Result<DataSet> joined(std::uint64_t most_bytes, Json info) const;

 private:
  std::size_t generations_;
  std::vector<DataSet> games_;  // the newest last
};

}  // namespace damier::learn
