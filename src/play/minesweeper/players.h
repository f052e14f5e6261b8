// Players of minesweeper that see a board and nothing else: the solver, networks, and both
// together.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "damier/games/minesweeper/minesweeper.h"
#include "damier/model/predictor.h"
#include "damier/play/players/hidden_players.h"
#include "damier/play/players/player_kind.h"

namespace damier::play {

class MinesweeperPlayer : public Player {
 public:
  using Code = games::minesweeper::Code;
  using Minesweeper = games::minesweeper::Minesweeper;
  using Observation = games::minesweeper::Observation;

  // The game must not be over.
  virtual games::minesweeper::Move choose_move(const Observation& board, RandomStream& random) = 0;
  // What it takes for the probability of a bomb, of every cell, row-major; where nothing is masked
  // it means nothing. Empty: it has no such figures.
  virtual std::vector<float> probabilities(const Observation&) { return {}; }
  // A whole game, the same as move by move; after an interrupt it may be left unfinished.
  virtual games::HiddenResult play(const Minesweeper& game, Seed deal, RandomStream& random) = 0;
  // Many, each the same as if it were played alone.
  virtual std::vector<games::HiddenResult> play_all(const Minesweeper& game,
                                                    std::span<const Seed> deals,
                                                    std::span<RandomStream> random);

  games::Action choose(const games::Session& session, RandomStream& random) override;
};

// "solver", "solver:net=MODEL", "net", "net:MODEL,flags", for boards of any size.
using MinesweeperFactory = std::function<std::unique_ptr<MinesweeperPlayer>()>;
Result<MinesweeperFactory> open_minesweeper_player(std::string_view text);
Result<std::unique_ptr<MinesweeperPlayer>> make_minesweeper_player(std::string_view text);

// A network of patches as a player: the report's two players, without flags and with them. What the
// network said of a patch is kept, so that a move costs only the patches that have changed. A
// choice follows from what is seen alone, but for the first cell, and for the one case in which all
// flags are lifted at once.
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

// Players with buffers of their own. A error when the network reads no patch or gives no
// probability.
Result<MinesweeperFactory> patch_players(std::shared_ptr<const model::Predictor> predictor,
                                         const PatchPlayerOptions& options = {});

template <>
struct OwnPlayers<games::minesweeper::Minesweeper> {
  static constexpr const char* kStrongest = "solver";
  static std::vector<PlayerKind> kinds(const games::minesweeper::Minesweeper&);
};

namespace detail {

// Players of minesweeper have faster ways than a session, which keeps the whole game.
template <>
std::vector<games::HiddenResult> play_hidden<games::minesweeper::Minesweeper>(
    const games::AnyGame& game, Player& player, std::span<const Seed> deals,
    std::span<RandomStream> random);

}  // namespace detail

}  // namespace damier::play
