// The templates behind any_game.h; include that one.
#pragma once

#include <cassert>
#include <mutex>

#include <fmt/format.h>

#include "damier/games/any_game.h"
#include "damier/games/history.h"
#include "damier/games/perft.h"

namespace damier::games::detail {

// Perft over the pool: the first two plies are walked here, each position after them is one task.
template <Game G>
PerftReport parallel_perft(const G& game, const typename G::State& root, int depth,
                           ThreadPool& pool, const Session::PerftProgress& on_done) {
  if (depth == 0) return {1, {}};
  const auto& rules = moves_alone(game);
  struct Task {
    std::size_t root_move;
    typename G::State state;
  };
  PerftReport report;
  std::vector<Task> tasks;
  const int split = depth >= 3 ? 2 : 1;
  for (const typename G::Move move : rules.legal_moves(root)) {
    typename G::State next = root;
    rules.play(next, move);
    const std::size_t at = report.moves.size();
    report.moves.emplace_back(rules.move_text(root, move), 0);
    if (split == 1) {
      tasks.push_back({at, next});
      continue;
    }
    for (const typename G::Move reply : rules.legal_moves(next)) {
      typename G::State after = next;
      rules.play(after, reply);
      tasks.push_back({at, after});
    }
  }
  std::mutex mutex;
  std::size_t done = 0;
  if (on_done) on_done(0, tasks.size(), 0);
  pool.for_each(tasks.size(), [&](std::size_t i) {
    const std::uint64_t nodes = count_lines(rules, tasks[i].state, depth - split);
    const std::lock_guard lock(mutex);
    report.moves[tasks[i].root_move].second += nodes;
    report.nodes += nodes;
    if (on_done) on_done(++done, tasks.size(), nodes);
  });
  return report;
}

template <class G>
class SessionOf final : public Session {
 public:
  SessionOf(G game, typename G::State start) : history_(std::move(game), start) {}
  explicit SessionOf(History<G> history) : history_(std::move(history)) {}

  std::unique_ptr<Session> clone() const override { return std::make_unique<SessionOf>(*this); }
  Side side_to_move() const override { return game().side_to_move(state()); }
  Outcome outcome() const override { return history_.outcome(); }
  Text ending() const override { return history_.ending(); }
  std::vector<Figure> figures() const override { return game().figures(state()); }

  std::vector<Action> legal_actions() const override { return actions(false); }
  std::vector<Action> playing_actions() const override { return actions(true); }

  Result<Action> parse_move(std::string_view text) const override {
    auto move = TRY(game().parse_move(state(), text));
    return game().action(state(), move);
  }

  std::string move_text(Action action) const override {
    return game().move_text(state(), legal_move(action));
  }

  void play(Action action) override { history_.play(legal_move(action)); }
  bool undo() override { return history_.undo(); }
  int plies() const override { return static_cast<int>(history_.moves().size()); }

  std::vector<std::string> move_texts() const override { return history_.move_texts(); }

  std::string start_text() const override { return text_of(history_.start()); }
  std::string position_text() const override { return text_of(state()); }
  std::uint64_t hash() const override { return game().hash(state()); }
  Picture picture() const override {
    Picture picture = game().picture(state(), history_.moves());
    picture.colours = G::facts().colours;
    return picture;
  }
  Gesture gesture(Action action) const override {
    return game().gesture(state(), legal_move(action));
  }

  Result<PerftReport> perft(int depth, ThreadPool& pool,
                            const PerftProgress& on_done) const override {
    if constexpr (HiddenGame<G>) {
      return Error{
          fmt::format("{} has hidden information; perft counts the moves of games where "
                      "everything is seen",
                      G::facts().name)};
    } else {
      return parallel_perft(game(), state(), depth, pool, on_done);
    }
  }

  const History<G>& history() const { return history_; }

 private:
  const G& game() const { return history_.game(); }
  const typename G::State& state() const { return history_.state(); }

  typename G::Move legal_move(Action action) const {
    const auto move = game().move(state(), action);
    assert(move.has_value());
    return *move;
  }

  std::vector<Action> actions([[maybe_unused]] bool uncovering) const {
    std::vector<Action> list;
    if (outcome() != Outcome::ongoing) return list;
    for (const typename G::Move move : game().legal_moves(state())) {
      if constexpr (HiddenGame<G>) {
        if (uncovering && !game().uncovers(move)) continue;
      }
      list.push_back(game().action(state(), move));
    }
    return list;
  }

  std::string text_of(const typename G::State& state) const {
    if constexpr (HiddenGame<G>) {
      return game().observation_text(game().observe(state));
    } else {
      return game().position_text(state);
    }
  }

  History<G> history_;
};

template <class G>
class AnyGameOf final : public AnyGame {
 public:
  explicit AnyGameOf(G game) : game_(std::move(game)) {}

  const Facts& facts() const override { return G::facts(); }
  OptionValues option_values() const override { return game_.option_values(); }
  int action_count() const override { return game_.action_count(); }
  FeatureShape feature_shape() const override { return game_.feature_shape(); }

  std::unique_ptr<Session> start(Seed seed) const override {
    if constexpr (HiddenGame<G>) {
      return std::make_unique<SessionOf<G>>(game_, game_.deal(seed));
    } else {
      return std::make_unique<SessionOf<G>>(game_, game_.initial());
    }
  }

  Result<std::unique_ptr<Session>> start_from(std::string_view position) const override {
    if constexpr (HiddenGame<G>) {
      return Error{fmt::format("{} cannot start from a position: what is hidden is not in it",
                               facts().name)};
    } else {
      auto state = TRY(game_.parse_position(position));
      return std::unique_ptr<Session>(std::make_unique<SessionOf<G>>(game_, state));
    }
  }

  std::vector<Token> pieces() const override {
    if constexpr (Placeable<G>) return G::pieces();
    return {};
  }
  void put(Placement& placement, int cell, const Token& piece) const override {
    if constexpr (requires { G::put(placement, cell, piece); }) {
      G::put(placement, cell, piece);
    } else {
      put_alone(placement, cell, piece);
    }
  }
  std::string text_of(const Placement& placement) const override {
    if constexpr (Placeable<G>) return game_.text_of(placement);
    return static_cast<void>(placement), std::string();
  }

  const G& rules() const { return game_; }

 private:
  G game_;
};

}  // namespace damier::games::detail

namespace damier::games {

template <class G>
const G& rules_of(const AnyGame& game) {
  return dynamic_cast<const detail::AnyGameOf<G>&>(game).rules();
}

template <class G>
const History<G>& history_of(const Session& session) {
  return dynamic_cast<const detail::SessionOf<G>&>(session).history();
}

// A game that has come so far.
template <class G>
std::unique_ptr<Session> session_of(const History<G>& history) {
  return std::make_unique<detail::SessionOf<G>>(history);
}

template <PlayableGame G>
GameEntry game_entry() {
  return {G::facts(), G::options(), G::presets(),
          [](const OptionValues& values) -> Result<std::shared_ptr<const AnyGame>> {
            auto game = TRY(G::make(values));
            return std::shared_ptr<const AnyGame>(
                std::make_shared<detail::AnyGameOf<G>>(std::move(game)));
          }};
}

}  // namespace damier::games
