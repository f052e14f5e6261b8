// Small games solved whole without a line of their own: all states that play can reach are listed,
// numbered as they are found, and valued by retrograde analysis.
#pragma once

#include <map>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "damier/exact/state_space.h"

namespace damier::exact {

// A game with more states than this is not listed.
inline constexpr StateIndex kMaxStates = 5'000'000;
// This many take no noticeable time: such a table is made without being asked for.
inline constexpr StateIndex kQuickStates = 100'000;

// Numbers the states in the order in which a search from `start` finds them.
template <games::Game G>
class ReachableIndexer {
 public:
  using State = typename G::State;

  // Nothing where there are more than `most`.
  static std::optional<ReachableIndexer> explore(const G& game, const State& start,
                                                 StateIndex most) {
    ReachableIndexer indexer(game);
    indexer.add(start);
    for (std::size_t i = 0; i < indexer.states_.size(); ++i) {
      const State state = indexer.states_[i];
      for (const auto move : game.legal_moves(state)) {
        State next = state;
        game.play(next, move);
        indexer.add(next);
        if (indexer.states_.size() > most) return std::nullopt;
      }
    }
    indexer.states_.shrink_to_fit();
    return indexer;
  }

  StateIndex state_count() const { return static_cast<StateIndex>(states_.size()); }
  State state_at(StateIndex index) const { return states_[index]; }
  // Of a state that knows() is true of.
  StateIndex index_of(const State& state) const { return slots_[slot_of(state)] - 1; }
  bool knows(const State& state) const { return slots_[slot_of(state)] != 0; }

 private:
  explicit ReachableIndexer(const G& game) : game_(game), slots_(1024) {}

  // The slot that holds the state, or the empty one where it belongs.
  std::size_t slot_of(const State& state) const {
    std::size_t slot = static_cast<std::size_t>(game_.hash(state)) & (slots_.size() - 1);
    while (slots_[slot] != 0 && !(states_[slots_[slot] - 1] == state)) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
  }

  void add(const State& state) {
    const std::size_t slot = slot_of(state);
    if (slots_[slot] != 0) return;
    states_.push_back(state);
    slots_[slot] = static_cast<StateIndex>(states_.size());
    if (2 * states_.size() < slots_.size()) return;
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      slots_[slot_of(states_[i])] = static_cast<StateIndex>(i + 1);
    }
  }

  G game_;
  std::vector<State> states_;
  std::vector<StateIndex> slots_;  // by hash: the number plus 1; 0: empty. A power of two.
};

template <games::Game G>
using ReachableSpace = StateSpace<G, ReachableIndexer<G>>;

// All states from the game's start; null where there are more than `most`. Made once for each set
// of rules, because players and teachers come back for it.
template <games::Game G>
std::shared_ptr<const ReachableSpace<G>> reachable_space(const G& game, StateIndex most) {
  struct Explored {
    std::shared_ptr<const ReachableSpace<G>> space;
    StateIndex tried = 0;  // there are more states than this, if there is no space
  };
  static std::mutex mutex;
  static std::map<std::string, Explored> all;
  const std::scoped_lock lock(mutex);
  Explored& known = all[games::options_text(game.option_values())];
  if (known.space == nullptr && known.tried < most) {
    known.tried = most;
    if (auto indexer = ReachableIndexer<G>::explore(game, game.initial(), most)) {
      known.space = std::make_shared<const ReachableSpace<G>>(game, *std::move(indexer));
    }
  }
  if (known.space == nullptr || known.space->indexer().state_count() > most) return nullptr;
  return known.space;
}

// A game with hidden information has no exact value.
template <class G>
class Exact {};

template <games::Game G>
class Exact<G> : public TableSource<G, ReachableSpace<G>> {
 public:
  using Source = TableSource<G, ReachableSpace<G>>;

  // With the table, if it is a quick one.
  explicit Exact(const G& game) : Exact(game, kQuickStates) {}
  static Result<Exact> load(const G& game) {
    Exact exact(game, kMaxStates);
    if (exact.is_at_hand()) return exact;
    return Error{fmt::format("{} has more than {} positions: too many to be listed and solved",
                             G::facts().name, kMaxStates)};
  }

  // Of a position that was set up, which play may not lead to, the table is made anew; unknown
  // where it is too large.
  Answer<typename G::Move> answer(const games::History<G>& history, const Ask& ask) const {
    if (Source::knows(history.state())) return Source::answer(history, ask);
    auto indexer = ReachableIndexer<G>::explore(history.game(), history.state(), kMaxStates);
    if (indexer) {
      return Source(std::make_shared<const ReachableSpace<G>>(history.game(), *std::move(indexer)))
          .answer(history, ask);
    }
    Answer<typename G::Move> unknown;
    for (const auto move : history.game().legal_moves(history.state())) {
      unknown.moves.push_back({.move = move, .value = 0});
    }
    return unknown;
  }

  std::vector<SpaceFigure> state_space() const {
    const StateSpaceStatistics counts = Source::table().statistics();
    std::vector<SpaceFigure> figures = {
        {"states", "states that can be reached from the start", counts.states},
        {"finished", "of these, states in which the game is over", counts.finished}};
    Source::add_values(figures, counts);
    return figures;
  }

 private:
  Exact(const G& game, StateIndex most) : Source(reachable_space(game, most)) {}
};

}  // namespace damier::exact
