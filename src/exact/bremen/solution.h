// All states of Brême on a small board, solved on the processor: value and distance of each.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

#include "damier/exact/bremen/moves.h"
#include "damier/exact/state_space.h"

namespace damier::exact::bremen {

template <class B>
class Solution {
 public:
  // Solves all states; needs about two bytes for each of them and each duty.
  Solution() {
    for (int duty = 0; duty < Order::kPlanes; ++duty) {
      const auto at = static_cast<std::size_t>(duty);
      for (BitPlanes* bits : {&won_, &lost_}) bits->at(at).resize(Order::count(duty) / kWordBits);
      distances_[at].resize(Order::count(duty));
    }
    solve();
  }

  const Geometry<B>& geometry() const { return geometry_; }

  // The duty must be one that the squares allow.
  Known value(const State<B>& state) const {
    assert(can_have_duty(state, state.duty));
    const Entry entry{Order::number_of(state), state.duty};
    if (has(won_, entry)) return {Verdict::win, distance(entry)};
    if (has(lost_, entry)) return {Verdict::loss, distance(entry)};
    return {Verdict::draw};
  }

  // The distance of the longest forced win or loss.
  int longest_distance() const { return longest_; }

 private:
  using Order = Numbering<B>;
  static constexpr int kWordBits = Order::kWordBits;
  using BitPlanes = std::array<std::vector<std::uint32_t>, Order::kPlanes>;

  struct Entry {
    std::uint64_t number;
    int duty;
  };

  static bool has(const BitPlanes& planes, Entry entry) {
    const auto& words = planes[static_cast<std::size_t>(entry.duty)];
    return words[entry.number / kWordBits] >> (entry.number % kWordBits) & 1u;
  }

  static void add(BitPlanes& planes, Entry entry) {
    auto& words = planes[static_cast<std::size_t>(entry.duty)];
    words[entry.number / kWordBits] |= 1u << (entry.number % kWordBits);
  }

  static Planes<B> view(BitPlanes& planes) {
    Planes<B> result;
    for (std::size_t i = 0; i < planes.size(); ++i) result.words[i] = planes[i].data();
    return result;
  }

  int distance(Entry entry) const {
    return distances_[static_cast<std::size_t>(entry.duty)][entry.number];
  }

  void decide(BitPlanes& planes, Entry entry, int pass) {
    add(planes, entry);
    distances_[static_cast<std::size_t>(entry.duty)][entry.number] =
        static_cast<std::uint16_t>(pass);
    longest_ = pass;
  }

  void solve() {
    std::vector<Entry> found = pass_zero();
    const Planes<B> won = view(won_), lost = view(lost_);
    for (int pass = 1; !found.empty(); ++pass) {
      const std::vector<Entry> before = std::exchange(found, {});
      BitPlanes& planes = pass % 2 == 1 ? won_ : lost_;
      const auto decide_new = [&](std::uint64_t number, int duty) {
        if (has(planes, {number, duty})) return;
        decide(planes, {number, duty}, pass);
        found.push_back({number, duty});
      };
      for (const Entry entry : before) {
        const State<B> state = Order::state_at(entry.number, entry.duty);
        if (pass % 2 == 1) {
          for_each_winner(geometry_, state, decide_new);
        } else {
          for_each_loser(geometry_, won, lost, state, decide_new);
        }
      }
    }
  }

  // Finished games are lost. Numbers that stand for no state are put into both planes, so that no
  // pass looks at them.
  std::vector<Entry> pass_zero() {
    std::vector<Entry> found;
    for (int duty = 0; duty < Order::kPlanes; ++duty) {
      for (std::uint64_t number = 0; number < Order::count(duty); ++number) {
        const Entry entry{number, duty};
        const State<B> state = Order::state_at(number, duty);
        if (!Order::is_state(number, duty) || !can_have_duty(state, duty)) {
          add(won_, entry);
          add(lost_, entry);
        } else if (is_finished(geometry_, state)) {
          decide(lost_, entry, 0);
          found.push_back(entry);
        }
      }
    }
    return found;
  }

  Geometry<B> geometry_;
  BitPlanes won_, lost_;
  std::array<std::vector<std::uint16_t>, Order::kPlanes> distances_;
  int longest_ = 0;
};

}  // namespace damier::exact::bremen
