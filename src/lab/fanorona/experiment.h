// The experiment on fanoron-telo: a report's network and the extensions it names, trained as it
// says and evaluated by the exact solution; then ours, on positions it never saw, and in games.
#pragma once

#include <string>
#include <vector>

#include "damier/lab/experiment.h"
#include "damier/lab/fanorona/evaluation.h"
#include "damier/lab/matches.h"
#include "damier/learn/train/recipe.h"

namespace damier::lab {

// How much of it is done; the tests do little.
struct FanoronaPlan {
  // The report's network first, then its extensions; all on the same data and the same split.
  std::vector<std::string> recipes = {
      "fanorona-report",   "fanorona-adam",        "fanorona-batch-norm", "fanorona-dropout",
      "fanorona-residual", "fanorona-convolution", "fanorona-attention"};
  learn::Settings settings = {};
  std::string ours = "fanorona";
  learn::Settings ours_settings = {};
  std::string player = "net";  // the model that ships
  std::vector<std::string> opponents = {"perfect", "minimax:6", "random"};
  std::int64_t games = 200;  // against each of them
  int opening_plies = 4;
  std::size_t most_states = 0;  // of the reachable ones that the player is asked about; 0: all
};

FanoronaPlan fanorona_plan(bool quick);

// A network, and where it goes wrong.
struct FanoronaNetwork {
  std::string name;  // "batch norm"
  TrainedNetwork trained;
  FanoronaEvaluation evaluation;

  Estimate on_test(std::string_view metric) const { return trained.metric("test", metric); }
};

// All that was measured.
struct FanoronaFindings {
  FanoronaPlan plan;
  std::vector<FanoronaNetwork> networks;  // as plan.recipes
  FanoronaNetwork ours;
  FanoronaEvaluation reachable;        // of the player
  std::vector<MatchFindings> matches;  // as plan.opponents
};

Result<FanoronaFindings> study_fanorona(const FanoronaPlan& plan, const ExperimentOptions& options,
                                        const ExperimentContext& context);

// The extension that keeps the value most often; 0 where there is none.
std::size_t best_extension(const FanoronaFindings& findings);
// The findings by the names of experiments/fanorona.json.
Measured measured_fanorona(const FanoronaFindings& findings);

// The findings as tables and as a page (report.cc).
Result<ExperimentResult> present_fanorona(const Published& published,
                                          const FanoronaFindings& findings,
                                          const ExperimentOptions& options);

Result<ExperimentResult> run_fanorona(const Published& published, const ExperimentOptions& options,
                                      const ExperimentContext& context);

}  // namespace damier::lab
