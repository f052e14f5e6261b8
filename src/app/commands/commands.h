// The commands' entry points; each stands in command_NAME.cc.
#pragma once

#include <functional>

#include "damier/app/context.h"

namespace damier::app {

std::function<int()> setup_analyze(CommandLine line, Context& context);
std::function<int()> setup_bench(CommandLine line, Context& context);
std::function<int()> setup_completion(CommandLine line, Context& context);
std::function<int()> setup_data(CommandLine line, Context& context);
std::function<int()> setup_eval(CommandLine line, Context& context);
std::function<int()> setup_export(CommandLine line, Context& context);
std::function<int()> setup_games(CommandLine line, Context& context);
std::function<int()> setup_generate(CommandLine line, Context& context);
std::function<int()> setup_help(CommandLine line, Context& context);
std::function<int()> setup_init(CommandLine line, Context& context);
std::function<int()> setup_inspect(CommandLine line, Context& context);
std::function<int()> setup_match(CommandLine line, Context& context);
std::function<int()> setup_models(CommandLine line, Context& context);
std::function<int()> setup_perft(CommandLine line, Context& context);
std::function<int()> setup_play(CommandLine line, Context& context);
std::function<int()> setup_predict(CommandLine line, Context& context);
std::function<int()> setup_ratings(CommandLine line, Context& context);
std::function<int()> setup_report(CommandLine line, Context& context);
std::function<int()> setup_reproduce(CommandLine line, Context& context);
std::function<int()> setup_runs(CommandLine line, Context& context);
std::function<int()> setup_serve(CommandLine line, Context& context);
std::function<int()> setup_solve(CommandLine line, Context& context);
std::function<int()> setup_strength(CommandLine line, Context& context);
std::function<int()> setup_tournament(CommandLine line, Context& context);
std::function<int()> setup_train(CommandLine line, Context& context);
std::function<int()> setup_uci(CommandLine line, Context& context);
std::function<int()> setup_verify(CommandLine line, Context& context);
std::function<int()> setup_version(CommandLine line, Context& context);

}  // namespace damier::app
