#include "damier/lab/minesweeper/experiment.h"

namespace damier::lab {

namespace {

class MinesweeperExperiment final : public Experiment {
 public:
  std::string_view name() const override { return "minesweeper"; }
  std::string_view title() const override {
    return "Minesweeper: a report's networks of patches step by step, and ours";
  }
  std::string_view source() const override {
    return "Salamone: Apprentissage automatique du jeu du démineur (Université de Mons, 2017–2018)";
  }
  std::vector<PublishedFigure> published() const override {
    return {{"wins on 10x10 with 10 bombs: first player", "18.2 %"},
            {"with 1,000,000 patches", "19.3 %"},
            {"with batches of 2,000 and 6 epochs", "58.6 %"},
            {"with a wider network", "58.4 %"},
            {"without duplicates", "62.5 %"},
            {"with flags", "67 %"},
            {"with flags, tuned", "86.6 %"},
            {"wins of that player on 24x24 with 58 bombs", "48.8 %"},
            {"wins of that player on 10x10 with 20 bombs", "7.9 %"}};
  }
  ExperimentDuration duration() const override { return {8400, 240}; }

  Result<ExperimentResult> run(const ExperimentOptions& options,
                               const ExperimentContext& context) const override {
    const auto findings = study_minesweeper(minesweeper_plan(options.quick), options, context);
    if (!findings) return findings.error();
    return present_minesweeper(*findings);
  }
};

}  // namespace

const Experiment& minesweeper_experiment() {
  static const MinesweeperExperiment experiment;
  return experiment;
}

}  // namespace damier::lab
