// `damier eval PLAYER GAME --judged FILE`: how many moves keep the value of positions whose exact
// answer a file has.
#pragma once

#include <string>

#include "damier/app/context.h"
#include "damier/app/eval/moves.h"

namespace damier::app {

// Returns the exit code; `arguments.positions` of the file, all without.
int eval_judged(const GameChoice& choice, const std::string& file,
                const EvalMovesArguments& arguments, const Context& context);

}  // namespace damier::app
