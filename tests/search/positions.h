// Positions for the tests of the searches, and their exact values by brute force.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "damier/games/history.h"
#include "damier/search/answer.h"

namespace damier::search {

template <class G>
games::History<G> at(const G& game, std::string_view position) {
  auto state = game.parse_position(position);
  if (!state) ADD_FAILURE() << state.error().text();
  return games::History<G>(game, *state);
}

// Chance for one case of a property. RapidCheck's own ranges prefer small numbers, which would make
// nearly all searches shallow.
class Draw {
 public:
  int between(int low, int high) {
    return low + static_cast<int>(random_.below(static_cast<std::uint64_t>(high - low + 1)));
  }
  std::uint64_t seed() { return random_(); }

 private:
  RandomStream random_{Seed{*rc::gen::arbitrary<std::uint64_t>()}, "test.draw"};
};

// The place of a move among the legal ones.
template <class G>
std::size_t place_of(const games::History<G>& history, typename G::Move move) {
  const auto legal = history.game().legal_moves(history.state());
  return static_cast<std::size_t>(std::find(legal.begin(), legal.end(), move) - legal.begin());
}

// The answers for the moves in the game's order.
template <class G>
std::vector<MoveAnswer<typename G::Move>> in_order(const games::History<G>& history,
                                                   const Answer<typename G::Move>& answer) {
  std::vector<MoveAnswer<typename G::Move>> moves(answer.moves.size());
  for (const auto& move : answer.moves) moves[place_of(history, move.move)] = move;
  return moves;
}

// A game after so many random plies, or fewer where it would be over.
template <class G>
games::History<G> random_game(const G& game, std::uint64_t seed, int plies) {
  RandomStream random(Seed{seed}, "test.positions");
  games::History<G> history(game, game.initial());
  for (int i = 0; i < plies; ++i) {
    const auto moves = game.legal_moves(history.state());
    history.play(moves[random.below(moves.size())]);
    if (history.outcome() == games::Outcome::ongoing) continue;
    history.undo();
    break;
  }
  return history;
}

// The same game without the rule of repetition, where the value of a position does not depend on
// the way to it.
template <class G>
class WithoutRepetition : public G {
 public:
  using G::G;
  static Result<WithoutRepetition> make(const games::OptionValues&) { return WithoutRepetition(); }
  int repetition_limit() const { return 0; }
};

// Value and distance of every position that can be reached from one, in a game small enough: found
// by going through them all again and again until nothing changes. What stays open is a draw.
template <class G>
class BruteForce {
 public:
  BruteForce(const G& game, const typename G::State& start) : game_(game) {
    list(start);
    for (int distance = 1, changed = 1; changed > 0; ++distance) {
      changed = 0;
      for (Node& node : nodes_) {
        if (!node.value.is_certain()) changed += settle(node, distance);
      }
    }
    for (Node& node : nodes_) {
      if (!node.value.is_certain()) node.value = {Verdict::draw};
    }
  }

  Known value(const typename G::State& state) const {
    return nodes_[numbers_.at(game_.position_text(state))].value;
  }

  Known value_after(typename G::State state, typename G::Move move) const {
    game_.play(state, move);
    return one_ply_before(seen_from_other_side(value(state)));
  }

 private:
  struct Node {
    typename G::State state;
    std::vector<std::size_t> next = {};
    Known value = {};
  };

  std::size_t add(const typename G::State& state) {
    const auto [place, is_new] = numbers_.try_emplace(game_.position_text(state), nodes_.size());
    if (is_new) nodes_.push_back({state});
    return place->second;
  }

  void list(const typename G::State& start) {
    add(start);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const auto state = nodes_[i].state;
      const Verdict end = verdict_of(game_.outcome(state), game_.side_to_move(state));
      if (end != Verdict::unknown) nodes_[i].value = {end};
      if (end == Verdict::win || end == Verdict::loss) nodes_[i].value.plies = 0;
      for (const auto move : game_.legal_moves(state)) {
        auto next = state;
        game_.play(next, move);
        const std::size_t number = add(next);
        nodes_[i].next.push_back(number);
      }
    }
  }

  // Wins and losses of exactly this distance.
  int settle(Node& node, int distance) {
    bool all_lost = true;
    for (const std::size_t number : node.next) {
      const Known after = nodes_[number].value;
      if (after == Known{Verdict::loss, distance - 1}) {
        node.value = {Verdict::win, distance};
        return 1;
      }
      all_lost = all_lost && after.verdict == Verdict::win && *after.plies < distance;
    }
    if (!all_lost) return 0;
    node.value = {Verdict::loss, distance};
    return 1;
  }

  G game_;
  std::vector<Node> nodes_;
  std::map<std::string, std::size_t> numbers_;
};

}  // namespace damier::search
