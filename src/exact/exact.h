// Exact answers: what a source of them must offer, and which games have one.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

#include "damier/base/result.h"
#include "damier/search/answer.h"

namespace damier::exact {

using games::Known;
using games::opposite;
using games::Verdict;
using search::Answer;
using search::Ask;
using search::MoveAnswer;

// A count over a whole state space, with its name for people and for JSON.
struct SpaceFigure {
  std::string name;  // "states"
  std::string text;  // "states (board and side to move)"
  std::uint64_t value = 0;
};

// Where a game's exact answers come from. A game of two players is listed whole if it is small
// enough (exact/reachable.h), unless its folder here has a specialisation; one that offers nothing
// leaves the positions to a search (exact/by_search.h).
template <class G>
class Exact;

// A source of exact answers to every position, as far as the limits of the question allow.
template <class E, class G>
concept SourceFor = search::Answers<const E, G> && std::constructible_from<E, const G&> &&
    requires(const E exact, const G game) {
  // The constructor takes what can be had in a moment; this takes what it needs, or is an error
  // where the game is too large.
  { E::load(game) } -> std::same_as<Result<E>>;
  // Whether it can answer; what follows needs it.
  { exact.is_at_hand() } -> std::same_as<bool>;
};

// A table of all states: everything is known at once.
template <class E, class G>
concept TableFor = SourceFor<E, G> && requires(const E exact, const typename G::State state) {
  { exact.table().value(state) } -> std::same_as<Known>;
  { exact.knows(state) } -> std::same_as<bool>;  // play from the start leads there
  { exact.state_space() } -> std::same_as<std::vector<SpaceFigure>>;
};

// Some positions of a game are known at once; it answers for these alone.
template <class E, class G>
concept PartlyFor = !SourceFor<E, G> && search::Answers<const E, G> &&
                    requires(const E exact, const typename G::State state) {
  { exact.knows(state) } -> std::same_as<bool>;
  { exact.knows_moves(state) } -> std::same_as<bool>;  // also what follows each move
  { exact.state_space() } -> std::same_as<std::vector<SpaceFigure>>;
};

template <class G>
inline constexpr bool kHasSource = SourceFor<Exact<G>, G>;
template <class G>
inline constexpr bool kHasTable = TableFor<Exact<G>, G>;
template <class G>
inline constexpr bool kKnowsSome = PartlyFor<Exact<G>, G>;

}  // namespace damier::exact
