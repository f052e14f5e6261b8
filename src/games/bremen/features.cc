// Brême's heuristic, action indices, symmetries and network inputs.

#include <algorithm>
#include <cassert>

#include "damier/games/bremen/bremen.h"

namespace damier::games::bremen {

int Bremen::heuristic(const State& state) const {
  constexpr std::array<int, kAnimals + 1> kWorth = {0, 0, 100, 300, 0};  // by height
  std::array<std::uint8_t, kSquares + 1> height = {};
  std::array<Side, kSquares + 1> top = {};
  for (std::size_t animal = 0; animal < kAnimals;
       ++animal) {  // from the bottom of a stack to its top
    for (const Side side : {Side::first, Side::second}) {
      const std::uint8_t square =
          state.squares[static_cast<std::size_t>(games::index(side))][animal];
      ++height[square];
      top[square] = side;
    }
  }
  int value = 0;
  for (std::size_t square = 0; square < kSquares; ++square) {
    const int worth = kWorth[height[square]];
    value += top[square] == state.side ? worth : -worth;
  }
  return value;
}

namespace {

constexpr std::array<Symmetry, 4> kSymmetries = {{
    {},
    {.mirror_cols = true},
    {.mirror_rows = true, .swap_sides = true},
    {.mirror_cols = true, .mirror_rows = true, .swap_sides = true},
}};

// Red looks at the board turned by 180 degrees.
int seen_by(Side side, int square) { return side == Side::first ? square : kSquares - 1 - square; }

int transformed_square(int square, Symmetry symmetry) {
  if (square == kNotPlaced) return square;
  const Cell2 to = symmetry.apply({square / kSize, square % kSize}, kSize, kSize);
  return kSize * to.row + to.col;
}

}  // namespace

Action Bremen::action(const State& state, Move move) const {
  const int square = seen_by(state.side, square_of(move));
  if (is_draft(move)) return action_at(kFirstDraftMove + kSize * animal_of(move) + square % kSize);
  return action_at(kSquares * animal_of(move) + square);
}

std::span<const Symmetry> Bremen::symmetries(const State& state) const {
  // Blue begins the draft: an exchange of the sides would give a draft that cannot occur.
  return std::span(kSymmetries).first(is_drafting(state) ? 2 : 4);
}

State Bremen::transformed(const State& state, Symmetry symmetry) const {
  State out = state;
  for (auto& side : out.squares) {
    for (auto& square : side) {
      square = static_cast<std::uint8_t>(transformed_square(square, symmetry));
    }
  }
  if (symmetry.swap_sides) {
    std::swap(out.squares[0], out.squares[1]);
    out.side = opponent(out.side);
  }
  return out;
}

Move Bremen::transformed(Move move, Symmetry symmetry) const {
  const int square = transformed_square(square_of(move), symmetry);
  return is_draft(move) ? draft_move(animal_of(move), square) : play_move(animal_of(move), square);
}

void Bremen::write_features(const State& state, std::span<float> out) const {
  assert(out.size() == static_cast<std::size_t>(feature_shape().size()));
  std::fill(out.begin(), out.end(), 0.0f);
  const auto mark = [&](std::size_t plane, int square) {
    if (square == kNotPlaced) return;
    out[plane * kSquares + static_cast<std::size_t>(seen_by(state.side, square))] = 1.0f;
  };
  const auto us = static_cast<std::size_t>(games::index(state.side));
  for (std::size_t animal = 0; animal < kAnimals; ++animal) {
    mark(animal, state.squares[us][animal]);
    mark(kAnimals + animal, state.squares[1 - us][animal]);
  }
  if (state.duty != State::kFree) mark(2 * kAnimals, state.squares[us][state.duty]);
}

void Bremen::write_draft_features(const State& state, std::span<float> out) const {
  assert(out.size() == static_cast<std::size_t>(draft_feature_shape().size()));
  std::fill(out.begin(), out.end(), 0.0f);
  const auto us = static_cast<std::size_t>(games::index(state.side));
  for (const std::size_t side : {0u, 1u}) {
    const std::size_t row = side == us ? 1 : 0;
    for (std::size_t animal = 0; animal < kAnimals; ++animal) {
      const std::uint8_t square = state.squares[side][animal];
      if (square == kNotPlaced) continue;
      const auto col = static_cast<std::size_t>(seen_by(state.side, square) % kSize);
      out[(animal * 2 + row) * kSize + col] = 1.0f;
    }
  }
}

}  // namespace damier::games::bremen
