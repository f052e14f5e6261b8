// A network that plays minesweeper: what it says of the cells of a board of any size, and the cell
// that it would open.
//
// It is all convolutions, so the weights that were learnt in one frame are put to work on boards of
// any size. Its choice is a function of what a player sees alone, except for the first cell.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "damier/exact/minesweeper/solver.h"
#include "damier/model/model.h"
#include "damier/play/minesweeper/players.h"

namespace damier::play {

struct MinesweeperNetworkOptions {
  // A cell that is less likely a bomb than this is opened as safe.
  double safe_below = 0.005;
  // Otherwise cells with no more than this above the least probability are compared by their
  // probability to win.
  double margin = 0.04;
  // Boards that fit are laid into a square of this side, with walls around; 0: none is.
  int frame = 0;
};

class MinesweeperNetwork final : public MinesweeperPlayer {
 public:
  static Result<MinesweeperNetwork> open(const model::Model& model,
                                         const MinesweeperNetworkOptions& options = {});
  // The same weights with buffers of its own, for another thread.
  MinesweeperNetwork copy() const { return {weights_, options_}; }

  const nn::NetworkSpec& spec() const { return weights_->spec(); }
  bool knows_wins() const { return win_head_ >= 0; }

  // What it says of one board does not depend on the others.
  std::vector<exact::minesweeper::Opinion> evaluate(std::span<const Observation> boards);

  // An opening, or the lifting of a flag from the cell to be opened.
  games::minesweeper::Move choose_move(const Observation& observation,
                                       RandomStream& random) override;
  std::vector<float> probabilities(const Observation& board) override {
    return std::move(evaluate({&board, 1}).front().bomb);
  }
  // `random` chooses the first cell.
  games::HiddenResult play(const Minesweeper& game, Seed seed, RandomStream& random) override {
    return play_all(game, std::span(&seed, 1), std::span(&random, 1))[0];
  }
  // Side by side.
  std::vector<games::HiddenResult> play_all(const Minesweeper& game, std::span<const Seed> seeds,
                                            std::span<RandomStream> random) override;

  // Codes (board_code) of a board, as a player sees it who keeps no flags.
  struct View {
    int rows = 0;
    int cols = 0;
    int bombs = 0;
    std::span<const std::uint8_t> codes;
  };
  // The cells to be opened on boards that have an open cell.
  std::vector<int> choose_cells(std::span<const View> boards);

 private:
  MinesweeperNetwork(std::shared_ptr<const nn::Network<float>> weights,
                     const MinesweeperNetworkOptions& options);
  // Compiled for boards of that size; up to kBatch at a time.
  nn::Network<float>& network_for(int rows, int cols);
  // The extents of what the network sees of a board.
  std::pair<int, int> extents(int rows, int cols) const {
    if (rows <= options_.frame && cols <= options_.frame) return {options_.frame, options_.frame};
    return {rows, cols};
  }
  // Calls use(i, bomb, win, stride) for each board, with its outputs from its first cell on.
  template <class Use>
  void run(std::span<const View> boards, const Use& use);
  int best_cell(const View& board, const float* bomb, const float* win, int stride) const;

  std::shared_ptr<const nn::Network<float>> weights_;
  MinesweeperNetworkOptions options_;
  int bomb_head_ = -1;
  int win_head_ = -1;
  std::map<std::pair<int, int>, std::unique_ptr<nn::Network<float>>> networks_;
  std::vector<float> inputs_;
  std::vector<std::uint8_t> framed_;
};

}  // namespace damier::play
