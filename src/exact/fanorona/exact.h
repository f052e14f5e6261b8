// Fanoron-telo solved whole: the exact value and distance of all 215,040 states, in one table.
//
// The first call of fanorona_table() solves the game, in some hundredths of a second; every later
// call gives the same table.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "damier/exact/state_space.h"
#include "damier/games/fanorona/fanorona.h"

namespace damier::exact {

// Numbers every placing of 3 + 3 pieces, each moved or not, with either side to move.
class FanoronaIndexer {
 public:
  using State = games::fanorona::State;

  static constexpr StateIndex kPlacings = 1680;  // 9! / (3! 3! 3!)
  static constexpr StateIndex kMovedSets = 64;
  static constexpr StateIndex kStates = kPlacings * kMovedSets * 2;

  FanoronaIndexer();

  StateIndex state_count() const { return kStates; }
  State state_at(StateIndex index) const;

  StateIndex index_of(const State& state) const {
    const Tables& tables = *tables_;
    const auto white = state.pieces[0], black = state.pieces[1];
    const StateIndex placing = tables.placing[tables.triple[white]][tables.triple[black]];
    const auto pieces = static_cast<std::size_t>(white | black);
    const StateIndex moved = tables.rank_in_class[tables.six[pieces]][state.moved];
    return (placing * kMovedSets + moved) * 2 + static_cast<StateIndex>(index(state.side));
  }

 private:
  using PointSet = games::fanorona::PointSet;
  static constexpr std::size_t kSets = games::fanorona::kAllPoints + 1;
  static constexpr std::size_t kTriples = 84;  // sets of three points, and of six

  struct Tables {
    std::array<std::uint8_t, kSets> triple = {};  // the rank of a set of three points
    std::array<std::uint8_t, kSets> six = {};     // the rank of a set of six points
    std::array<std::array<std::uint16_t, kTriples>, kTriples> placing = {};  // by White, Black
    std::array<std::array<PointSet, 2>, kPlacings> pieces = {};
    // For each set of six points, its subsets numbered, and back.
    std::array<std::array<std::uint8_t, kSets>, kTriples> rank_in_class = {};
    std::array<std::array<PointSet, kMovedSets>, kTriples> moved = {};
  };
  static Tables make_tables();

  std::shared_ptr<const Tables> tables_;  // never null; shared because copies of it are all alike
};

using FanoronaTable = StateSpace<games::fanorona::Fanorona, FanoronaIndexer>;
const FanoronaTable& fanorona_table();

template <>
class Exact<games::fanorona::Fanorona>
    : public TableSource<games::fanorona::Fanorona, FanoronaTable> {
 public:
  using Game = games::fanorona::Fanorona;

  explicit Exact(const Game&);
  static Result<Exact> load(const Game& game) { return Exact(game); }
  std::vector<SpaceFigure> state_space() const;
};

}  // namespace damier::exact
