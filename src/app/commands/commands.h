// The commands' entry points; each stands in command_NAME.cc.
#pragma once

#include <functional>

#include "damier/app/context.h"

namespace damier::app {

Action setup_analyze(CommandLine line, Context& context);
Action setup_bench(CommandLine line, Context& context);
Action setup_completion(CommandLine line, Context& context);
Action setup_data(CommandLine line, Context& context);
Action setup_eval(CommandLine line, Context& context);
Action setup_export(CommandLine line, Context& context);
Action setup_games(CommandLine line, Context& context);
Action setup_generate(CommandLine line, Context& context);
Action setup_help(CommandLine line, Context& context);
Action setup_init(CommandLine line, Context& context);
Action setup_inspect(CommandLine line, Context& context);
Action setup_match(CommandLine line, Context& context);
Action setup_models(CommandLine line, Context& context);
Action setup_perft(CommandLine line, Context& context);
Action setup_play(CommandLine line, Context& context);
Action setup_predict(CommandLine line, Context& context);
Action setup_ratings(CommandLine line, Context& context);
Action setup_report(CommandLine line, Context& context);
Action setup_reproduce(CommandLine line, Context& context);
Action setup_runs(CommandLine line, Context& context);
Action setup_serve(CommandLine line, Context& context);
Action setup_solve(CommandLine line, Context& context);
Action setup_strength(CommandLine line, Context& context);
Action setup_tournament(CommandLine line, Context& context);
Action setup_train(CommandLine line, Context& context);
Action setup_uci(CommandLine line, Context& context);
Action setup_verify(CommandLine line, Context& context);
Action setup_version(CommandLine line, Context& context);

}  // namespace damier::app
