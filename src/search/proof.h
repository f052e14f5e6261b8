// Proof-number search, depth first (Nagai's df-pn): whether the attacker can force a win.
//
// A position that comes back counts as "no win". For a win that is safe: the proof is a tree
// without cycles. For "no win" it is not, because what was found on one way to a position may not
// hold on another. So such an answer is checked (ProofCheck): the defender must have a reply
// that stays among the positions without a win, whatever the attacker does there.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "damier/games/history.h"
#include "damier/search/answer.h"
#include "damier/search/path.h"

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

// The two numbers of positions, in buckets of four. When a bucket is full, the entry that cost
// least makes room.
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

// Checks the answer "the attacker cannot force a win" of a proof-number search in a game with
// repetitions.
//
// It holds when there is a set of positions, the root among them, that the attacker cannot
// leave: all its moves lead into it or to an end without a win, and the defender always has a
// move that does. Cycles inside the set do no harm: going round wins nothing. The positions that
// the table calls settled are the candidates; those that do not hold are struck out until
// nothing changes.
template <games::Game G>
class ProofCheck {
 public:
  using State = typename G::State;

  ProofCheck(const G& game, games::Side attacker, const Path<G>& past, const ProofTable& table,
             Limit& limit)
      : game_(game), attacker_(attacker), past_(past), table_(table), limit_(limit) {}

  // False also when the budget ran out.
  bool holds(const State& root) {
    add(root, game_.hash(root));
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      if (limit_.count()) return false;
      look_at_moves(i);
    }
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      if (!supported(positions_[i])) strike_out(i);
    }
    return !positions_[0].struck_out;
  }

  // The keys of the positions that were struck out.
  std::vector<std::uint64_t> refuted() const {
    std::vector<std::uint64_t> keys;
    for (const Position& position : positions_) {
      if (position.struck_out) keys.push_back(position.key);
    }
    return keys;
  }

 private:
  struct Position {
    State state;
    std::uint64_t key;
    bool attacking;
    int needed = 0;  // moves that must stay in the set; for the defender: at least one
    int inside = 0;  // moves that do
    std::vector<std::size_t> parents = {};
    bool struck_out = false;
  };

  std::size_t add(const State& state, std::uint64_t key) {
    const auto [place, is_new] = numbers_.try_emplace(key, positions_.size());
    if (is_new) positions_.push_back({state, key, game_.side_to_move(state) == attacker_});
    return place->second;
  }

  void look_at_moves(std::size_t number) {
    const State state = positions_[number].state;
    int needed = 0, inside = 0;
    for (const auto move : game_.legal_moves(state)) {
      State next = state;
      game_.play(next, move);
      ++needed;
      const std::uint64_t key = game_.hash(next);
      const games::Outcome outcome = game_.outcome(next);
      if (outcome != games::Outcome::ongoing) {
        inside += outcome != games::win_of(attacker_);
      } else if (past_.would_be_drawn(next, key)) {
        ++inside;
      } else if (is_candidate(next, key)) {
        const std::size_t child = add(next, key);
        positions_[child].parents.push_back(number);
        ++inside;
      }
    }
    Position& position = positions_[number];
    position.needed = position.attacking ? needed : 1;
    position.inside = inside;
  }

  // The table says that the attacker does not win here. The root has to be one.
  bool is_candidate(const State& state, std::uint64_t key) const {
    if (key == positions_[0].key) return true;
    const ProofNumbers* known = table_.find(key);
    if (known == nullptr) return false;
    return (game_.side_to_move(state) == attacker_ ? known->other : known->own) == 0;
  }

  static bool supported(const Position& position) { return position.inside >= position.needed; }

  void strike_out(std::size_t number) {
    std::vector<std::size_t> waiting = {number};
    while (!waiting.empty()) {
      Position& position = positions_[waiting.back()];
      waiting.pop_back();
      if (position.struck_out) continue;
      position.struck_out = true;
      for (const std::size_t parent : position.parents) {
        --positions_[parent].inside;
        if (!supported(positions_[parent])) waiting.push_back(parent);
      }
    }
  }

  const G& game_;
  games::Side attacker_;
  const Path<G>& past_;
  const ProofTable& table_;
  Limit& limit_;
  std::vector<Position> positions_;  // the root first
  std::unordered_map<std::uint64_t, std::size_t> numbers_;
};

enum class Attack : std::uint8_t { unknown, wins, does_not_win };

template <class Move>
struct ProofResult {
  Attack verdict = Attack::unknown;  // on the attacker
  std::optional<int> most_plies;     // of a win: it takes no more than these
  std::vector<Move> line;            // of a win: best play of both, as far as it is remembered
  std::uint64_t nodes = 0;
  double seconds = 0;
};

// Of the search's memory.
inline constexpr std::size_t kProofBytes = std::size_t{64} << 20;

template <games::Game G>
class ProofSearch {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  explicit ProofSearch(G game, std::size_t table_bytes = kProofBytes)
      : game_(std::move(game)), table_(table_bytes) {}

  // Within the nodes and seconds of `ask`.
  ProofResult<Move> prove(const games::History<G>& history, games::Side attacker,
                          const Ask& ask = {}) {
    ProofResult<Move> result;
    const games::Outcome outcome = history.outcome();
    if (outcome != games::Outcome::ongoing) {
      result.verdict = outcome == games::win_of(attacker) ? Attack::wins : Attack::does_not_win;
      if (result.verdict == Attack::wins) result.most_plies = 0;
      return result;
    }
    Path<G> past(history);
    Limit limit(ask);
    table_.clear();
    attacker_ = attacker;
    past_ = &past;
    limit_ = &limit;
    way_.clear();
    came_back_ = false;
    const State root = history.state();
    result.verdict = settle(root);
    if (result.verdict == Attack::wins) {
      const int plies = table_.find(game_.hash(root))->plies;
      // A longer win might be overtaken by the limit of plies, which the search does not look at.
      if (plies > past.plies_left()) {
        result.verdict = Attack::unknown;
      } else {
        result.most_plies = plies;
        result.line = line_from(root);
      }
    }
    result.nodes = limit.nodes();
    result.seconds = limit.seconds();
    return result;
  }

 private:
  static constexpr std::uint32_t kNever = ProofNumbers::kNever;
  static constexpr std::size_t kMaxPlies = 5000;

  struct Child {
    Move move;
    State state;
    std::uint64_t hash;
    ProofNumbers numbers;
    bool fixed;  // the numbers come from the rules, not from the table
  };

  Attack settle(const State& root) {
    const bool attacking = game_.side_to_move(root) == attacker_;
    for (;;) {
      const ProofNumbers numbers = expand(root, game_.hash(root), kNever, kNever);
      if (!numbers.settled()) return Attack::unknown;
      if ((numbers.own == 0) == attacking) return Attack::wins;
      if (!came_back_) return Attack::does_not_win;
      ProofCheck<G> check(game_, attacker_, *past_, table_, *limit_);
      if (check.holds(root)) return Attack::does_not_win;
      if (limit_->over()) return Attack::unknown;
      // What did not hold is forgotten and searched again.
      for (const std::uint64_t key : check.refuted()) table_.erase(key);
    }
  }

  // Searches below the position until one of its numbers reaches its threshold.
  ProofNumbers expand(const State& state, std::uint64_t hash, std::uint32_t own_threshold,
                      std::uint32_t other_threshold) {
    const std::uint64_t nodes_before = limit_->nodes();
    if (limit_->count() || way_.size() >= kMaxPlies) return {};
    way_.push_back(hash);
    std::vector<Child>& children = children_at(way_.size());
    list_children(state, children);
    ProofNumbers numbers;
    for (;;) {
      const Best best = combine(state, children, numbers);
      if (numbers.own >= own_threshold || numbers.other >= other_threshold || limit_->over()) break;
      Child& child = children[best.child];
      // The child may go on until this node is settled enough or until another child looks better;
      // a quarter more than that one saves most of the going to and fro.
      const std::uint32_t for_others = numbers.other - child.numbers.own;
      child.numbers =
          expand(child.state, child.hash, other_threshold - for_others,
                 std::min(own_threshold, std::min(best.second + best.second / 4 + 1, kNever)));
    }
    way_.pop_back();
    if (!limit_->over() || numbers.settled()) {
      table_.store(hash, numbers, limit_->nodes() - nodes_before);
    }
    return numbers;
  }

  struct Best {
    std::size_t child = 0;
    std::uint32_t second = kNever;
  };

  // The side to move reaches its aim with one child, the other side must reach its own in all.
  Best combine(const State& state, std::vector<Child>& children, ProofNumbers& numbers) const {
    const bool attacking = game_.side_to_move(state) == attacker_;
    Best best;
    std::uint32_t least = kNever + 1;
    std::uint64_t sum = 0;
    unsigned shortest = 0xFFFF, longest = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
      Child& child = children[i];
      if (!child.fixed) {
        if (const ProofNumbers* known = table_.find(child.hash)) child.numbers = *known;
      }
      const ProofNumbers& here = child.numbers;
      if (here.other < least) {
        best.second = std::min(least, kNever);
        least = here.other;
        best.child = i;
      } else {
        best.second = std::min(best.second, here.other);
      }
      sum = here.own >= kNever || sum >= kNever
                ? kNever
                : std::min<std::uint64_t>(sum + here.own, kNever - 1);
      if (here.other == 0) shortest = std::min<unsigned>(shortest, here.plies);
      longest = std::max<unsigned>(longest, here.plies);
    }
    numbers.own = std::min(least, kNever);
    numbers.other = static_cast<std::uint32_t>(sum);
    // Other proofs than the attacker's have no length.
    const unsigned plies = attacking && numbers.own == 0      ? shortest + 1
                           : !attacking && numbers.other == 0 ? longest + 1
                                                              : 0;
    numbers.plies = static_cast<std::uint16_t>(std::min(plies, 0xFFFFu));
    return best;
  }

  void list_children(const State& state, std::vector<Child>& children) {
    children.clear();
    for (const Move move : game_.legal_moves(state)) {
      State next = state;
      game_.play(next, move);
      Child child = {move, next, game_.hash(next), {}, true};
      const bool attacking = game_.side_to_move(next) == attacker_;
      const ProofNumbers win = attacking ? ProofNumbers{0, kNever, 0} : ProofNumbers{kNever, 0, 0};
      const ProofNumbers no_win = {win.other, win.own, 0};
      const games::Outcome outcome = game_.outcome(next);
      if (outcome != games::Outcome::ongoing) {
        child.numbers = outcome == games::win_of(attacker_) ? win : no_win;
      } else if (past_->would_be_drawn(next, child.hash)) {
        child.numbers = no_win;
      } else if (comes_back(child.hash)) {
        came_back_ = true;
        child.numbers = no_win;
      } else {
        child.fixed = false;
        child.numbers = first_guess(next);
      }
      children.push_back(child);
    }
  }

  // One reply for its own aim, all of them for the other's.
  ProofNumbers first_guess(const State& state) const {
    if constexpr (games::CountsMoves<G>) {
      return {1, static_cast<std::uint32_t>(std::max(game_.count_moves(state), 1)), 0};
    }
    return {};
  }

  // On the way from the root. Two positions with one key would only make a win harder to find.
  bool comes_back(std::uint64_t hash) const {
    return game_.repetition_limit() > 0 && std::ranges::find(way_, hash) != way_.end();
  }

  // One list for each ply; a deque, so that those in use stay where they are.
  std::vector<Child>& children_at(std::size_t ply) {
    if (children_.size() <= ply) children_.resize(ply + 1);
    return children_[ply];
  }

  // The attacker's shortest known win against the longest resistance.
  std::vector<Move> line_from(State state) {
    std::vector<Move> line;
    std::vector<Child> children;
    while (line.size() < kMaxPlies) {
      const std::uint64_t hash = game_.hash(state);
      way_.push_back(hash);
      list_children(state, children);
      const Child* best = next_on_line(state, children);
      if (best == nullptr && !children.empty()) {
        // The table has lost it.
        way_.pop_back();
        expand(state, hash, kNever, kNever);
        way_.push_back(hash);
        best = next_on_line(state, children);
      }
      if (best == nullptr) break;
      line.push_back(best->move);
      state = best->state;
    }
    way_.clear();
    return line;
  }

  const Child* next_on_line(const State& state, std::vector<Child>& children) const {
    const bool attacking = game_.side_to_move(state) == attacker_;
    const Child* best = nullptr;
    for (Child& child : children) {
      if (!child.fixed) {
        const ProofNumbers* known = table_.find(child.hash);
        if (known == nullptr) continue;
        child.numbers = *known;
      }
      if ((attacking ? child.numbers.other : child.numbers.own) != 0) continue;
      if (best == nullptr || (attacking ? child.numbers.plies < best->numbers.plies
                                        : child.numbers.plies > best->numbers.plies)) {
        best = &child;
      }
    }
    return best;
  }

  G game_;
  ProofTable table_;
  games::Side attacker_ = games::Side::first;
  const Path<G>* past_ = nullptr;
  Limit* limit_ = nullptr;
  std::vector<std::uint64_t> way_;  // the keys from the root to the node at work
  std::deque<std::vector<Child>> children_;
  bool came_back_ = false;  // some number rests on a repetition
};

}  // namespace damier::search
