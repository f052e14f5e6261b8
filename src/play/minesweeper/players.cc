#include "damier/play/minesweeper/players.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"
#include "damier/exact/minesweeper/solver.h"
#include "damier/games/any_game_impl.h"
#include "damier/model/library.h"
#include "damier/model/minesweeper/board_encoder.h"
#include "damier/model/minesweeper/patch_encoder.h"
#include "damier/play/minesweeper/network.h"
#include "damier/play/minesweeper/patch_player.h"

namespace damier::play {

namespace {

using exact::minesweeper::FirstCell;
using exact::minesweeper::Solver;
using exact::minesweeper::SolverOptions;
using games::HiddenResult;
using games::minesweeper::Minesweeper;
using games::minesweeper::Move;
using games::minesweeper::Observation;

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
    for (std::size_t i = 0; i < deals.size() && !interrupted(); ++i) {
      results[i] = engine_.play(game, deals[i], random[i]);
    }
  }

 protected:
  Engine engine_;
};

using SolverPlayer = EnginePlayer<Solver>;

class PatchNetworkPlayer final : public EnginePlayer<PatchPlayer> {
 public:
  using EnginePlayer::EnginePlayer;
  std::vector<float> probabilities(const Observation& board) override {
    return engine_.probabilities(board);
  }
};

class BoardNetworkPlayer final : public MinesweeperPlayer {
 public:
  explicit BoardNetworkPlayer(MinesweeperNetwork network) : network_(std::move(network)) {}

  Move choose_move(const Observation& board, RandomStream& random) override {
    return network_.choose(board, random);
  }
  std::vector<float> probabilities(const Observation& board) override {
    return std::move(network_.evaluate({&board, 1}).front().bomb);
  }
  void play(const Minesweeper& game, std::span<const Seed> deals, std::span<RandomStream> random,
            std::span<HiddenResult> results) override {
    const auto played = network_.play(game, deals, random);
    std::copy(played.begin(), played.end(), results.begin());
  }

 private:
  MinesweeperNetwork network_;
};

template <class T>
std::shared_ptr<const T> share(T value) {
  return std::make_shared<const T>(std::move(value));
}

class NetworkAdviser final : public exact::minesweeper::Adviser {
 public:
  explicit NetworkAdviser(MinesweeperNetwork network) : network_(std::move(network)) {}

  Opinion ask(const Observation& board) override {
    auto predictions = network_.evaluate({&board, 1});
    return {std::move(predictions.front().bomb), std::move(predictions.front().win)};
  }

 private:
  MinesweeperNetwork network_;
};

Result<MinesweeperFactory> open_solver(PlayerText& text) {
  constexpr std::string_view kFirst[] = {"random", "corner"};
  SolverOptions options;
  if (text.word("first=CELL", "the first cell", kFirst) == "corner") {
    options.first = FirstCell::corner;
  }
  const auto name = text.text(
      "net=MODEL", "a network for guesses, and for probabilities where counting takes too long");
  options.adviser_gain =
      text.number("gain=X", "its guess is taken if it wins more often by this share", 0, 1000,
                  options.adviser_gain);
  TRY(text.finish());
  if (!name) {
    return MinesweeperFactory(
        [options] { return std::make_unique<SolverPlayer>(Solver(options)); });
  }
  const auto model = model::open_named_model(*name);
  if (!model) return text.error(model.error());
  auto network = MinesweeperNetwork::open(*model);
  if (!network) return text.error(std::move(network).error());
  if (!network->knows_wins()) {
    return text.error(
        Error{"has no head 'win'; the solver needs one that knows probabilities of winning",
              {model->path}});
  }
  return MinesweeperFactory([options, shared = share(*std::move(network))] {
    SolverOptions own = options;
    own.adviser = std::make_shared<NetworkAdviser>(shared->copy());
    return std::make_unique<SolverPlayer>(Solver(own));
  });
}

// The options of both kinds of network, with which each goes.
struct NetworkOptions {
  MinesweeperNetworkOptions board;
  PatchPlayerOptions patches;
};

NetworkOptions read_network_options(PlayerText& text) {
  NetworkOptions options;
  options.board.safe_below =
      text.number("safe=X", "whole boards: open a cell at once below this probability of a bomb", 0,
                  1, options.board.safe_below);
  options.board.margin =
      text.number("margin=X", "whole boards: how far a guess may lie above the lowest probability",
                  0, 1, options.board.margin);
  options.patches.flags = text.flag("flags", "patches: set flags too");
  options.patches.playful = text.number(
      "pl=X", "with flags: open when the lowest probability is below this minus the highest", 0, 2,
      options.patches.playful);
  options.patches.threshold =
      text.number("ft=X", "with flags: open when the highest probability is at most this", 0, 2,
                  options.patches.threshold);
  options.patches.unlimited_flags =
      !text.flag("limited", "with flags: set at most as many as there are bombs");
  return options;
}

Result<MinesweeperFactory> open_patches(const PlayerText& text, const model::Model& model,
                                        const PatchPlayerOptions& options) {
  TRY(text.refuse({"safe", "margin"}, "networks that see whole boards"));
  if (auto known = encoder_of(model, model::minesweeper_patch_encoders()); !known) {
    return text.error(std::move(known).error());
  }
  constexpr int kPatches = 128;
  auto player = PatchPlayer::open(model::predict_with(model, kPatches), options);
  if (!player) return text.error(std::move(player).error().in(model.path));
  return MinesweeperFactory([shared = share(*std::move(player))] {
    return std::make_unique<PatchNetworkPlayer>(shared->copy());
  });
}

Result<MinesweeperFactory> open_network(PlayerText& text) {
  const std::string name = text.text(kNetworkModel, kNetworkModelHelp, Minesweeper::facts().name);
  const NetworkOptions options = read_network_options(text);
  TRY(text.finish());
  auto model = model::open_named_model(name);
  if (!model) return text.error(std::move(model).error());
  if (model->origin("task") == model::minesweeper_patch_encoders().task) {
    return open_patches(text, *model, options.patches);
  }
  TRY(text.refuse({"flags", "pl", "ft", "limited"}, "networks of patches"));
  if (auto known = encoder_of(*model, model::minesweeper_board_encoders()); !known) {
    return text.error(std::move(known).error());
  }
  auto network = MinesweeperNetwork::open(*model, options.board);
  if (!network) return text.error(std::move(network).error());
  return MinesweeperFactory([shared = share(*std::move(network))] {
    return std::make_unique<BoardNetworkPlayer>(shared->copy());
  });
}

// Of the masked cells without a flag.
Move safest_opening(const Observation& board, const std::vector<float>& probabilities) {
  std::size_t best = board.cells.size();
  for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
    if (board.cells[cell] != games::minesweeper::Code::masked) continue;
    if (best == board.cells.size() || probabilities[cell] < probabilities[best]) best = cell;
  }
  return {games::minesweeper::Act::open, static_cast<std::uint16_t>(best)};
}

struct Kind {
  std::string_view name;
  std::string_view help;
  Result<MinesweeperFactory> (*open)(PlayerText&);
};
constexpr Kind kKinds[] = {
    {"solver", "certain cells first, then the guess that wins most, the end game exactly",
     open_solver},
    {kNetworkName, kNetworkHelp, open_network}};

}  // namespace

games::Action MinesweeperPlayer::choose(const games::Session& session, RandomStream& random) {
  const auto& history = games::history_of<Minesweeper>(session);
  const Minesweeper& game = history.game();
  const Observation board = game.observe(history.state());
  Move move = choose_move(board, random);
  // A player that sets flags as it likes meets the rules, which count them: it opens instead.
  if (!game.is_legal(history.state(), move)) move = safest_opening(board, probabilities(board));
  return game.action(history.state(), move);
}

Result<MinesweeperFactory> open_minesweeper_player(std::string_view text) {
  auto parsed = TRY(PlayerText::parse(text));
  for (const Kind& kind : kKinds) {
    if (kind.name == parsed.name()) return kind.open(parsed);
  }
  return Error{
      fmt::format("player {} has no view of a board; expected net or solver", in_quotes(text))};
}

Result<std::unique_ptr<MinesweeperPlayer>> make_minesweeper_player(std::string_view text) {
  const auto factory = TRY(open_minesweeper_player(text));
  return factory();
}

std::vector<PlayerKind> OwnPlayers<Minesweeper>::kinds(const Minesweeper&) {
  std::vector<PlayerKind> kinds;
  for (const Kind& kind : kKinds) {
    kinds.push_back({std::string(kind.name), std::string(kind.help),
                     [open = kind.open](PlayerText& text) -> Result<PlayerFactory> {
                       auto factory = TRY(open(text));
                       return PlayerFactory(std::move(factory));
                     }});
  }
  return kinds;
}

namespace detail {

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

}  // namespace damier::play
