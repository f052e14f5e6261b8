// The experiment on fanoron-telo: a report's network and the extensions it names, trained as it
// says and judged by the exact solution; then ours, on positions it never saw, and in games.
//
// The one thing to know: the report publishes no figure at all, so ours stand beside goals of our
// own, and every network is asked the same questions about the same unseen positions.
#pragma once

#include <string>
#include <vector>

#include "damier/lab/experiment.h"
#include "damier/lab/fanorona/examination.h"
#include "damier/lab/trained_step.h"
#include "damier/learn/training/recipe.h"

namespace damier::lab {

const Experiment& fanorona_experiment();

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

// All that was measured.
struct FanoronaFindings {
  FanoronaPlan plan;
  bool quick = false;
  Seed seed = Seed{1};
  std::string command;
  std::vector<TrainedNetwork> networks;  // as plan.recipes
  std::vector<FanoronaExamination> examinations;
  TrainedNetwork ours;
  FanoronaExamination ours_examination;
  std::vector<FanoronaCell> reachable;  // of the player
  std::vector<FanoronaMatch> matches;   // as plan.opponents
};

Result<FanoronaFindings> study_fanorona(const FanoronaPlan& plan, const ExperimentOptions& options,
                                        const ExperimentContext& context);

// The findings as tables and as a page (fanorona_report.cc).
ExperimentResult present_fanorona(const FanoronaFindings& findings);

}  // namespace damier::lab
