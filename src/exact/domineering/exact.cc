#include "damier/exact/domineering/exact.h"

namespace damier::exact {

using games::domineering::Domineering;

namespace {

// What a move may cost when a whole game is played or all moves are looked at.
constexpr std::uint64_t kNodesForAMove = 20'000'000;
constexpr std::uint64_t kNodesForAView = 2'000'000;
// What counting the answers to all moves of a lost position may cost.
constexpr std::uint64_t kNodesForAnswers = 2'000'000;
constexpr Ask kNoSearch = {.nodes = 1};  // to speak of

}  // namespace

Exact<Domineering>::Exact(const Domineering& game)
    : game_(game), solver_(std::make_shared<domineering::DomineeringSolver>(game)) {}

Answer<Domineering::Move> Exact<Domineering>::answer(const games::History<Domineering>& history,
                                                     const Ask& ask) const {
  const Stopwatch watch;
  auto answer = ask.random == nullptr ? solved(history.state(), ask) : chosen(history.state(), ask);
  answer.seconds = watch.seconds();
  return answer;
}

Answer<Domineering::Move> Exact<Domineering>::chosen(const Domineering::State& state,
                                                     const Ask& ask) const {
  Answer<Domineering::Move> answer;
  const auto chosen = chosen_move(state, ask);
  if (ask.watch != nullptr) ask.watch->set_best(game_.action(state, chosen));
  std::size_t best = 0;
  for (const Domineering::Move move : game_.legal_moves(state)) {
    if (move == chosen) best = answer.moves.size();
    MoveAnswer<Domineering::Move>& here = answer.moves.emplace_back();
    here.move = move;
    if (ask.every_move) {
      Domineering::State next = state;
      game_.play(next, move);
      const auto reply = solver_->solve(next, {.nodes = kNodesForAView, .watch = ask.watch});
      answer.nodes += reply.nodes;
      here.known = seen_from_other_side(reply.known);
    }
    here.value = value_of(here.known.verdict);
  }
  put_best_first(answer.moves, best);
  answer.known = known_from(answer.moves);
  answer.line = {chosen};
  return answer;
}

Domineering::Move Exact<Domineering>::chosen_move(const Domineering::State& state,
                                                  const Ask& ask) const {
  const auto found = solver_->solve(state, {.nodes = kNodesForAMove, .watch = ask.watch});
  if (!found.moves.empty()) return found.best().move;
  if (found.known.verdict != Verdict::loss) return solver_->best_move(state, kNoSearch);
  const auto hardest =
      solver_->hardest_moves(state, {.nodes = kNodesForAnswers, .watch = ask.watch});
  return hardest[static_cast<std::size_t>(ask.random->below(hardest.size()))];
}

Answer<Domineering::Move> Exact<Domineering>::solved(const Domineering::State& state,
                                                     const Ask& ask) const {
  if (ask.watch != nullptr && !game_.legal_moves(state).empty()) {
    ask.watch->set_best(game_.action(state, solver_->best_move(state, kNoSearch)));
  }
  auto answer = solver_->solve(state, ask);
  if (!answer.known.is_certain()) {
    answer.line = {solver_->best_move(state, kNoSearch)};
  } else if (!answer.moves.empty()) {
    answer.line = {answer.best().move};
  }
  if (answer.known.is_certain() && state == game_.initial()) {
    const auto other = solver_->solve({state.free, games::opponent(state.side)}, ask);
    answer.nodes += other.nodes;
    answer.for_other_side = other.known.verdict;
  }
  return answer;
}

}  // namespace damier::exact
