// `damier eval` of the moves of players: how often they keep what a position is worth, by the
// solver of the game or by a file that knows it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "damier/app/context.h"
#include "damier/play/analysis/move_quality.h"

namespace damier::app {

struct EvalMovesArguments {
  std::vector<std::string> players;
  std::vector<std::string> from;  // whose games give the positions
  std::optional<std::uint64_t> positions;
  std::optional<std::string> judged;   // a file that gives them instead
  std::optional<std::string> against;  // with a file: who defends the lost side
  bool no_store = false;
};

inline constexpr std::uint64_t kEvaluatedPositions = 400;

// Whether a result can be kept is found out before the work; nothing with --no-store.
Result<std::optional<Store>> store_for(const EvalMovesArguments& arguments);
// As a run that is done already.
Status keep_evaluation(std::optional<Store>& store, const games::AnyGame& game, Json config,
                       Seed seed, const Json& summary);
// The game and its rules.
std::string task_text(const games::AnyGame& game);

// Looks at the moves in positions of games, and keeps what it found in the store as a run that is
// done.
Result<std::vector<play::MoveQualities>> evaluate_moves(
    const std::shared_ptr<const games::AnyGame>& game, const EvalMovesArguments& arguments,
    Seed seed, ThreadPool& pool, const Context& context);
// "won or drawn positions of games between random, flat:10 and uct:1000"
std::string about_moves(const EvalMovesArguments& arguments);
void print_moves(const play::MoveQualities& moves);

// The whole of `eval PLAYER GAME` for a game of two; returns the exit code.
Result<int> eval_moves(const GameChoice& choice, const EvalMovesArguments& arguments,
                       const Context& context);
// The same with --judged FILE.
Result<int> eval_judged(const GameChoice& choice, const EvalMovesArguments& arguments,
                        const Context& context);

}  // namespace damier::app
