#include "damier/exact/fanorona/exact.h"

#include <algorithm>

namespace damier::exact {

using games::fanorona::Fanorona;
using games::fanorona::kAllPoints;
using games::fanorona::kIsLine;
using games::fanorona::kSetSize;

FanoronaIndexer::FanoronaIndexer() {
  static const auto tables = std::make_shared<const Tables>(make_tables());
  tables_ = tables;
}

FanoronaIndexer::Tables FanoronaIndexer::make_tables() {
  Tables tables;
  std::array<PointSet, kTriples> triples = {};
  std::size_t triple_count = 0, six_count = 0;
  for (unsigned set = 0; set <= kAllPoints; ++set) {
    if (kSetSize[set] == 3) {
      tables.triple[set] = static_cast<std::uint8_t>(triple_count);
      triples[triple_count++] = static_cast<PointSet>(set);
    }
    if (kSetSize[set] != 6) continue;
    tables.six[set] = static_cast<std::uint8_t>(six_count);
    std::size_t rank = 0;
    for (unsigned moved = 0; moved <= set; ++moved) {
      if (moved & ~set) continue;
      tables.rank_in_class[six_count][moved] = static_cast<std::uint8_t>(rank);
      tables.moved[six_count][rank++] = static_cast<PointSet>(moved);
    }
    ++six_count;
  }
  std::size_t placing_count = 0;
  for (std::size_t white = 0; white < kTriples; ++white) {
    for (std::size_t black = 0; black < kTriples; ++black) {
      if (triples[white] & triples[black]) continue;
      tables.placing[white][black] = static_cast<std::uint16_t>(placing_count);
      tables.pieces[placing_count++] = {triples[white], triples[black]};
    }
  }
  assert(triple_count == kTriples && six_count == kTriples && placing_count == kPlacings);
  return tables;
}

FanoronaIndexer::State FanoronaIndexer::state_at(StateIndex index) const {
  const auto& pieces = tables_->pieces[index / 2 / kMovedSets];
  const std::size_t six = tables_->six[static_cast<std::size_t>(pieces[0] | pieces[1])];
  return {pieces, tables_->moved[six][index / 2 % kMovedSets],
          index % 2 == 0 ? games::Side::first : games::Side::second};
}

const FanoronaTable& fanorona_table() {
  static const FanoronaTable table;
  return table;
}

// The process has one table, which nobody owns.
Exact<Fanorona>::Exact(const Fanorona&)
    : TableSource(
          std::shared_ptr<const FanoronaTable>(std::shared_ptr<void>(), &fanorona_table())) {}

std::vector<SpaceFigure> Exact<Fanorona>::state_space() const {
  const auto counts = table().statistics();
  std::uint64_t lines = 0;
  for (StateIndex i = 0; i < FanoronaIndexer::kStates; ++i) {
    const games::fanorona::State state = table().indexer().state_at(i);
    lines += std::ranges::any_of(state.pieces, [&](games::fanorona::PointSet pieces) {
      return kIsLine[pieces] && (pieces & state.moved) == pieces;
    });
  }
  std::vector<SpaceFigure> figures = {
      {"boards", "boards", counts.states / 2},
      {"states", "states: a board and the side to move", counts.states},
      {"already_won", "already won by one side, three in line", lines},
      {"no_legal_move", "more without a legal move: lost for the side to move",
       counts.finished - lines}};
  add_values(figures, counts);
  figures.push_back({"reachable", "states that can be reached from the start", counts.reachable});
  return figures;
}

}  // namespace damier::exact
