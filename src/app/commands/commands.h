// The commands' entry points, and the JSON documents that a command prints with --json and the
// workbench's server gives its pages.
#pragma once

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

// --- documents ---

// {"games": […]}, as `games --json`.
Json games_document(const play::Registry& registry);

// What cannot be read is left out and named.
struct UnreadModels {
  std::vector<Error> models;
  DamagedRows runs;
};
// {"models": […]}, as `models --json`.
Result<Json> models_document(UnreadModels& unread);
// As `inspect MODEL --json`.
Result<Json> inspect_document(const std::string& model);

// {"runs": […]}, as `runs --json`; one run with its curves, as `runs show RUN --json`.
Result<Json> runs_document(Store& store, DamagedRows* damaged);
Result<Json> run_document(Store& store, const std::string& name, DamagedRows* damaged);

// {"experiments": […]}, as `reproduce --json`.
Result<Json> experiments_document();
// The page that `reproduce` wrote of an experiment here the last time.
Result<std::string> kept_report(const std::string& experiment, bool quick);

// A document as it goes out: its schema first.
Json with_schema(std::string_view name, const Json& body);

}  // namespace damier::app
