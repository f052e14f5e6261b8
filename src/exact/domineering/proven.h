// Domineering positions whose winner is known, for solvers in several threads at once.
//
// No lock: an entry is two words, and the first is the key mixed with the second. Of an entry that
// two threads write at the same time the words do not match, so it is taken for another position.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>

#include "damier/base/numbers/random.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/known.h"

namespace damier::exact::domineering {

class ProvenPositions {
 public:
  struct Name {
    games::domineering::CellSet cells = 0;
    std::uint16_t rest = 0;  // what else tells positions apart
  };

  // Entries of 16 bytes, as a power of two. Pages are taken from the system when they are written.
  explicit ProvenPositions(int bits)
      : mask_((std::uint64_t{1} << std::max(bits - 1, 0)) - 1),
        memory_(
            static_cast<std::uint64_t*>(std::calloc(mask_ + 1, kWords * sizeof(std::uint64_t)))) {
    if (memory_ == nullptr) throw std::bad_alloc();
  }

  void prefetch(const Name& name) const { __builtin_prefetch(bucket(name)); }

  games::Verdict look_up(const Name& name) const {
    const std::uint64_t* words = bucket(name);
    for (int at = 0; at < kWords; at += 2) {
      const std::uint64_t facts = load(words[at + 1]);
      if (facts == 0 || (facts >> kRestShift & 0xFFFFu) != name.rest) continue;
      if ((load(words[at]) ^ mix64(facts)) != name.cells) continue;
      return (facts & kWin) != 0 ? games::Verdict::win : games::Verdict::loss;
    }
    return games::Verdict::unknown;
  }

  // One place of two keeps what took much work, the other what came last.
  void remember(const Name& name, bool win, std::uint64_t work) {
    std::uint64_t* words = bucket(name);
    const std::uint64_t capped =
        std::clamp<std::uint64_t>(work, 1, std::numeric_limits<std::uint32_t>::max());
    const bool last = (load(words[1]) & kWork) > capped;
    std::uint64_t* entry = words + (last ? 2 : 0);
    const std::uint64_t facts = capped | std::uint64_t{name.rest} << kRestShift | (win ? kWin : 0);
    store(entry[0], name.cells ^ mix64(facts));
    store(entry[1], facts);
  }

  void forget() { std::fill_n(memory_.get(), kWords * (mask_ + 1), std::uint64_t{0}); }

 private:
  static constexpr int kWords = 4;                     // two entries; facts of 0: empty
  static constexpr std::uint64_t kWork = 0xFFFFFFFFu;  // nodes spent on it
  static constexpr int kRestShift = 32;
  static constexpr std::uint64_t kWin = std::uint64_t{1} << 48;

  struct Free {
    void operator()(std::uint64_t* words) const { std::free(words); }
  };

  static std::uint64_t load(const std::uint64_t& word) {
    return __atomic_load_n(&word, __ATOMIC_RELAXED);
  }
  static void store(std::uint64_t& word, std::uint64_t number) {
    __atomic_store_n(&word, number, __ATOMIC_RELAXED);
  }

  std::uint64_t* bucket(const Name& name) const {
    return memory_.get() + kWords * (mix64(name.cells ^ mix64(name.rest)) & mask_);
  }

  std::uint64_t mask_;
  std::unique_ptr<std::uint64_t[], Free> memory_;
};

}  // namespace damier::exact::domineering
