// A network of patches as a player of minesweeper: the report's two players, without flags and with
// them. What the network said of a patch is kept, so that a move costs only the patches that have
// changed. A choice follows from what is seen alone, but for the first cell, and
// for the one case in which all flags are lifted at once.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/base/result.h"
#include "damier/games/minesweeper/minesweeper.h"
#include "damier/games/outcome.h"
#include "damier/model/minesweeper/patch.h"
#include "damier/model/minesweeper/patch_encoder.h"
#include "damier/model/predictor.h"

namespace damier::play {

struct PatchPlayerOptions {
  bool flags = false;
  // With flags: the safest cell is opened when its probability is below `playful` less the highest
  // probability, or when that one is no more than `threshold`; otherwise the cell of the highest is
  // flagged. The report's best are these; its first player with flags has 1 and 0.
  double playful = 1.15;
  double threshold = 0.96;
  // The report's game did not count flags; the rules allow as many as there are bombs.
  bool unlimited_flags = true;
};

class PatchPlayer {
 public:
  // A error when the network reads no patch or gives no probability.
  static Result<PatchPlayer> open(std::shared_ptr<model::Predictor> predictor,
                                  const PatchPlayerOptions& options = {});

  // The same player with buffers of its own, for another game or thread.
  PatchPlayer copy() const { return {predictor_->clone(), head_, diameter_, options_}; }

  int diameter() const { return diameter_; }
  const PatchPlayerOptions& options() const { return options_; }

  // An opening, or a flag set or lifted. The game must not be over.
  games::minesweeper::Move choose(const games::minesweeper::Observation& view,
                                  RandomStream& random);

  // By cell: the predicted probability of each masked one, -1 for all others. A player without
  // flags takes a flagged cell for a masked one.
  std::vector<float> probabilities(const games::minesweeper::Observation& view);

  // A whole game: the same as with choose().
  games::HiddenResult play(const games::minesweeper::Minesweeper& game, Seed deal,
                           RandomStream& random);

 private:
  // What is still to be done after all flags were found wanting.
  struct Step {
    games::minesweeper::Move move;
    Code expected = Code::masked;  // what the cell must show for it
    bool may_be_skipped = false;
  };

  games::minesweeper::Move decide(int bombs, RandomStream& random);
  games::minesweeper::Move decide_with_flags(int bombs);
  std::optional<games::minesweeper::Move> planned();
  void plan_without_flags();
  // Probabilities of the cells, in their order, into probabilities_.
  void evaluate(std::span<const int> cells);

  PatchPlayer(std::shared_ptr<model::Predictor> predictor, model::PatchHead head, int diameter,
              const PatchPlayerOptions& options);

  std::shared_ptr<model::Predictor> predictor_;
  model::PatchHead head_;
  int diameter_;
  PatchPlayerOptions options_;
  model::WalledBoard board_;
  std::vector<int> masked_, flagged_;  // cells of the board, in order
  std::vector<float> probabilities_;
  std::vector<Step> plan_;  // the next one last

  // The predictions that are kept: a place for each hash, with the patch that it is of.
  std::size_t slots_;
  std::vector<Code> slot_patch_;
  std::vector<float> slot_probability_;
  std::vector<std::int32_t> slot_row_;  // of the batch that is being asked; or a constant
  // The batch.
  std::vector<float> inputs_;
  std::vector<std::size_t> row_slot_;
  std::vector<std::int32_t> cell_row_;
};

}  // namespace damier::play
