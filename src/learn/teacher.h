// Teachers: who says what is best in a position. Any game of two players has them, by name: `exact`
// where the game can be solved, `minimax:DEPTH`, `ucb:PLAYOUTS` and `uct:SIMULATIONS`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "damier/base/result.h"
#include "damier/exact/reachable.h"
#include "damier/search/alpha_beta.h"
#include "damier/search/monte_carlo.h"
#include "damier/search/tree.h"

namespace damier::learn {

// What a teacher says of a position that is not over.
template <games::Game G>
struct Lesson {
  typename G::Move move;               // the one that it would play
  std::vector<typename G::Move> best;  // all that are as good; `move` is one of them
  double value = 0;                    // the expected result for the side to move, -1 to 1
  int distance = 0;                    // plies to a win or loss that is certain; otherwise 0
  std::vector<typename G::Move> hardest = {};  // of a lost position, to answer; may be unknown
  std::vector<typename G::Move> unknown = {};  // moves that may be good or not
};

// A teacher's name taken apart.
struct TeacherName {
  enum class Kind : std::uint8_t { exact, minimax, ucb, uct };
  Kind kind = Kind::exact;
  std::int64_t amount = 0;  // plies, playouts a move or simulations
  double c = 0;             // how much ucb explores

  static Result<TeacherName> parse(std::string_view text);
};
// As help and errors list them.
std::vector<std::string> teacher_names();

// Each thread has its own. What it says of a position follows from the position and `random` alone,
// unless a solver's limits are met.
template <games::Game G>
class Teacher {
 public:
  virtual ~Teacher() = default;
  // Nothing where the teacher does not know.
  virtual std::optional<Lesson<G>> teach(const typename G::State& state, RandomStream& random) = 0;
};

namespace detail {

// Searches with a memory that is cleared for every position: a small one.
inline constexpr std::size_t kTeacherTable = std::size_t{1} << 14;

template <games::Game G>
class ExactTeacher final : public Teacher<G> {
 public:
  using Move = typename G::Move;

  ExactTeacher(G game, exact::Exact<G> exact) : game_(std::move(game)), exact_(std::move(exact)) {}

  std::optional<Lesson<G>> teach(const typename G::State& state, RandomStream& random) override {
    std::optional<Lesson<G>> lesson;
    games::Known best;
    const auto look = [&](Move move, const games::Known& known) {
      if (!lesson || better(known, best)) {
        best = known;
        lesson = Lesson<G>{move, {}, value_of(known.verdict), known.plies.value_or(0)};
      }
      if (known == best) lesson->best.push_back(move);
    };
    if constexpr (exact::kHasTable<G>) {
      if (exact_.knows(state)) {
        for (const Move move : game_.legal_moves(state)) {
          look(move, exact_.table().value_after(state, move));
        }
        return lesson;
      }
    }
    const games::History<G> history(game_, state);
    const auto answer = exact_.answer(history, {.every_move = true, .random = &random});
    for (const Move move : game_.legal_moves(state)) {
      const auto at = std::find_if(answer.moves.begin(), answer.moves.end(),
                                   [&](const auto& one) { return one.move == move; });
      if (!at->known.is_certain()) return std::nullopt;
      look(move, at->known);
    }
    return lesson;
  }

 private:
  G game_;
  exact::Exact<G> exact_;
};

template <games::Game G>
class MinimaxTeacher final : public Teacher<G> {
 public:
  MinimaxTeacher(const G& game, int depth, bool all_best)
      : game_(game),
        depth_(depth),
        all_best_(all_best),
        search_(game, {.table_bytes = kTeacherTable, .all_best = all_best}) {}

  std::optional<Lesson<G>> teach(const typename G::State& state, RandomStream&) override {
    const auto answer = search_.answer(games::History<G>(game_, state), {.depth = depth_});
    const auto& best = answer.best();
    Lesson<G> lesson{best.move, {}, *best.value, best.known.plies.value_or(0)};
    for (const auto& move : answer.moves) {
      const bool as_good = all_best_ && move.score && best.score && *move.score == *best.score;
      if (as_good || move.move == best.move) lesson.best.push_back(move.move);
    }
    return lesson;
  }

 private:
  G game_;
  int depth_;
  bool all_best_;
  search::AlphaBeta<G> search_;
};

template <games::Game G>
class TreeTeacher final : public Teacher<G> {
 public:
  TreeTeacher(const G& game, std::uint64_t simulations) : game_(game), simulations_(simulations) {}

  std::optional<Lesson<G>> teach(const typename G::State& state, RandomStream& random) override {
    // A tree of its own: what an earlier position left behind must not matter.
    search::TreeSearch<G> search(game_);
    const auto answer =
        search.answer(games::History<G>(game_, state), {.nodes = simulations_, .random = &random});
    const auto& best = answer.best();
    return Lesson<G>{best.move, {best.move}, *best.value, best.known.plies.value_or(0)};
  }

 private:
  G game_;
  std::uint64_t simulations_;
};

template <games::Game G>
class BanditTeacher final : public Teacher<G> {
 public:
  BanditTeacher(const G& game, std::uint64_t playouts, double c)
      : game_(game), search_(playouts, {.c = c}) {}

  std::optional<Lesson<G>> teach(const typename G::State& state, RandomStream& random) override {
    const auto answer = search_.answer(games::History<G>(game_, state), {.random = &random});
    const auto& best = answer.best();
    return Lesson<G>{best.move, {best.move}, *best.value, best.known.plies.value_or(0)};
  }

 private:
  G game_;
  search::BanditSearch<G> search_;
};

}  // namespace detail

// `all_best`: the lesson names every move that is as good as the best one, not only one; this may
// take longer. An error where the game has no such teacher.
template <games::Game G>
Result<std::unique_ptr<Teacher<G>>> make_teacher(const G& game, const TeacherName& name,
                                                 bool all_best) {
  using Pointer = std::unique_ptr<Teacher<G>>;
  if (name.kind == TeacherName::Kind::minimax) {
    return Pointer(
        std::make_unique<detail::MinimaxTeacher<G>>(game, static_cast<int>(name.amount), all_best));
  }
  if (name.kind == TeacherName::Kind::ucb) {
    return Pointer(std::make_unique<detail::BanditTeacher<G>>(
        game, static_cast<std::uint64_t>(name.amount), name.c));
  }
  if (name.kind == TeacherName::Kind::uct) {
    return Pointer(
        std::make_unique<detail::TreeTeacher<G>>(game, static_cast<std::uint64_t>(name.amount)));
  }
  if constexpr (exact::kHasSource<G>) {
    auto exact = exact::Exact<G>::load(game);
    if (!exact) return std::move(exact).error();
    return Pointer(std::make_unique<detail::ExactTeacher<G>>(game, *std::move(exact)));
  } else {
    return Error{
        fmt::format("{} is not solved: it has no exact teacher; expected minimax:DEPTH, "
                    "ucb:PLAYOUTS or uct:SIMULATIONS",
                    G::facts().name)};
  }
}

}  // namespace damier::learn
