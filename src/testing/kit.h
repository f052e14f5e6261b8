// The test kit: what must hold for every game, whatever its rules. docs/adding-a-game.md shows how
// a new game runs it.
#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "damier/base/numbers/random.h"
#include "damier/games/game.h"
#include "damier/games/perft.h"

namespace damier::games::kit {

template <class G>
typename G::State start_of(const G& game, Seed seed) {
  if constexpr (HiddenGame<G>) {
    return game.deal(seed);
  } else {
    return static_cast<void>(seed), game.initial();
  }
}

template <class G>
void check_texts(const G& game, const typename G::State& state) {
  if constexpr (HiddenGame<G>) {
    const auto observation = game.observe(state);
    const std::string text = game.observation_text(observation);
    const auto parsed = game.parse_observation(text);
    ASSERT_TRUE(parsed) << text << parsed.error().text();
    ASSERT_TRUE(*parsed == observation) << text;
  } else {
    const std::string text = game.position_text(state);
    const auto parsed = game.parse_position(text);
    ASSERT_TRUE(parsed) << parsed.error().text();
    ASSERT_TRUE(*parsed == state) << text;
    ASSERT_EQ(game.hash(*parsed), game.hash(state)) << text;
  }
}

// Every legal move has its own text and its own index, and both lead back to it.
template <class G>
void check_moves(const G& game, const typename G::State& state) {
  const auto moves = game.legal_moves(state);
  ASSERT_EQ(count_legal_moves(game, state), moves.size());
  ASSERT_EQ(moves.empty(), game.outcome(state) != Outcome::ongoing);
  std::set<std::string> texts;
  std::set<int> actions;
  for (const auto move : moves) {
    const std::string text = game.move_text(state, move);
    const Action action = game.action(state, move);
    ASSERT_TRUE(texts.insert(text).second) << text << " twice";
    ASSERT_TRUE(actions.insert(index(action)).second) << text << " shares its index";
    ASSERT_GE(index(action), 0);
    ASSERT_LT(index(action), game.action_count());
    const auto parsed = game.parse_move(state, text);
    ASSERT_TRUE(parsed) << text << ": " << parsed.error().text();
    ASSERT_TRUE(*parsed == move) << text;
    const auto back = game.move(state, action);
    ASSERT_TRUE(back.has_value()) << text;
    ASSERT_TRUE(*back == move) << text;
  }
  for (int i = 0; i < game.action_count(); ++i) {
    ASSERT_EQ(game.move(state, action_at(i)).has_value(), actions.contains(i)) << i;
  }
}

// Moves, outcomes and the side to move commute with every symmetry.
template <class G>
void check_symmetries(const G& game, const typename G::State& state) {
  const auto symmetries = game.symmetries(state);
  ASSERT_FALSE(symmetries.empty());
  ASSERT_TRUE(symmetries.front() == Symmetry{});
  for (const Symmetry symmetry : symmetries) {
    const auto image = game.transformed(state, symmetry);
    ASSERT_TRUE(game.transformed(image, symmetry.inverse()) == state);
    const Outcome outcome = game.outcome(state);
    ASSERT_EQ(game.outcome(image), symmetry.swap_sides ? with_sides_swapped(outcome) : outcome);
    const Side side = game.side_to_move(state);
    ASSERT_EQ(game.side_to_move(image), symmetry.swap_sides ? opponent(side) : side);
    const auto moves = game.legal_moves(state);
    ASSERT_EQ(game.legal_moves(image).size(), moves.size());
    // All children for short lists, a spread of them for long ones.
    const std::size_t step = std::max<std::size_t>(1, moves.size() / 8);
    for (std::size_t i = 0; i < moves.size(); i += step) {
      const auto image_move = game.transformed(moves[i], symmetry);
      ASSERT_TRUE(game.move(image, game.action(image, image_move)) == image_move);
      auto next = state, image_next = image;
      game.play(next, moves[i]);
      game.play(image_next, image_move);
      ASSERT_TRUE(game.transformed(next, symmetry) == image_next);
    }
  }
}

// The features fill their shape with finite numbers.
template <class G>
void check_features(const G& game, const typename G::State& state) {
  const auto size = static_cast<std::size_t>(game.feature_shape().size());
  ASSERT_GT(size, 0u);
  std::vector<float> features(size, std::nanf(""));
  game.write_features(state, features);
  for (const float value : features) ASSERT_TRUE(std::isfinite(value));
}

// What a search that stops here would trust.
template <class G>
void check_heuristic(const G& game, const typename G::State& state) {
  if constexpr (HasHeuristic<G>) {
    if (game.outcome(state) != Outcome::ongoing) return;
    ASSERT_LE(game.heuristic(state), kHeuristicLimit);
    ASSERT_GE(game.heuristic(state), -kHeuristicLimit);
  }
}

// The picture is whole, and moves are made by pointing at cells of it.
template <class G>
void check_picture(const G& game, const typename G::State& state,
                   std::span<const typename G::Move> played) {
  const Picture picture = game.picture(state, played);
  ASSERT_GT(picture.rows, 0);
  ASSERT_EQ(std::ssize(picture.cells), picture.rows * picture.cols);
  ASSERT_TRUE(picture.row_labels.empty() || std::ssize(picture.row_labels) == picture.rows);
  ASSERT_TRUE(picture.col_labels.empty() || std::ssize(picture.col_labels) == picture.cols);
  for (const auto move : game.legal_moves(state)) {
    const Gesture gesture = game.gesture(state, move);
    ASSERT_EQ(gesture.cells.empty(), gesture.kind.empty()) << game.move_text(state, move);
    for (const int cell : gesture.cells) {
      ASSERT_GE(cell, 0);
      ASSERT_LT(cell, std::ssize(picture.cells)) << game.move_text(state, move);
    }
  }
}

// What the game says of itself can be shown, and typed: `play --as SIDE` also knows these words.
template <class G>
void check_facts() {
  const Facts& facts = G::facts();
  ASSERT_FALSE(facts.name.empty());
  for (const char c : facts.name) {
    ASSERT_TRUE((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-') << facts.name;
  }
  for (const auto text : {facts.title, facts.summary, facts.rules, facts.move_notation}) {
    ASSERT_FALSE(text.empty()) << facts.name;
  }
  if (facts.players == 1) return;
  ASSERT_NE(facts.sides[0], facts.sides[1]) << "both sides have the same name";
  ASSERT_NE(facts.colours[0], facts.colours[1]) << "both sides have the same colour";
  for (const auto side : facts.sides) {
    ASSERT_FALSE(side.empty() || side == "both" || side == "none") << "a side's name: " << side;
  }
}

// What can be told of a state without keeping it: a copy that shares memory with it would change
// along with it.
template <class G>
std::string description(const G& game, const typename G::State& state) {
  std::string text = std::to_string(game.hash(state)) + "\n";
  if constexpr (HiddenGame<G>) {
    text += game.observation_text(game.observe(state));
  } else {
    text += game.position_text(state);
  }
  for (const auto move : game.legal_moves(state)) text += "\n" + game.move_text(state, move);
  return text;
}

// Undo by copy: playing on a copy leaves the state as it was, and gives the same again.
template <class G>
void check_play(const G& game, const typename G::State& state, const typename G::Move& move) {
  const std::string before = description(game, state);
  auto once = state, twice = state;
  game.play(once, move);
  game.play(twice, move);
  ASSERT_TRUE(once == twice);
  ASSERT_EQ(description(game, once), description(game, twice));
  ASSERT_EQ(description(game, state), before) << "playing on a copy has changed the state";
}

// Plays `games` random games of at most `max_plies` plies and checks every position on the way.
template <class G>
void check_random_games(const G& game, int games, int max_plies) {
  check_facts<G>();
  if (::testing::Test::HasFatalFailure()) return;
  for (int number = 0; number < games; ++number) {
    RandomStream random(Seed{42}, "kit", static_cast<std::uint64_t>(number));
    auto state = start_of(game, Seed{static_cast<std::uint64_t>(number)});
    std::vector<typename G::Move> played;
    for (int ply = 0; ply <= max_plies; ++ply) {
      SCOPED_TRACE(::testing::Message()
                   << G::facts().name << ", game " << number << ", ply " << ply);
      check_texts(game, state);
      check_moves(game, state);
      check_symmetries(game, state);
      check_features(game, state);
      check_heuristic(game, state);
      check_picture<G>(game, state, played);
      if (::testing::Test::HasFatalFailure()) return;
      const auto moves = game.legal_moves(state);
      if (moves.empty()) break;
      const auto move = moves[random.below(moves.size())];
      check_play(game, state, move);
      if (::testing::Test::HasFatalFailure()) return;
      game.play(state, move);
      played.push_back(move);
    }
  }
}

// Counting in bulk and playing every node agree.
template <Game G>
void check_perft(const G& game, const typename G::State& state, int depth) {
  for (int d = 0; d <= depth; ++d) ASSERT_EQ(perft(game, state, d), perft_plain(game, state, d));
}

}  // namespace damier::games::kit
