// The experiment on chess: a report's dense evaluator with its layer-local rule and with plain
// backpropagation, on raw bytes, on bytes divided by 255 and on bits, measured in games that were
// not learnt from, beside three baselines and a better network.
#pragma once

#include <string>
#include <vector>

#include "damier/lab/experiment.h"
#include "damier/learn/train/recipe.h"

namespace damier::lab {

// How much of it is done; the tests do little.
struct ChessPlan {
  std::vector<std::string> encoders, rules;
  std::vector<double> rates;        // of the sweep
  std::string swept;                // the encoder of the sweep
  learn::Settings settings;         // of all that learns from the report's positions
  learn::Settings table_settings;   // of the piece-square table, before those
  learn::Settings better_settings;  // of chess-value
};
void describe(auto& fields, Is<ChessPlan> auto& plan) {
  fields("encoders", plan.encoders);
  fields("rules", plan.rules);
  fields("rates", plan.rates);
  fields("swept", plan.swept);
  fields("settings", plan.settings);
  fields("table_settings", plan.table_settings);
  fields("better_settings", plan.better_settings);
}

// The report's network with another encoder and rule, and the fitted piece-square table: one layer
// over the bits.
Result<learn::Recipe> chess_report_recipe(const ChessPlan& plan, const std::string& encoder,
                                          const std::string& rule);
Result<learn::Recipe> chess_table_recipe(const ChessPlan& plan);

Result<Json> study_chess(const Published& published, const ChessPlan& plan,
                         const ExperimentOptions& options, const ExperimentContext& context);

}  // namespace damier::lab
