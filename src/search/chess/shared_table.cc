#include "damier/search/chess/shared_table.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace damier::search::chess {

namespace {

// Bits 0 to 15 the move, 16 to 31 the score, 32 to 47 the evaluation, 48 to 55 the depth, 56 and 57
// the bound, 58 whether it is of a principal variation, 59 to 63 the generation.
std::uint64_t packed(const TableEntry& entry, unsigned generation) {
  const auto word = [](int value) { return static_cast<std::uint64_t>(value & 0xFFFF); };
  return static_cast<std::uint64_t>(entry.move) | word(entry.score) << 16 |
         word(entry.evaluation) << 32 | static_cast<std::uint64_t>(entry.depth & 0xFF) << 48 |
         static_cast<std::uint64_t>(entry.bound) << 56 |
         static_cast<std::uint64_t>(entry.pv ? 1 : 0) << 58 |
         static_cast<std::uint64_t>(generation) << 59;
}

TableEntry unpacked(std::uint64_t data) {
  const auto word = [&](int shift) {
    return static_cast<int>(static_cast<std::int16_t>(data >> shift & 0xFFFF));
  };
  TableEntry entry;
  entry.move = static_cast<games::chess::Move>(data & 0xFFFF);
  entry.score = word(16);
  entry.evaluation = word(32);
  entry.depth = static_cast<int>(data >> 48 & 0xFF);
  entry.bound = static_cast<Bound>(data >> 56 & 3);
  entry.pv = (data >> 58 & 1) != 0;
  entry.found = true;
  return entry;
}

int depth_in(std::uint64_t data) { return static_cast<int>(data >> 48 & 0xFF); }
unsigned generation_in(std::uint64_t data) { return static_cast<unsigned>(data >> 59); }

constexpr auto kRelaxed = std::memory_order_relaxed;

}  // namespace

// Every look goes to another page: with large ones the processor need not search for most of them.
SharedTable::SharedTable(std::size_t bytes)
    : size_(std::max<std::size_t>(bytes / sizeof(Bucket), 1)) {
  constexpr std::size_t kLargePage = std::size_t{2} << 20;
  const std::size_t wanted = size_ * sizeof(Bucket);
  const std::size_t alignment = wanted >= kLargePage ? kLargePage : alignof(Bucket);
  void* memory = std::aligned_alloc(alignment, (wanted + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  if (alignment == kLargePage) madvise(memory, wanted, MADV_HUGEPAGE);
  buckets_.reset(static_cast<Bucket*>(memory));
  std::uninitialized_value_construct_n(buckets_.get(), size_);
}

void SharedTable::Release::operator()(Bucket* buckets) const { std::free(buckets); }

void SharedTable::clear() {
  for (std::size_t i = 0; i < size_; ++i) {
    for (Slot& slot : buckets_[i].slots) {
      slot.check.store(0, kRelaxed);
      slot.data.store(0, kRelaxed);
    }
  }
  generation_ = 0;
}

TableEntry SharedTable::find(std::uint64_t key) const {
  for (const Slot& slot : bucket(key).slots) {
    const std::uint64_t data = slot.data.load(kRelaxed);
    if ((slot.check.load(kRelaxed) ^ data) == key && data != 0) return unpacked(data);
  }
  return {};
}

void SharedTable::store(std::uint64_t key, TableEntry entry) {
  // Gives way: the same position, else what is old and shallow.
  Slot* place = nullptr;
  int least = 1 << 20;
  for (Slot& slot : bucket(key).slots) {
    const std::uint64_t data = slot.data.load(kRelaxed);
    if ((slot.check.load(kRelaxed) ^ data) == key && data != 0) {
      const TableEntry old = unpacked(data);
      if (entry.move == games::chess::Move{}) entry.move = old.move;
      // A shallow bound does not push out what a deep search of this generation found.
      if (entry.bound != Bound::exact && entry.depth + 4 < old.depth &&
          generation_in(data) == generation_) {
        return;
      }
      place = &slot;
      break;
    }
    const int age = static_cast<int>((generation_ - generation_in(data)) & kGenerationMask);
    const int worth = data == 0 ? -1000 : depth_in(data) - 8 * age;
    if (worth < least) {
      least = worth;
      place = &slot;
    }
  }
  const std::uint64_t data = packed(entry, generation_);
  place->data.store(data, kRelaxed);
  place->check.store(key ^ data, kRelaxed);
}

int SharedTable::full() const {
  const std::size_t sample = std::min<std::size_t>(size_, 250);
  std::size_t used = 0;
  for (std::size_t i = 0; i < sample; ++i) {
    for (const Slot& slot : buckets_[i].slots) {
      const std::uint64_t data = slot.data.load(kRelaxed);
      used += data != 0 && generation_in(data) == generation_ ? 1 : 0;
    }
  }
  return static_cast<int>(1000 * used / (4 * sample));
}

}  // namespace damier::search::chess
