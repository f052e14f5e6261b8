// The memory of a tree search. A node's block holds what is known of its moves, array by array, so
// that the best one is found by a short run through two of them; the block of the position after a
// move is allocated only when that move is searched further.
//
// Blocks live in one array that moves when it grows, so a View is good only until the next
// add().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "damier/games/known.h"

namespace damier::search {

using games::Known;
using games::Verdict;

enum class NodeIndex : std::uint32_t { none = 0 };

template <class Move>
class TreeNodes {
 public:
  struct Head {
    std::uint32_t visits = 1;
    std::uint16_t size = 0;            // moves
    std::uint16_t tried = 0;           // how many of the first moves have been tried
    std::uint16_t open = 0;            // moves without a proof
    std::int16_t distance = -1;        // as below
    Verdict proof = Verdict::unknown;  // for the side to move
    bool has_draw = false;             // some move is a proven draw
  };

  // A node. All arrays have head->size items, for the moves; values are those of the side to move.
  struct View {
    Head* head;
    float* mean;    // of the results
    float* weight;  // what the bonus for exploration is multiplied with
    float* prior;
    std::uint32_t* visits;
    NodeIndex* child;
    std::int16_t* distance;  // of a proven win or loss, the move included; -1: unknown
    Verdict* proof;
    Move* move;

    Known known(std::size_t i) const { return known_of(proof[i], distance[i]); }
  };

  // From two bytes and one.
  static Known known_of(Verdict proof, std::int16_t distance) {
    return {proof, distance < 0 ? std::nullopt : std::optional<int>(distance)};
  }

  // The mean of a move that is never to be chosen.
  static constexpr float kNever = -1e30f;

  explicit TreeNodes(std::size_t max_moves) : max_moves_(max_moves) { clear(); }

  // The first block is left empty: index 0 means "none".
  void clear() {
    used_ = 1;
    moves_ = 0;
  }

  std::size_t moves() const { return moves_; }
  bool has_room_for(std::size_t size) const { return moves_ + size <= max_moves_; }

  // A node with these moves, nothing known about them yet.
  NodeIndex add(std::span<const Move> moves) {
    const std::size_t size = moves.size();
    const NodeIndex node = allocate(size);
    Head head;
    head.size = head.open = static_cast<std::uint16_t>(size);
    const View view = view_at(unit(node), padded_size(size));
    *view.head = head;
    const std::size_t padded = padded_size(size);
    std::fill_n(view.mean, padded, kNever);
    std::fill_n(view.weight, padded, 0.0f);
    std::fill_n(view.prior, padded, 0.0f);
    std::fill_n(view.visits, padded, 0u);
    std::fill_n(view.child, padded, NodeIndex::none);
    std::fill_n(view.distance, padded, std::int16_t{-1});
    std::fill_n(view.proof, padded, Verdict::unknown);
    std::copy(moves.begin(), moves.end(), view.move);
    return node;
  }

  View view(NodeIndex node) {
    return view_at(unit(node), padded_size(reinterpret_cast<const Head*>(unit(node))->size));
  }

  // Copies the node and all below it to `to`.
  NodeIndex copy(NodeIndex node, TreeNodes& to) {
    const View from = view(node);
    const std::size_t size = from.head->size;
    const NodeIndex result = to.allocate(size);
    std::copy_n(unit(node), unit_count(size), to.unit(result));
    for (std::size_t i = 0; i < size; ++i) {
      if (from.child[i] == NodeIndex::none) continue;
      const NodeIndex child = copy(from.child[i], to);
      to.view(result).child[i] = child;
    }
    return result;
  }

  // The move with the greatest mean + factor * weight; the first of equals.
  static std::size_t greatest(const View& view, float factor) {
    using Floats [[gnu::vector_size(16)]] = float;
    using Ints [[gnu::vector_size(16)]] = std::int32_t;
    const auto* mean = reinterpret_cast<const Floats*>(view.mean);
    const auto* weight = reinterpret_cast<const Floats*>(view.weight);
    const std::size_t groups = padded_size(view.head->size) / 4;
    const Floats factors = {factor, factor, factor, factor};
    Floats best = mean[0] + factors * weight[0];
    Ints place = {0, 0, 0, 0};
    Ints group = {0, 0, 0, 0};
    for (std::size_t i = 1; i < groups; ++i) {
      group += 1;
      const Floats here = mean[i] + factors * weight[i];
      const Ints better = here > best;
      best = better ? here : best;
      place = better ? group : place;
    }
    std::size_t result = static_cast<std::size_t>(place[0]) * 4;
    float greatest = best[0];
    for (std::size_t lane = 1; lane < 4; ++lane) {
      const std::size_t at = static_cast<std::size_t>(place[lane]) * 4 + lane;
      if (best[lane] > greatest || (best[lane] == greatest && at < result)) {
        greatest = best[lane];
        result = at;
      }
    }
    return result;
  }

 private:
  struct alignas(16) Unit {
    std::byte bytes[16];
  };
  static_assert(sizeof(Head) <= sizeof(Unit));

  static constexpr std::size_t kBytesPerMove =
      3 * sizeof(float) + 2 * sizeof(std::uint32_t) + sizeof(std::int16_t) + 1 + sizeof(Move);

  // Groups of four moves, for vectors of four.
  static constexpr std::size_t padded_size(std::size_t size) { return (size + 3) / 4 * 4; }

  static constexpr std::size_t unit_count(std::size_t size) {
    return 1 + (padded_size(size) * kBytesPerMove + sizeof(Unit) - 1) / sizeof(Unit);
  }

  Unit* unit(NodeIndex node) { return units_.data() + static_cast<std::size_t>(node); }

  NodeIndex allocate(std::size_t size) {
    const std::size_t at = used_;
    used_ += unit_count(size);
    // What one tree has taken, the next one uses as it is.
    constexpr std::size_t kSpareUnits = 256;
    if (used_ > units_.size()) units_.resize(used_ + kSpareUnits);
    moves_ += size;
    return static_cast<NodeIndex>(at);
  }

  static View view_at(Unit* at, std::size_t padded) {
    View view;
    std::byte* next = reinterpret_cast<std::byte*>(at + 1);
    const auto take = [&]<class T>(T*& array) {
      array = reinterpret_cast<T*>(next);
      next += padded * sizeof(T);
    };
    view.head = reinterpret_cast<Head*>(at);
    take(view.mean);
    take(view.weight);
    take(view.prior);
    take(view.visits);
    take(view.child);
    take(view.distance);
    // A move may need the alignment of two bytes: it comes before the single bytes.
    take(view.move);
    take(view.proof);
    return view;
  }

  std::size_t max_moves_;
  std::vector<Unit> units_;
  std::size_t used_ = 1;
  std::size_t moves_ = 0;
};

}  // namespace damier::search
