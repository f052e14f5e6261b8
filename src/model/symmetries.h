// How the symmetries of a game move the numbers of a network's input and outputs about, found out
// by comparing positions with their images.
#pragma once

#include "damier/games/history.h"
#include "damier/model/encoder.h"

namespace damier::model {

// Numbers of positions, (positions, width).
struct FeatureRows {
  std::size_t width = 0;
  std::vector<float> values;

  std::size_t count() const { return width == 0 ? 0 : values.size() / width; }
};

// For each number of the images the number of the positions that it is, up to its sign, in all
// rows; empty where some number is none of them. Where several fit, the cell that the symmetry
// brings there is taken, in the plane that most of its plane comes from.
ColumnMap feature_map(const FeatureRows& positions, const FeatureRows& images,
                      games::FeatureShape shape, games::Symmetry symmetry);

// Whether the map turns every row of the positions into its image.
bool turns(const ColumnMap& map, const FeatureRows& positions, const FeatureRows& images);

// Positions of random games, by number.
template <games::Game G>
std::vector<typename G::State> met_in_random_games(const G& game, std::string_view stream,
                                                   std::uint64_t games) {
  constexpr int kMaxPlies = 200;
  std::vector<typename G::State> states;
  for (std::uint64_t i = 0; i < games; ++i) {
    RandomStream random(Seed{0}, stream, i);
    games::History<G> history(game, game.initial());
    for (int ply = 0; ply < kMaxPlies && history.outcome() == games::Outcome::ongoing; ++ply) {
      states.push_back(history.state());
      const auto moves = game.legal_moves(history.state());
      history.play(moves[static_cast<std::size_t>(random.below(moves.size()))]);
    }
  }
  return states;
}

// The symmetries that hold in all of `states`, the identity first, as maps of "input", "moves" and
// "legal". One under which the input is no rearrangement of itself is left out. The states must
// show all that can be learnt: a number that is the same in all of them may go anywhere.
// encode(state, out) writes the numbers of `shape`.
template <games::Game G, class Encode>
std::vector<SymmetryMaps> probed_symmetries(const G& game, games::FeatureShape shape,
                                            std::span<const typename G::State> states,
                                            const Encode& encode) {
  constexpr std::size_t kMaxRows = 1000;  // whose inputs are compared
  using State = typename G::State;
  const auto inputs = static_cast<std::size_t>(shape.size());
  // As many as are compared, from everywhere: every second finds the map, the others check it.
  std::vector<State> some;
  for (std::size_t i = 0; i < states.size(); i += 1 + states.size() / kMaxRows) {
    some.push_back(states[i]);
  }
  const auto rows_of = [&](std::size_t first, const auto& image) {
    FeatureRows rows{inputs, {}};
    for (std::size_t i = first; i < some.size(); i += 2) {
      rows.values.resize(rows.values.size() + inputs);
      encode(image(some[i]), std::span(rows.values).last(inputs));
    }
    return rows;
  };
  const auto same = [](const State& state) { return state; };
  const FeatureRows found_on = rows_of(0, same), checked_on = rows_of(1, same);

  std::vector<SymmetryMaps> all;
  for (const games::Symmetry symmetry : game.symmetries(game.initial())) {
    const auto holds = [&](const State& state) {
      const auto own = game.symmetries(state);
      return std::ranges::find(own, symmetry) != own.end();
    };
    if (!std::ranges::all_of(states, holds)) continue;
    const auto turned = [&](const State& state) { return game.transformed(state, symmetry); };
    ColumnMap input = feature_map(found_on, rows_of(0, turned), shape, symmetry);
    if (input.source.empty() || !turns(input, checked_on, rows_of(1, turned))) continue;
    // Actions of moves that play never met stay where they are. A symmetry under which one action
    // has two images, depending on who moves, is none for a network.
    const auto actions = static_cast<std::size_t>(game.action_count());
    ColumnMap moves{"moves", std::vector<std::uint32_t>(actions), std::vector<float>(actions, 1)};
    for (std::uint32_t i = 0; i < actions; ++i) moves.source[i] = i;
    std::vector<bool> met(actions);
    bool unique = true;
    for (const State& state : states) {
      const State image = turned(state);
      for (const auto move : game.legal_moves(state)) {
        const int from = index(game.action(state, move));
        const int to = index(game.action(image, game.transformed(move, symmetry)));
        const auto at = static_cast<std::size_t>(to);
        const auto source = static_cast<std::uint32_t>(from);
        unique = unique && (!met[at] || moves.source[at] == source);
        met[at] = true;
        moves.source[at] = source;
      }
    }
    if (!unique) continue;
    ColumnMap legal = moves;
    legal.column = "legal";
    all.push_back({std::move(input), std::move(moves), std::move(legal)});
  }
  return all;
}

}  // namespace damier::model
