// The positions from the start of the game to the node that a search looks at: where repetition and
// the limit of plies are decided.
//
// A search takes a position that it has seen before for a draw, without waiting for the occurrence
// that ends the game. That is not certain, so `seen` is told apart from `drawn`, where the rule
// itself says draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "damier/games/history.h"

namespace damier::search {

enum class Recurrence : std::uint8_t { none, seen, drawn };

template <games::Game G>
class Path {
 public:
  using State = typename G::State;

  static constexpr int kNoLimit = std::numeric_limits<int>::max();

  explicit Path(const G& game) : game_(game) {}
  explicit Path(const games::History<G>& history) : game_(history.game()) { start(history); }

  // Another game, or further on in the same one; the memory is used again.
  void start(const games::History<G>& history) {
    if (!looks_back()) return;
    nodes_.clear();
    nodes_.push_back({history.start(), game_.hash(history.start()), 0});
    for (const State& state : history.states().subspan(1)) push(state, game_.hash(state));
    root_ = nodes_.size() - 1;
    index_past();
  }

  // Whether the game has rules that look back at all; without them a path costs nothing.
  bool looks_back() const { return game_.repetition_limit() > 0 || game_.ply_limit() > 0; }

  // The position after a move from the last one.
  void push(const State& state, std::uint64_t hash) {
    if (!looks_back()) return;
    int counted = 0;
    if (game_.ply_limit() > 0) {
      const Node& last = nodes_.back();
      counted = last.counted + (game_.counts_toward_limit(last.state) ? 1 : 0);
    }
    nodes_.push_back({state, hash, counted});
  }
  void pop() {
    if (looks_back()) nodes_.pop_back();
  }
  void back_to_root() {
    if (looks_back())
      nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(root_) + 1, nodes_.end());
  }

  // Whether the last position stands on the path already, in the game or in the search.
  Recurrence recurrence() const {
    const int limit = game_.repetition_limit();
    if (limit == 0) return Recurrence::none;
    const Node& last = nodes_.back();
    int here = occurrences_in_past(last.state, last.hash);
    for (std::size_t i = nodes_.size() - 1; i-- > root_;) {
      if (nodes_[i].hash == last.hash && nodes_[i].state == last.state) ++here;
    }
    if (here == 0) return Recurrence::none;
    return here + 1 >= limit ? Recurrence::drawn : Recurrence::seen;
  }

  // Whether the rule of repetition ends the game in this position whatever the way from the root.
  bool would_be_drawn(const State& state, std::uint64_t hash) const {
    const int limit = game_.repetition_limit();
    return limit > 0 && occurrences_in_past(state, hash) + 1 >= limit;
  }
  bool drawn_by_past() const {
    return looks_back() && would_be_drawn(nodes_.back().state, nodes_.back().hash);
  }

  bool drawn_by_length() const { return plies_left() <= 0; }
  int plies_left() const {
    const int limit = game_.ply_limit();
    return limit == 0 ? kNoLimit : limit - nodes_.back().counted;
  }

 private:
  struct Node {
    State state;
    std::uint64_t hash;
    int counted;  // plies that count toward the limit, up to here
  };

  // A small hash table of the positions before the root: games grow long, look-ups are many.
  void index_past() {
    if (game_.repetition_limit() == 0) return;
    std::size_t size = 16;
    while (size < 4 * root_) size *= 2;
    past_.assign(size, 0);
    for (std::size_t i = 0; i < root_; ++i) {
      std::size_t at = nodes_[i].hash & (size - 1);
      while (past_[at] != 0) at = (at + 1) & (size - 1);
      past_[at] = static_cast<std::uint32_t>(i + 1);
    }
  }

  int occurrences_in_past(const State& state, std::uint64_t hash) const {
    int found = 0;
    for (std::size_t at = hash & (past_.size() - 1); past_[at] != 0;
         at = (at + 1) & (past_.size() - 1)) {
      const Node& other = nodes_[past_[at] - 1];
      if (other.hash == hash && other.state == state) ++found;
    }
    return found;
  }

  G game_;
  std::vector<Node> nodes_;
  std::size_t root_ = 0;
  std::vector<std::uint32_t> past_;  // index into nodes_ plus 1; 0: empty
};

}  // namespace damier::search
