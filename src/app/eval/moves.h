// `damier eval` of the moves of players in a game that is solved: how often they keep what a
// position is worth.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "damier/app/context.h"
#include "damier/play/analysis/kept_value.h"

namespace damier::app {

struct EvalMovesArguments {
  std::vector<std::string> players;
  std::vector<std::string> from;  // whose games give the positions
  std::optional<std::uint64_t> positions;
  std::optional<std::string> against;  // with judged positions: who defends the lost side
  bool no_store = false;
};

inline constexpr std::uint64_t kEvaluatedPositions = 400;

// Looks at the moves, and keeps what it found in the store as a run that is done.
Result<std::vector<play::KeptMoves>> evaluate_moves(
    const std::shared_ptr<const games::AnyGame>& game, const EvalMovesArguments& arguments,
    Seed seed, ThreadPool& pool, const Context& context);
// "won or drawn positions of games between random, flat:10 and uct:1000"
std::string about_moves(const EvalMovesArguments& arguments);
void print_moves(const play::KeptMoves& moves);

// The whole of `eval PLAYER GAME` for a game of two; returns the exit code.
int eval_moves(const GameChoice& choice, const EvalMovesArguments& arguments,
               const Context& context);

}  // namespace damier::app
