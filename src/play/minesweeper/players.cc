#include "damier/play/minesweeper/players.h"

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"
#include "damier/games/any_game_impl.h"
#include "damier/model/library.h"
#include "damier/model/minesweeper/board_encoder.h"
#include "damier/model/minesweeper/patch.h"
#include "damier/play/minesweeper/network.h"

namespace damier::play {

namespace {

using exact::minesweeper::FirstCell;
using exact::minesweeper::Solver;
using exact::minesweeper::SolverOptions;
using games::HiddenResult;
using games::minesweeper::Minesweeper;
using games::minesweeper::Move;
using games::minesweeper::Observation;

constexpr std::string_view kSolverName = "solver";

class SolverPlayer final : public MinesweeperPlayer {
 public:
  explicit SolverPlayer(const SolverOptions& options) : solver_(options) {}

  Move choose_move(const Observation& board, RandomStream& random) override {
    return solver_.choose(board, random);
  }
  HiddenResult play(const Minesweeper& game, Seed deal, RandomStream& random) override {
    return solver_.play(game, deal, random);
  }

 private:
  Solver solver_;
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
  if (!name) return MinesweeperFactory([=] { return std::make_unique<SolverPlayer>(options); });
  const auto model = TRY(model::open_named_model(*name));
  auto network = TRY(MinesweeperNetwork::open(model));
  if (!network.knows_wins()) {
    return Error{"has no head 'win'; the solver needs one that knows probabilities of winning",
                 {model.path}};
  }
  return MinesweeperFactory(
      [options, shared = std::make_shared<const MinesweeperNetwork>(std::move(network))] {
        SolverOptions own = options;
        own.adviser = [asked = std::make_shared<MinesweeperNetwork>(shared->copy())](
                          const Observation& board) {
          return asked->evaluate({&board, 1}).front();
        };
        return std::make_unique<SolverPlayer>(own);
      });
}

Result<MinesweeperFactory> open_network(PlayerText& text) {
  const std::string name = text.text(kNetworkModel, kNetworkModelHelp, Minesweeper::facts().name);
  MinesweeperNetworkOptions board;
  board.safe_below =
      text.number("safe=X", "whole boards: open a cell at once below this probability of a bomb", 0,
                  1, board.safe_below);
  board.margin =
      text.number("margin=X", "whole boards: how far a guess may lie above the lowest probability",
                  0, 1, board.margin);
  PatchPlayerOptions patches;
  patches.flags = text.flag("flags", "patches: set flags too");
  patches.playful = text.number(
      "pl=X", "with flags: open when the lowest probability is below this minus the highest", 0, 2,
      patches.playful);
  patches.threshold =
      text.number("ft=X", "with flags: open when the highest probability is at most this", 0, 2,
                  patches.threshold);
  patches.unlimited_flags =
      !text.flag("limited", "with flags: set at most as many as there are bombs");
  TRY(text.finish());
  const auto model = TRY(model::open_named_model(name));
  if (model.origin("task") == model::minesweeper_patch_encoders().task) {
    TRY(text.refuse({"safe", "margin"}, "networks that see whole boards"));
    TRY(encoder_of(model, model::minesweeper_patch_encoders()));
    constexpr int kPatches = 128;
    return patch_players(model::predict_with(model, kPatches), patches).in(model.path);
  }
  TRY(text.refuse({"flags", "pl", "ft", "limited"}, "networks of patches"));
  TRY(encoder_of(model, model::minesweeper_board_encoders()));
  auto network = TRY(MinesweeperNetwork::open(model, board));
  return MinesweeperFactory(
      [shared = std::make_shared<const MinesweeperNetwork>(std::move(network))] {
        return std::make_unique<MinesweeperNetwork>(shared->copy());
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

std::vector<HiddenResult> MinesweeperPlayer::play_all(const Minesweeper& game,
                                                      std::span<const Seed> deals,
                                                      std::span<RandomStream> random) {
  std::vector<HiddenResult> results(deals.size());
  for (std::size_t i = 0; i < deals.size() && !interrupted(); ++i) {
    results[i] = play(game, deals[i], random[i]);
  }
  return results;
}

Result<MinesweeperFactory> open_minesweeper_player(std::string_view text) {
  auto parsed = TRY(PlayerText::parse(text));
  if (parsed.name() == kSolverName) return parsed.placed(open_solver(parsed));
  if (parsed.name() == kNetworkName) return parsed.placed(open_network(parsed));
  return Error{
      fmt::format("player {} has no view of a board; expected net or solver", in_quotes(text))};
}

Result<std::unique_ptr<MinesweeperPlayer>> make_minesweeper_player(std::string_view text) {
  const auto factory = TRY(open_minesweeper_player(text));
  return factory();
}

std::vector<PlayerKind> OwnPlayers<Minesweeper>::kinds(const Minesweeper&) {
  const auto opened = [](Result<MinesweeperFactory> (*open)(PlayerText&)) {
    return [open](PlayerText& text) -> Result<PlayerFactory> {
      auto factory = TRY(open(text));
      return PlayerFactory(std::move(factory));
    };
  };
  return {{std::string(kSolverName),
           "certain cells first, then the guess that wins most, the end game exactly",
           opened(open_solver)},
          {std::string(kNetworkName), std::string(kNetworkHelp), opened(open_network)}};
}

namespace detail {

template <>
std::vector<HiddenResult> play_hidden<Minesweeper>(const games::AnyGame& game, Player& player,
                                                   std::span<const Seed> deals,
                                                   std::span<RandomStream> random) {
  auto* fast = dynamic_cast<MinesweeperPlayer*>(&player);
  return fast == nullptr ? play_sessions<Minesweeper>(game, player, deals, random)
                         : fast->play_all(games::rules_of<Minesweeper>(game), deals, random);
}

}  // namespace detail

}  // namespace damier::play
