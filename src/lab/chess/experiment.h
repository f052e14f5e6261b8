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
  std::vector<std::string> encoders = {"raw-bytes", "bytes", "bits"};
  std::vector<std::string> rules = {"local", "backpropagation"};
  std::vector<double> rates;             // of the sweep
  std::string swept = "bytes";           // the encoder of the sweep
  learn::Settings settings = {};         // of all that learns from the report's positions
  learn::Settings better_settings = {};  // of chess-value
};

ChessPlan chess_plan(const Published& published, bool quick);

// The report's network with another encoder and rule, and the fitted piece-square table: one layer
// over the bits.
Result<learn::Recipe> chess_report_recipe(const ChessPlan& plan, const std::string& encoder,
                                          const std::string& rule);
Result<learn::Recipe> chess_table_recipe(const ChessPlan& plan);

// What learn/chess/value_errors.h measures.
struct ChessErrors {
  double centipawns = 0, centipawns_reach = 0;  // half of the interval
  double r_squared = 0;
  double sign_agreement = 0;
  double squared_error = 0, squared_reach = 0;
  std::int64_t n = 0, decided = 0;

  // By the metric's name.
  Estimate estimate(std::string_view metric) const;
};
void describe(auto& fields, Is<ChessErrors> auto& errors) {
  fields("centipawns", errors.centipawns);
  fields("centipawns_reach", errors.centipawns_reach);
  fields("r_squared", errors.r_squared);
  fields("sign_agreement", errors.sign_agreement);
  fields("squared_error", errors.squared_error);
  fields("squared_reach", errors.squared_reach);
  fields("n", errors.n);
  fields("decided", errors.decided);
}

struct ChessNetwork {
  std::string encoder, rule;
  double rate = 0;
  TrainedNetwork trained;

  std::string key() const { return encoder + "." + rule; }
  std::string name() const;  // "bytes / 255, local rule"
};

// All that was measured; errors are those on the test games of the report's positions.
struct ChessFindings {
  ChessPlan plan;
  std::vector<ChessNetwork> networks;  // by encoder, then by rule
  std::vector<ChessNetwork> sweep;     // by rate, then by rule
  ChessErrors zero, material;
  TrainedNetwork table;
  TrainedNetwork better;
  ChessErrors better_errors;
};

Result<ChessFindings> study_chess(const Published& published, const ChessPlan& plan,
                                  const ExperimentOptions& options,
                                  const ExperimentContext& context);

// The findings by the names of experiments/chess.json.
Measured measured_chess(const ChessFindings& findings);

// The findings as tables and as a page (report.cc).
Result<ExperimentResult> present_chess(const Published& published, const ChessFindings& findings,
                                       const ExperimentOptions& options);

Result<ExperimentResult> run_chess(const Published& published, const ExperimentOptions& options,
                                   const ExperimentContext& context);

}  // namespace damier::lab
