// Fanoron-telo: three pieces a side on nine points, one step a turn, three in line to win.
//
// Only pieces that have moved count for a line, so a state keeps, beside the two sets of pieces,
// the set of points whose piece has moved.
#pragma once

#include <array>
#include <cstdint>

#include "damier/base/numbers/bits.h"
#include "damier/games/defaults.h"
#include "damier/games/picture.h"

namespace damier::games::fanorona {

// Points 0 to 8, row by row from the top left.
inline constexpr int kPoints = 9;
using PointSet = std::uint16_t;  // bit p: point p
inline constexpr PointSet kAllPoints = 0x1FF;

constexpr PointSet point_bit(int point) { return static_cast<PointSet>(1u << point); }

struct State {
  std::array<PointSet, 2> pieces = {};  // by side; White is first
  PointSet moved = 0;                   // points whose piece has moved
  Side side = Side::first;

  bool operator==(const State&) const = default;
};

enum class Move : std::uint8_t {};  // 9 * from + to

constexpr Move make_move(int from, int to) { return static_cast<Move>(kPoints * from + to); }
constexpr int from_of(Move move) { return static_cast<int>(move) / kPoints; }
constexpr int to_of(Move move) { return static_cast<int>(move) % kPoints; }

// The centre touches all; corners and sides touch their neighbours on the rim and the centre.
inline constexpr auto kNeighbours = [] {
  constexpr std::array<int, 8> kRim = {0, 1, 2, 5, 8, 7, 6, 3};
  std::array<PointSet, kPoints> all = {};
  for (std::size_t i = 0; i < kRim.size(); ++i) {
    for (const int other : {kRim[(i + 1) % kRim.size()], 4}) {
      all[at(kRim[i])] |= point_bit(other);
      all[at(other)] |= point_bit(kRim[i]);
    }
  }
  return all;
}();

inline constexpr auto kIsLine = [] {
  std::array<bool, kAllPoints + 1> is_line = {};
  for (const std::size_t line : {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124}) {
    is_line[line] = true;
  }
  return is_line;
}();

inline constexpr auto kSetSize = [] {
  std::array<std::uint8_t, kAllPoints + 1> sizes = {};
  for (unsigned set = 1; set <= kAllPoints; ++set) {
    sizes[set] = static_cast<std::uint8_t>(sizes[set >> 1] + (set & 1));
  }
  return sizes;
}();

class Fanorona : public GameDefaults<Fanorona> {
 public:
  using State = fanorona::State;
  using Move = fanorona::Move;
  using MoveList = InlineList<Move, 24>;  // three pieces with eight neighbours at the very most

  static const Facts& facts();

  State initial() const { return {{0700, 0007}, 0, Side::first}; }
  int repetition_limit() const { return 3; }

  MoveList legal_moves(const State& state) const {
    MoveList moves;
    if (is_won(state)) return moves;
    const unsigned empty = empty_points(state);
    for (unsigned own = own_pieces(state); own != 0; own &= own - 1) {
      const int from = __builtin_ctz(own);
      for (unsigned to = kNeighbours[at(from)] & empty; to != 0; to &= to - 1) {
        moves.push_back(make_move(from, __builtin_ctz(to)));
      }
    }
    return moves;
  }

  int count_moves(const State& state) const {
    if (is_won(state)) return 0;
    const unsigned empty = empty_points(state);
    int count = 0;
    for (unsigned own = own_pieces(state); own != 0; own &= own - 1) {
      count += kSetSize[kNeighbours[at(__builtin_ctz(own))] & empty];
    }
    return count;
  }

  void play(State& state, Move move) const {
    const unsigned from = point_bit(from_of(move)), to = point_bit(to_of(move));
    auto& own = state.pieces[at(index(state.side))];
    own = static_cast<PointSet>(own ^ (from | to));
    state.moved = static_cast<PointSet>((state.moved & ~from) | to);
    state.side = opponent(state.side);
  }

  Outcome outcome(const State& state) const {
    // Where both stand in line, which only a set-up position can show, the last mover has won.
    if (has_line(state, opponent(state.side))) return win_of(opponent(state.side));
    if (has_line(state, state.side)) return win_of(state.side);
    return count_moves(state) == 0 ? win_of(opponent(state.side)) : Outcome::ongoing;
  }

  std::uint64_t hash(const State& state) const {
    return mix64((std::uint64_t{state.pieces[0]} | std::uint64_t{state.pieces[1]} << 16 |
                  std::uint64_t{state.moved} << 32 |
                  static_cast<std::uint64_t>(index(state.side)) << 48) +
                 1);
  }

  std::string position_text(const State& state) const;
  Result<State> parse_position(std::string_view text) const;
  std::string move_text(const State& state, Move move) const;

  int action_count() const { return kPoints * kPoints; }
  Action action(const State&, Move move) const { return action_at(static_cast<int>(move)); }

  std::span<const Symmetry> symmetries(const State&) const;
  State transformed(const State& state, Symmetry symmetry) const;
  Move transformed(Move move, Symmetry symmetry) const;

  // 46 values: for each point, one-hot over its content -2, -1, 0, 1, 2 (Black moved, Black, empty,
  // White, White moved), then the player as -1 or +1.
  FeatureShape feature_shape() const { return {46, 1, 1}; }
  void write_features(const State& state, std::span<float> out) const;

  Picture picture(const State& state, std::span<const Move> played) const;
  Gesture gesture(const State& state, Move move) const;
  static std::vector<Token> pieces();
  std::string text_of(const Placement& placement) const;
  std::string ending(const State& state) const;

 private:
  static unsigned own_pieces(const State& state) { return state.pieces[at(index(state.side))]; }
  static unsigned empty_points(const State& state) {
    return kAllPoints & ~unsigned{state.pieces[0]} & ~unsigned{state.pieces[1]};
  }
  static bool has_line(const State& state, Side side) {
    const unsigned pieces = state.pieces[at(index(side))];
    return kIsLine[pieces] && (pieces & ~unsigned{state.moved}) == 0;
  }
  static bool is_won(const State& state) {
    return has_line(state, Side::first) || has_line(state, Side::second);
  }
};

static_assert(Game<Fanorona>);

}  // namespace damier::games::fanorona
