// What a game must offer. Search, learning and the program are written against the concepts at the
// end of this file; docs/adding-a-game.md walks through them.
//
// A game object holds the rules under the chosen options. A state is a small value: copy it to look
// ahead, drop the copy to undo. States know nothing of the past: draws by repetition and by length
// belong to History (games/history.h), so that a search that does not need them does not pay.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "damier/base/inline_list.h"
#include "damier/base/numbers/random.h"
#include "damier/base/result.h"
#include "damier/games/coordinates.h"
#include "damier/games/options.h"
#include "damier/games/outcome.h"
#include "damier/games/picture.h"

namespace damier::games {

// A move's fixed place among all the moves of the game, whatever the position: the index of a
// network's output, and the move's name in the type-erased layer.
enum class Action : std::uint16_t {};

constexpr int index(Action action) { return static_cast<int>(action); }
constexpr Action action_at(int i) { return static_cast<Action>(i); }

struct FeatureShape {
  int planes = 0;
  int rows = 1;
  int cols = 1;

  int size() const { return planes * rows * cols; }
  bool operator==(const FeatureShape&) const = default;
};

// What holds for a game whatever its options.
struct Facts {
  std::string_view name;           // the word on the command line
  std::string_view title;          // for people
  std::string_view summary;        // one line
  std::string_view rules;          // the rules and the notation, for `damier help NAME`
  std::string_view move_notation;  // "from-to, as 7-4"
  int players = 2;
  bool hidden_information = false;
  std::array<std::string_view, 2> sides = {"first", "second"};     // the players' names
  std::array<Colour, 2> colours = {Colour::white, Colour::black};  // and those of their pieces
  // What 100 of the heuristic are to people, as "pawns"; empty: nothing that anybody counts in.
  std::string_view score_unit = {};
};

// A figure about a finished game that its player likes to see (minesweeper's 3BV).
struct Figure {
  std::string name;
  double value = 0;
  bool per_second = false;  // also worth showing divided by the playing time
};

// What search and random play need: the hot part.
template <class G>
concept Rules = std::copy_constructible<G> &&
    requires(const G game, const typename G::State state, typename G::State next,
             typename G::Move move) {
  requires std::regular<typename G::State>;
  requires std::is_trivially_copyable_v<typename G::State>;
  requires std::regular<typename G::Move>;
  requires std::is_trivially_copyable_v<typename G::Move>;
  // Searches make room for the longest list, without asking the heap.
  requires InlineListOf<typename G::MoveList, typename G::Move>;
  // A finished position has no legal moves.
  { game.legal_moves(state) } -> std::same_as<typename G::MoveList>;
  {game.play(next, move)};  // `move` must be legal
  { game.outcome(state) } -> std::same_as<Outcome>;
  { game.side_to_move(state) } -> std::same_as<Side>;
  { game.hash(state) } -> std::same_as<std::uint64_t>;
};

// What everybody at the edges needs: names, indices, symmetries, features, pictures.
template <class G>
concept Described = Rules<G> &&
    requires(const G game, const typename G::State state, typename G::Move move, Action action,
             Symmetry symmetry, std::string_view text, std::span<float> features,
             std::span<const typename G::Move> played) {
  { G::facts() } -> std::same_as<const Facts&>;
  { G::options() } -> std::same_as<std::span<const Option>>;
  { G::presets() } -> std::same_as<std::span<const Preset>>;
  { G::make(OptionValues{}) } -> std::same_as<Result<G>>;
  { game.option_values() } -> std::same_as<OptionValues>;

  { game.action_count() } -> std::same_as<int>;
  { game.action(state, move) } -> std::same_as<Action>;
  // The legal move with that index, if there is one.
  { game.move(state, action) } -> std::same_as<std::optional<typename G::Move>>;
  { game.move_text(state, move) } -> std::same_as<std::string>;
  { game.parse_move(state, text) } -> std::same_as<Result<typename G::Move>>;

  // The symmetries that lead from this state to another legal one; identity first.
  { game.symmetries(state) } -> std::same_as<std::span<const Symmetry>>;
  { game.transformed(state, symmetry) } -> std::same_as<typename G::State>;
  { game.transformed(move, symmetry) } -> std::same_as<typename G::Move>;

  { game.feature_shape() } -> std::same_as<FeatureShape>;
  {game.write_features(state, features)};  // exactly feature_shape().size() values

  // `played` leads to `state`; it may be shorter than the game, or empty.
  { game.picture(state, played) } -> std::same_as<Picture>;
  { game.gesture(state, move) } -> std::same_as<Gesture>;  // of a legal move
  { game.ending(state) } -> std::convertible_to<Text>;     // why a finished game is over
  { game.figures(state) } -> std::same_as<std::vector<Figure>>;
};

// A game of two players who see everything.
template <class G>
concept Game = Described<G> &&
    requires(const G game, const typename G::State state, std::string_view text) {
  { game.initial() } -> std::same_as<typename G::State>;
  { game.position_text(state) } -> std::same_as<std::string>;
  { game.parse_position(text) } -> std::same_as<Result<typename G::State>>;
  // A position that occurs this often is a draw; 0: never.
  { game.repetition_limit() } -> std::same_as<int>;
  // A game of this many plies is a draw (0: never), counting the plies that the game counts.
  { game.ply_limit() } -> std::same_as<int>;
  { game.counts_toward_limit(state) } -> std::same_as<bool>;
};

// A game of one player against what is hidden. Players see observations, never states.
template <class G>
concept HiddenGame = Described<G> &&
    requires(const G game, const typename G::State state, typename G::Move move,
             const typename G::Observation observation, std::string_view text) {
  { game.deal(Seed{}) } -> std::same_as<typename G::State>;
  { game.observe(state) } -> std::same_as<typename G::Observation>;
  { game.observation_text(observation) } -> std::same_as<std::string>;
  { game.parse_observation(text) } -> std::same_as<Result<typename G::Observation>>;
  // Whether the move uncovers something; the others are notes that the player makes.
  { game.uncovers(move) } -> std::same_as<bool>;
};

// Either. What both need comes first: a compiler explains why the first part does not hold.
template <class G>
concept PlayableGame = Described<G> &&(Game<G> || HiddenGame<G>);

// A game that can say how good a position looks, for searches that stop before the end: hundredths
// of its natural unit (a pawn, a move in hand) for the side to move, within kHeuristicLimit.
inline constexpr int kHeuristicLimit = 20'000;
template <class G>
concept HasHeuristic = Rules<G> && requires(const G game, const typename G::State state) {
  { game.heuristic(state) } -> std::same_as<int>;
};

// A game that counts its legal moves faster than it lists them.
template <class G>
concept CountsMoves = Rules<G> && requires(const G game, const typename G::State state) {
  { game.count_moves(state) } -> std::same_as<int>;
};

}  // namespace damier::games
