// Players of minesweeper that see a board and nothing else: the solver, networks, and both
// together.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "damier/games/minesweeper/minesweeper.h"
#include "damier/play/players/hidden_players.h"
#include "damier/play/players/player_kind.h"

namespace damier::play {

class MinesweeperPlayer : public Player {
 public:
  using Minesweeper = games::minesweeper::Minesweeper;
  using Observation = games::minesweeper::Observation;

  // The game must not be over.
  virtual games::minesweeper::Move choose_move(const Observation& board, RandomStream& random) = 0;
  // What it takes for the probability of a bomb, of every cell, row-major; where nothing is masked
  // it means nothing. Empty: it has no such figures.
  virtual std::vector<float> probabilities(const Observation&) { return {}; }
  // Whole games, the same as move by move; after an interrupt they may be left unfinished.
  virtual void play(const Minesweeper& game, std::span<const Seed> deals,
                    std::span<RandomStream> random, std::span<games::HiddenResult> results) = 0;

  games::Action choose(const games::Session& session, RandomStream& random) override;
};

// "solver", "solver:net=MODEL", "net", "net:MODEL,flags", for boards of any size.
using MinesweeperFactory = std::function<std::unique_ptr<MinesweeperPlayer>()>;
Result<MinesweeperFactory> open_minesweeper_player(std::string_view text);
Result<std::unique_ptr<MinesweeperPlayer>> make_minesweeper_player(std::string_view text);

template <>
struct OwnPlayers<games::minesweeper::Minesweeper> {
  static constexpr const char* kStrongest = "solver";
  static std::vector<PlayerKind> kinds(const games::minesweeper::Minesweeper&);
};

namespace detail {

// Players of minesweeper have faster ways than a session, which keeps the whole game.
template <>
void play_hidden<games::minesweeper::Minesweeper>(const games::AnyGame& game, Player& player,
                                                  std::span<const Seed> deals,
                                                  std::span<RandomStream> random,
                                                  std::span<games::HiddenResult> results);

}  // namespace detail

}  // namespace damier::play
