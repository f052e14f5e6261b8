// What most games would write alike. A game inherits GameDefaults<ItsName> and hides what it does
// differently.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/text/text.h"
#include "damier/games/game.h"

namespace damier::games {

template <class G>
class GameDefaults {
 public:
  static std::span<const Option> options() { return {}; }
  static std::span<const Preset> presets() { return {}; }
  // For games without options.
  static Result<G> make(const OptionValues& values) {
    TRY(OptionReader(G::options(), values).check());
    return G();
  }
  OptionValues option_values() const { return {}; }

  Side side_to_move(const auto& state) const { return state.side; }
  int repetition_limit() const { return 0; }
  int ply_limit() const { return 0; }
  Gesture gesture(const auto&, const auto&) const { return {}; }
  std::string ending(const auto&) const { return {}; }
  std::vector<Figure> figures(const auto&) const { return {}; }

  bool counts_toward_limit(const auto&) const { return true; }

  // Looks for the index among the legal moves.
  template <class State>
  auto move(const State& state, Action action) const {
    using Move = typename G::Move;
    for (const Move candidate : game().legal_moves(state)) {
      if (game().action(state, candidate) == action) return std::optional<Move>(candidate);
    }
    return std::optional<Move>();
  }

  // Looks for the text among the texts of the legal moves.
  template <class State>
  auto parse_move(const State& state, std::string_view text) const {
    using Move = typename G::Move;
    std::vector<std::string> legal;
    for (const Move candidate : game().legal_moves(state)) {
      legal.push_back(game().move_text(state, candidate));
      if (legal.back() == trim(text)) return Result<Move>(candidate);
    }
    const Text notation(G::facts().move_notation);
    const auto nearest = did_you_mean(trim(text), legal);
    return Result<Move>(Error::of(
        nearest ? Text::of("{} is not a legal move here; did you mean {}? (moves are written {})",
                           in_quotes(trim(text)), *nearest, notation)
                : Text::of("{} is not a legal move here (moves are written {})",
                           in_quotes(trim(text)), notation)));
  }

 private:
  const G& game() const { return static_cast<const G&>(*this); }
};

}  // namespace damier::games
