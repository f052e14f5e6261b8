#include "damier/arena/minesweeper/players.h"

#include <fmt/format.h>

#include "damier/base/text.h"
#include "damier/games/any_game_impl.h"
#include "damier/learn/minesweeper/board_task.h"
#include "damier/learn/minesweeper/network.h"
#include "damier/learn/minesweeper/patch_player.h"
#include "damier/learn/minesweeper/patch_task.h"
#include "damier/learn/model/model_library.h"
#include "damier/solve/minesweeper/solver.h"

namespace damier::arena {

namespace {

using detail::HiddenResult;
using games::minesweeper::Minesweeper;
using games::minesweeper::Move;
using games::minesweeper::Observation;
using solve::minesweeper::FirstCell;
using solve::minesweeper::Solver;
using solve::minesweeper::SolverOptions;

// Something that chooses a move and plays whole games one at a time: the solver, or a network of
// patches.
template <class Engine>
class EnginePlayer : public MinesweeperPlayer {
 public:
  explicit EnginePlayer(Engine engine) : engine_(std::move(engine)) {}

  Move choose_move(const Observation& board, RandomStream& random) override {
    return engine_.choose(board, random);
  }
  void play(const Minesweeper& game, std::span<const Seed> deals, std::span<RandomStream> random,
            std::span<HiddenResult> results) override {
    for (std::size_t i = 0; i < deals.size(); ++i) {
      const auto result = engine_.play(game, deals[i], random[i]);
      results[i] = {result.won, static_cast<double>(result.score)};
    }
  }

 protected:
  Engine engine_;
};

using SolverPlayer = EnginePlayer<Solver>;

class PatchNetworkPlayer final : public EnginePlayer<learn::PatchPlayer> {
 public:
  using EnginePlayer::EnginePlayer;
  std::vector<float> risks(const Observation& board) override { return engine_.risks(board); }
};

class BoardNetworkPlayer final : public MinesweeperPlayer {
 public:
  explicit BoardNetworkPlayer(learn::MinesweeperNetwork network) : network_(std::move(network)) {}

  Move choose_move(const Observation& board, RandomStream& random) override {
    return network_.choose(board, random);
  }
  std::vector<float> risks(const Observation& board) override {
    return std::move(network_.evaluate({&board, 1}).front().bomb);
  }
  void play(const Minesweeper& game, std::span<const Seed> deals, std::span<RandomStream> random,
            std::span<HiddenResult> results) override {
    const auto played = network_.play(game, deals, random);
    for (std::size_t i = 0; i < played.size(); ++i) {
      results[i] = {played[i].won, static_cast<double>(played[i].score)};
    }
  }

 private:
  learn::MinesweeperNetwork network_;
};

class NetworkAdviser final : public solve::minesweeper::Adviser {
 public:
  explicit NetworkAdviser(learn::MinesweeperNetwork network) : network_(std::move(network)) {}

  Opinion ask(const Observation& board) override {
    auto chances = network_.evaluate({&board, 1});
    return {std::move(chances.front().bomb), std::move(chances.front().win)};
  }

 private:
  learn::MinesweeperNetwork network_;
};

std::unique_ptr<MinesweeperPlayer> make_solver(PlayerText& text) {
  constexpr std::string_view kFirst[] = {"random", "corner"};
  SolverOptions options;
  if (text.word("first", kFirst) == "corner") options.first = FirstCell::corner;
  const bool advised = text.has("net");
  const std::string name = text.text("net", "");
  options.adviser_gain = text.number("gain", 0, 1000, options.adviser_gain);
  if (advised) {
    const auto path = learn::model_path(name);
    if (!path) return text.fail(path.error()), nullptr;
    auto network = learn::MinesweeperNetwork::open(*path);
    if (!network) return text.fail(network.error()), nullptr;
    if (!network->knows_wins()) {
      text.fail(
          Error{"has no head 'win'; the solver needs one that knows chances to win", {*path}});
      return nullptr;
    }
    options.adviser = std::make_shared<NetworkAdviser>(*std::move(network));
  }
  return std::make_unique<SolverPlayer>(Solver(options));
}

std::unique_ptr<MinesweeperPlayer> make_patch_network(PlayerText& text, const learn::Model& model) {
  if (auto status = check_model(model, learn::minesweeper_patch_task()); !status) {
    return text.fail(status.error()), nullptr;
  }
  learn::PatchPlayerOptions options;
  options.flags = text.flag("flags");
  options.playful = text.number("pl", 0, 2, options.playful);
  options.threshold = text.number("ft", 0, 2, options.threshold);
  constexpr int kBatch = 128;
  auto network = learn::frozen_floats(model, kBatch);
  if (!network) return text.fail(network.error()), nullptr;
  auto player = learn::PatchPlayer::open(*std::move(network), options);
  if (!player) return text.fail(std::move(player).error().in(model.path)), nullptr;
  return std::make_unique<PatchNetworkPlayer>(*std::move(player));
}

std::unique_ptr<MinesweeperPlayer> make_network(PlayerText& text) {
  const auto path = learn::model_path(text.text("", "minesweeper"));
  if (!path) return text.fail(path.error()), nullptr;
  const auto model = learn::open_model(*path, 1);
  if (!model) return text.fail(model.error()), nullptr;
  if (model->origin("task") == learn::minesweeper_patch_task().name()) {
    return make_patch_network(text, *model);
  }
  if (auto status = check_model(*model, learn::minesweeper_board_task()); !status) {
    return text.fail(status.error()), nullptr;
  }
  learn::MinesweeperNetworkOptions options;
  options.safe_below = text.number("safe", 0, 1, options.safe_below);
  options.margin = text.number("margin", 0, 1, options.margin);
  auto network = learn::MinesweeperNetwork::open(*path, options);
  if (!network) return text.fail(network.error()), nullptr;
  return std::make_unique<BoardNetworkPlayer>(*std::move(network));
}

}  // namespace

games::Action MinesweeperPlayer::choose(const games::Session& session, RandomStream& random) {
  const auto& history = games::history_of<Minesweeper>(session);
  const Minesweeper& game = history.game();
  return game.action(history.state(), choose_move(game.observe(history.state()), random));
}

std::unique_ptr<MinesweeperPlayer> make_minesweeper_player(PlayerText& text) {
  return text.name() == "net" ? make_network(text) : make_solver(text);
}

Result<std::unique_ptr<MinesweeperPlayer>> make_minesweeper_player(std::string_view text) {
  auto parsed = PlayerText::parse(text);
  if (!parsed) return std::move(parsed).error();
  if (parsed->name() != "net" && parsed->name() != "solver") {
    return Error{
        fmt::format("player {} has no view of a board; expected net or solver", in_quotes(text))};
  }
  auto player = make_minesweeper_player(*parsed);
  if (auto status = parsed->finish(); !status) return std::move(status).error();
  return player;
}

namespace detail {

std::unique_ptr<Player> HiddenPlayers<Minesweeper>::make(const Minesweeper&, PlayerText& text) {
  return make_minesweeper_player(text);
}

template <>
void play_hidden<Minesweeper>(const games::AnyGame& game, Player& player,
                              std::span<const Seed> deals, std::span<RandomStream> random,
                              std::span<HiddenResult> results) {
  if (auto* fast = dynamic_cast<MinesweeperPlayer*>(&player)) {
    return fast->play(games::rules_of<Minesweeper>(game), deals, random, results);
  }
  play_sessions<Minesweeper>(game, player, deals, random, results);
}

}  // namespace detail

}  // namespace damier::arena
