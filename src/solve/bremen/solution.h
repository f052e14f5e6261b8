// All states of Brême on a small board, solved on the processor: value and distance of each.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "damier/solve/bremen/passes.h"
#include "damier/solve/state_space.h"

namespace damier::solve::bremen {

template <class B>
class Solution {
 public:
  // Solves all states; needs about two bytes for each of them and each duty.
  Solution() {
    for (int duty = 0; duty < Order::kPlanes; ++duty) {
      const auto at = static_cast<std::size_t>(duty);
      for (BitPlanes* bits : {&won_, &lost_}) bits->at(at).resize(Order::count() / kWordBits);
      distances_[at].resize(Order::count());
    }
    solve();
  }

  const Geometry<B>& geometry() const { return geometry_; }

  // The duty must be one that the squares allow.
  ExactValue value(const State<B>& state) const {
    assert(can_have_duty(state, state.duty));
    const Entry entry{Order::number_of(state), state.duty};
    if (has(won_, entry)) return {Verdict::win, distance(entry)};
    if (has(lost_, entry)) return {Verdict::loss, distance(entry)};
    return {};
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

  std::uint16_t distance(Entry entry) const {
    return distances_[static_cast<std::size_t>(entry.duty)][entry.number];
  }

  void decide(BitPlanes& planes, Entry entry, int pass) {
    add(planes, entry);
    distances_[static_cast<std::size_t>(entry.duty)][entry.number] =
        static_cast<std::uint16_t>(pass);
    longest_ = pass;
  }

  void solve() {
    pass_zero();
    // Finished states have very many parents: the first wins are found faster by looking forward.
    const Planes<B> won = view(won_), lost = view(lost_);
    bool any_won = !scan(won_, 1, [&](const State<B>& state) {
                      return is_won(geometry_, lost, state);
                    }).empty();
    for (int pass = 2; any_won; pass += 2) {
      const std::vector<Entry> newly_lost =
          scan(lost_, pass, [&](const State<B>& state) { return is_lost(geometry_, won, state); });
      any_won = take_back(newly_lost, pass + 1);
    }
  }

  // Finished games are lost. Numbers that stand for no state are put into both planes, so that no
  // pass looks at them.
  void pass_zero() {
    for (std::uint64_t number = 0; number < Order::count(); ++number) {
      State<B> state = Order::state_at(number, State<B>::kFree);
      for (int duty = 0; duty < Order::kPlanes; ++duty) {
        const Entry entry{number, duty};
        state.duty = duty;
        if (!Order::is_state(number) || !can_have_duty(state, duty)) {
          add(won_, entry);
          add(lost_, entry);
        } else if (is_finished(geometry_, state)) {
          decide(lost_, entry, 0);
        }
      }
    }
  }

  // Decides all open states that the predicate holds for, and returns them.
  template <class Holds>
  std::vector<Entry> scan(BitPlanes& planes, int pass, Holds holds) {
    std::vector<Entry> found;
    for (int duty = 0; duty < Order::kPlanes; ++duty) {
      const auto at = static_cast<std::size_t>(duty);
      for (std::size_t word = 0; word < won_[at].size(); ++word) {
        std::uint32_t open = ~(won_[at][word] | lost_[at][word]);
        for (; open != 0; open &= open - 1) {
          const Entry entry{word * kWordBits + static_cast<unsigned>(std::countr_zero(open)), duty};
          if (!holds(Order::state_at(entry.number, duty))) continue;
          decide(planes, entry, pass);
          found.push_back(entry);
        }
      }
    }
    return found;
  }

  // Whether the newly lost states make any state a won one that was open.
  bool take_back(const std::vector<Entry>& newly_lost, int pass) {
    bool any = false;
    for (const Entry child : newly_lost) {
      for_each_winner(geometry_, Order::state_at(child.number, child.duty),
                      [&](std::uint64_t number, int duty) {
                        const Entry parent{number, duty};
                        if (has(won_, parent)) return;
                        decide(won_, parent, pass);
                        any = true;
                      });
    }
    return any;
  }

  Geometry<B> geometry_;
  BitPlanes won_, lost_;
  std::array<std::vector<std::uint16_t>, Order::kPlanes> distances_;
  int longest_ = 0;
};

}  // namespace damier::solve::bremen
