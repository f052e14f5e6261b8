// `damier eval MODEL`: how well a network knows its task.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "damier/app/context.h"
#include "damier/app/eval/moves.h"

namespace damier::app {

struct EvalModelArguments {
  std::string model;                // as the person wrote it
  std::optional<std::string> data;  // a data set to be evaluated on; none: the task's own sets
  std::uint64_t games = 0;          // against the strongest player; 0: none
  EvalMovesArguments moves = {};    // of a game that is solved: other players, too
};

// For a model of a game of two players; returns the exit code.
Result<int> eval_model(const EvalModelArguments& arguments, const Context& context);

// The game that a model plays, or an error that says why it is not known.
Result<std::string> game_of_model(const std::string& path);

}  // namespace damier::app
