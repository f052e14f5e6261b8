#include "damier/exact/bremen/exact.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <mutex>

#include "damier/base/numbers/stopwatch.h"

namespace damier::exact {

namespace bremen {

namespace {

using games::bremen::Bremen;
using games::bremen::kAnimals;
using games::bremen::kNotPlaced;
using games::bremen::kSize;
using GameState = games::bremen::State;

constexpr std::size_t kPlacements = 120;  // of four animals on five columns

// What each outcome is worth to Blue: the plies to a win, below 0 to a loss, 0 for a draw. A line
// for each placement of Blue, a number for each of Red, both in the order of their columns as Blue
// sees them.
constexpr std::int16_t kOutcomes[] = {
#include "damier/exact/bremen/draft_outcomes.inc"
};
static_assert(std::size(kOutcomes) == kPlacements * kPlacements);

Known outcome_known(int plies) {
  if (plies == 0) return {Verdict::draw};
  return {plies > 0 ? Verdict::win : Verdict::loss, std::abs(plies)};
}

// Of a side's animals: each column, or that it is not placed. Nothing when one has left its row.
std::optional<std::array<int, kAnimals>> columns_of(const GameState& state, games::Side side) {
  std::array<int, kAnimals> columns = {};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const int square = state.squares[static_cast<std::size_t>(games::index(side))][i];
    if (square != kNotPlaced && square / kSize != games::bremen::home_row(side)) return {};
    columns[i] = square == kNotPlaced ? kSize : square % kSize;
  }
  return columns;
}

// The side to move follows from the number of animals on the board.
std::optional<std::size_t> key_of(const GameState& state) {
  std::size_t key = 0;
  int placed = 0;
  for (const games::Side side : {games::Side::first, games::Side::second}) {
    const auto columns = columns_of(state, side);
    if (!columns) return {};
    for (const int column : *columns) {
      key = key * (kSize + 1) + static_cast<std::size_t>(column);
      placed += column < kSize;
    }
  }
  const bool blue = placed % 2 == 0;
  if (blue != (state.side == games::Side::first) || state.duty != GameState::kFree) return {};
  return key;
}

constexpr std::size_t kKeys = 6 * 6 * 6 * 6 * 6 * 6 * 6 * 6;

// Of a complete placement, in the order of its columns.
std::size_t number_of(const std::array<int, kAnimals>& columns) {
  std::size_t number = 0, unused = kSize;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto before = std::count_if(columns.begin(), columns.begin() + static_cast<int>(i),
                                      [&](int column) { return column < columns[i]; });
    number = number * unused + static_cast<std::size_t>(columns[i] - before);
    --unused;
  }
  return number;
}

}  // namespace

std::shared_ptr<const Draft> Draft::with_limit(int plies) {
  static std::mutex mutex;
  static std::map<int, std::shared_ptr<const Draft>> all;
  const std::scoped_lock lock(mutex);
  auto& draft = all[plies];
  if (draft == nullptr) draft = std::shared_ptr<const Draft>(new Draft(plies));
  return draft;
}

Draft::Draft(int limit) : limit_(limit), values_(kKeys, games::kPackedUnknown) {
  fill(Bremen().initial());
}

Known Draft::fill(const GameState& state) {
  std::int16_t& value = values_[key_of(state).value()];
  if (value != games::kPackedUnknown) return games::unpacked(value);
  const Bremen game;
  Known known;
  if (!game.is_drafting(state)) {
    const std::size_t blue = number_of(columns_of(state, games::Side::first).value());
    const std::size_t red = number_of(columns_of(state, games::Side::second).value());
    known = outcome_known(kOutcomes[kPlacements * blue + red]);
    if (limit_ != 0 && known.plies && *known.plies > limit_) known = {Verdict::draw};
    ++(known.verdict == Verdict::win    ? outcomes_.won
       : known.verdict == Verdict::loss ? outcomes_.lost
                                        : outcomes_.drawn);
    outcomes_.longest = std::max(outcomes_.longest, known.plies.value_or(0));
  } else {
    ++positions_;
    for (const auto move : game.legal_moves(state)) {
      GameState next = state;
      game.play(next, move);
      const Known found = one_ply_before(seen_from_other_side(fill(next)));
      if (!known.is_certain() || better(found, known)) known = found;
    }
  }
  value = games::packed(known);
  return known;
}

Known Draft::known(const GameState& state) const {
  const auto key = key_of(state);
  return key ? games::unpacked(values_[*key]) : Known{};
}

}  // namespace bremen

using bremen::Draft;
using games::bremen::Bremen;

Exact<Bremen>::Exact(const Bremen& game) : game_(game) {
  const Bremen usual({.max_plies = game.ply_limit()});
  if (game.option_values() == usual.option_values()) draft_ = Draft::with_limit(game.ply_limit());
}

Answer<Bremen::Move> Exact<Bremen>::answer(const games::History<Bremen>& history,
                                           const Ask&) const {
  const Stopwatch watch;
  const Bremen::State& state = history.state();
  Answer<Bremen::Move> answer{.known = draft_->known(state)};
  std::size_t best = 0;
  for (const auto move : game_.legal_moves(state)) {
    MoveAnswer<Bremen::Move>& here = answer.moves.emplace_back();
    here.move = move;
    if (!game_.is_drafting(state)) continue;
    Bremen::State next = state;
    game_.play(next, move);
    here.known = one_ply_before(seen_from_other_side(draft_->known(next)));
    here.value = value_of(here.known.verdict);
    if (better(here.known, answer.moves[best].known)) best = answer.moves.size() - 1;
  }
  put_best_first(answer.moves, best);
  if (knows_moves(state)) answer.line = {answer.best().move};
  answer.nodes = 1;
  answer.seconds = watch.seconds();
  return answer;
}

std::vector<SpaceFigure> Exact<Bremen>::state_space() const {
  const auto draft = draft_ != nullptr ? draft_ : Draft::with_limit(game_.ply_limit());
  const Draft::Outcomes& outcomes = draft->outcomes();
  return {
      {"draft_positions", "positions of the draft", draft->positions()},
      {"outcomes", "positions right after it", outcomes.won + outcomes.drawn + outcomes.lost},
      {"won", "of these, won for Blue, who moves first", outcomes.won},
      {"drawn", "drawn", outcomes.drawn},
      {"lost", "lost", outcomes.lost},
      {"longest", "plies of the longest of these wins",
       static_cast<std::uint64_t>(outcomes.longest)},
  };
}

}  // namespace damier::exact
