// Checks the answer "the attacker cannot force a win" of a proof-number search in a game with
// repetitions.
//
// It holds when there is a set of positions, the root among them, that the attacker cannot
// leave: all its moves lead into it or to an end without a win, and the defender always has a
// move that does. Cycles inside the set do no harm: going round wins nothing. The positions that
// the table calls settled are the candidates; those that do not hold are struck out until
// nothing changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "damier/games/game.h"
#include "damier/search/limit.h"
#include "damier/search/path.h"
#include "damier/search/proof_table.h"

namespace damier::search {

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

}  // namespace damier::search
