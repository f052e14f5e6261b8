// What proof-number search remembers: the two numbers of a position, in buckets of four. When a
// bucket is full, the entry that cost least makes room.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace damier::search {

// Seen from the side to move: `own` is the least number of leaves that must be settled for its aim,
// `other` the same for the aim of its opponent. 0: reached. kNever: out of reach.
struct ProofNumbers {
  static constexpr std::uint32_t kNever = 1u << 30;

  std::uint32_t own = 1;
  std::uint32_t other = 1;
  std::uint16_t plies = 0;  // where the attacker wins: an upper bound of the plies to the end

  bool settled() const { return own == 0 || other == 0; }
};

class ProofTable {
 public:
  explicit ProofTable(std::size_t bytes) : buckets_(std::bit_floor(bytes / sizeof(Bucket) + 1)) {}

  void clear() { buckets_.assign(buckets_.size(), Bucket{}); }

  const ProofNumbers* find(std::uint64_t key) const {
    for (const Entry& entry : buckets_[key & (buckets_.size() - 1)]) {
      if (entry.work > 0 && entry.key == key) return &entry.numbers;
    }
    return nullptr;
  }

  // `work`: the nodes that it took, at least 1.
  void store(std::uint64_t key, ProofNumbers numbers, std::uint64_t work) {
    Bucket& bucket = buckets_[key & (buckets_.size() - 1)];
    Entry* place = &bucket[0];
    for (Entry& entry : bucket) {
      if (entry.work > 0 && entry.key == key) {
        work += entry.work;
        place = &entry;
        break;
      }
      if (entry.work < place->work) place = &entry;
    }
    *place = {key, numbers, static_cast<std::uint32_t>(std::min<std::uint64_t>(work, 1u << 30))};
  }

  void erase(std::uint64_t key) {
    for (Entry& entry : buckets_[key & (buckets_.size() - 1)]) {
      if (entry.key == key) entry = {};
    }
  }

 private:
  struct Entry {
    std::uint64_t key = 0;
    ProofNumbers numbers;
    std::uint32_t work = 0;  // 0: empty
  };
  using Bucket = std::array<Entry, 4>;

  std::vector<Bucket> buckets_;
};

}  // namespace damier::search
