// What a search has found so far, for somebody who looks on from another thread while it works.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "damier/games/game.h"

namespace damier::search {

class Watch {
 public:
  void add_nodes(std::uint64_t nodes) { nodes_.fetch_add(nodes, std::memory_order_relaxed); }
  void set_depth(int plies) { depth_ = plies; }
  void set_best(games::Action action) { best_ = static_cast<std::int64_t>(games::index(action)); }

  std::uint64_t nodes() const { return nodes_; }
  int depth() const { return depth_; }  // plies that were looked at whole; 0: not known
  std::optional<games::Action> best() const {
    const std::int64_t best = best_;
    if (best < 0) return std::nullopt;
    return games::action_at(static_cast<int>(best));
  }

 private:
  std::atomic<std::uint64_t> nodes_{0};
  std::atomic<int> depth_{0};
  std::atomic<std::int64_t> best_{-1};  // -1: none yet
};

}  // namespace damier::search
