// The commands' entry points; each stands in command_NAME.cc.
#pragma once

#include <functional>

#include "damier/app/context.h"

namespace damier::app {

std::function<int()> setup_analyze(CLI::App& app, Context& context);
std::function<int()> setup_bench(CLI::App& app, Context& context);
std::function<int()> setup_completion(CLI::App& app, Context& context);
std::function<int()> setup_data(CLI::App& app, Context& context);
std::function<int()> setup_eval(CLI::App& app, Context& context);
std::function<int()> setup_export(CLI::App& app, Context& context);
std::function<int()> setup_games(CLI::App& app, Context& context);
std::function<int()> setup_generate(CLI::App& app, Context& context);
std::function<int()> setup_help(CLI::App& app, Context& context);
std::function<int()> setup_init(CLI::App& app, Context& context);
std::function<int()> setup_inspect(CLI::App& app, Context& context);
std::function<int()> setup_match(CLI::App& app, Context& context);
std::function<int()> setup_models(CLI::App& app, Context& context);
std::function<int()> setup_perft(CLI::App& app, Context& context);
std::function<int()> setup_play(CLI::App& app, Context& context);
std::function<int()> setup_predict(CLI::App& app, Context& context);
std::function<int()> setup_ratings(CLI::App& app, Context& context);
std::function<int()> setup_report(CLI::App& app, Context& context);
std::function<int()> setup_reproduce(CLI::App& app, Context& context);
std::function<int()> setup_runs(CLI::App& app, Context& context);
std::function<int()> setup_solve(CLI::App& app, Context& context);
std::function<int()> setup_tournament(CLI::App& app, Context& context);
std::function<int()> setup_train(CLI::App& app, Context& context);

}  // namespace damier::app
