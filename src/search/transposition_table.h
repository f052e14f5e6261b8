// What alpha-beta remembers of positions: a table of buckets of two. The first entry of a bucket is
// kept for the deeper search, the second always takes the newest.
//
// The move is only a proposal. Two positions can share a key, so a reader of the table looks the
// move up among the legal ones.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace damier::search {

enum class Bound : std::uint8_t { none, lower, upper, exact };

template <class Move>
class TranspositionTable {
 public:
  struct Entry {
    std::uint64_t key = 0;
    std::int16_t score = 0;  // wins and losses counted from this position
    std::int16_t depth = 0;
    Move move = {};
    Bound bound : 7 = Bound::none;
    // No leaf that was cut off by the depth entered the score: a deeper search says the same.
    bool complete : 1 = false;
    std::uint8_t generation = 0;
  };

  explicit TranspositionTable(std::size_t bytes)
      : buckets_(std::bit_floor(bytes / sizeof(Bucket) + 1)) {}

  // Forgets everything, at the cost of one step in most cases.
  void clear() {
    if (++generation_ != 0) return;
    buckets_.assign(buckets_.size(), Bucket{});
    generation_ = 1;
  }

  const Entry* find(std::uint64_t key) const {
    for (const Entry& entry : bucket(key)) {
      if (entry.key == key && entry.generation == generation_) return &entry;
    }
    return nullptr;
  }

  void store(Entry entry) {
    entry.generation = generation_;
    Bucket& here = buckets_[entry.key & (buckets_.size() - 1)];
    const Entry& first = here[0];
    const bool deeper = first.generation != generation_ || entry.depth >= first.depth;
    // One position stands in a bucket once, or an old result could outlive a new one.
    if (deeper && first.key != entry.key && first.generation == generation_) here[1] = first;
    if (!deeper && first.key == entry.key) return;
    here[deeper ? 0 : 1] = entry;
  }

 private:
  using Bucket = std::array<Entry, 2>;

  const Bucket& bucket(std::uint64_t key) const { return buckets_[key & (buckets_.size() - 1)]; }

  std::vector<Bucket> buckets_;
  std::uint8_t generation_ = 0;  // an entry of 0 is empty: clear() comes before the first use
};

}  // namespace damier::search
