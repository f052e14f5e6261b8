// What is certain of a position or a move: always for the side to move, or for the side that makes
// the move, unless said otherwise.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string_view>

#include "damier/games/outcome.h"

namespace damier::games {

enum class Verdict : std::uint8_t { unknown, loss, draw, win };

constexpr Verdict opposite(Verdict verdict) {
  if (verdict == Verdict::win) return Verdict::loss;
  if (verdict == Verdict::loss) return Verdict::win;
  return verdict;
}

constexpr std::string_view verdict_text(Verdict verdict) {
  constexpr std::string_view kTexts[] = {"unknown", "loss", "draw", "win"};
  return kTexts[static_cast<int>(verdict)];
}

// A certain result as an expected one; 0 where nothing is certain.
constexpr double value_of(Verdict verdict) {
  return verdict == Verdict::win ? 1.0 : verdict == Verdict::loss ? -1.0 : 0.0;
}

// The result of a finished game for `side`.
constexpr Verdict verdict_of(Outcome outcome, Side side) {
  if (outcome == Outcome::ongoing) return Verdict::unknown;
  if (outcome == Outcome::draw) return Verdict::draw;
  return outcome == win_of(side) ? Verdict::win : Verdict::loss;
}

struct Known {
  Verdict verdict = Verdict::unknown;
  // To the end, where the winner hurries and the loser resists; nothing where that is not known. A
  // draw has an end in sight only where the rules end the game. Of a move: the move included.
  std::optional<int> plies = {};

  constexpr bool is_certain() const { return verdict != Verdict::unknown; }
  constexpr bool operator==(const Known&) const = default;
};

// Of a finished game.
constexpr Known known_end(Outcome outcome, Side side) { return {verdict_of(outcome, side), 0}; }

// Of a position, as the other side sees it.
constexpr Known seen_from_other_side(Known known) { return {opposite(known.verdict), known.plies}; }

// Of the move that leads to a position; `known` is for the side that made the move.
constexpr Known one_ply_before(Known known) {
  if (known.plies) ++*known.plies;
  return known;
}

// Wins above draws above losses. What is unknown counts as a draw.
constexpr int verdict_rank(Verdict verdict) {
  return verdict == Verdict::win ? 2 : verdict == Verdict::loss ? 0 : 1;
}

// Whether somebody would rather have `a`: a win before a draw before a loss, a short win before a
// long one, a long loss before a short one. What is unknown counts as a draw.
constexpr bool better(const Known& a, const Known& b) {
  if (a.verdict != b.verdict) return verdict_rank(a.verdict) > verdict_rank(b.verdict);
  if (!a.plies || !b.plies) return false;
  return a.verdict == Verdict::win ? *a.plies < *b.plies : *a.plies > *b.plies;
}

// The same in two bytes, for large tables: wins above 0, short ones the largest; draws 0; losses
// below. The plies of a win or loss must be known.
inline constexpr std::int16_t kPackedUnknown = -32'768;
inline constexpr int kPackedWin = 32'767;

constexpr std::int16_t packed(const Known& known) {
  if (known.verdict == Verdict::unknown) return kPackedUnknown;
  if (known.verdict == Verdict::draw) return 0;
  const int plies = known.plies.value_or(0);
  assert(plies < kPackedWin);
  return static_cast<std::int16_t>(known.verdict == Verdict::win ? kPackedWin - plies
                                                                 : plies - kPackedWin);
}

constexpr Known unpacked(std::int16_t number) {
  if (number == kPackedUnknown) return {};
  if (number == 0) return {Verdict::draw};
  return number > 0 ? Known{Verdict::win, kPackedWin - number}
                    : Known{Verdict::loss, kPackedWin + number};
}

}  // namespace damier::games
