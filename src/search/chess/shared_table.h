// What the threads of a search remember together of positions: buckets of four, one cache line
// each. Nothing is locked. An entry is two words that are written one after the other, and the
// first holds the key mixed with the second: an entry that two threads wrote at once has no key and
// is not found.
//
// The move is only a proposal: two positions can share a key.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "damier/games/chess/state.h"
#include "damier/search/chess/score.h"

namespace damier::search::chess {

struct TableEntry {
  games::chess::Move move = {};
  int score = 0;  // wins and losses counted from this position
  int evaluation = kNoScore;
  int depth = 0;
  Bound bound = Bound::none;
  bool pv = false;  // was once on a principal variation
  bool found = false;
};

class SharedTable {
 public:
  explicit SharedTable(std::size_t bytes);

  void clear();
  // A new search: what older ones left gives way first.
  void next_generation() { generation_ = (generation_ + 1) & kGenerationMask; }

  // `found` tells whether it is there.
  TableEntry find(std::uint64_t key) const;
  void store(std::uint64_t key, TableEntry entry);
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&bucket(key)); }
  // Thousandths that the present search has filled, by a sample.
  int full() const;

 private:
  static constexpr int kGenerationMask = 31;
  struct Slot {
    std::atomic<std::uint64_t> check{0};  // key ^ data
    std::atomic<std::uint64_t> data{0};
  };
  struct alignas(64) Bucket {
    Slot slots[4];
  };

  Bucket& bucket(std::uint64_t key) const {
    __extension__ using Wide = unsigned __int128;
    return buckets_[static_cast<std::size_t>(static_cast<Wide>(key) * size_ >> 64)];
  }

  struct Release {
    void operator()(Bucket* buckets) const;
  };

  std::size_t size_;
  std::unique_ptr<Bucket[], Release> buckets_;
  unsigned generation_ = 0;
};

}  // namespace damier::search::chess
