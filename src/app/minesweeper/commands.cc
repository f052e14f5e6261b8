// What minesweeper offers to the commands: the probability of a bomb in every cell, over the board,
// as a hint and as the analysis of a board from a file.

#include <algorithm>

#include <fmt/format.h>

#include "damier/app/commands/builtin_commands.h"
#include "damier/app/context.h"
#include "damier/app/minesweeper/view.h"
#include "damier/app/terminal/board_printer.h"
#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/language.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/games/any_game_impl.h"
#include "damier/games/coordinates.h"
#include "damier/play/analysis/played_game.h"
#include "damier/play/minesweeper/players.h"

namespace damier::app {

namespace {

using exact::minesweeper::Probabilities;
using games::minesweeper::Minesweeper;
using games::minesweeper::Observation;

constexpr std::size_t kMaxBoard = 64 << 10;  // bytes of text

constexpr std::string_view kExamples[] = {
    "{program} play minesweeper expert",
    "{program} analyze minesweeper --board board.txt",
    "{program} analyze minesweeper game.json",
    "{program} eval minesweeper --board 10x10x10 --games 20000 --seed 11",
    "{program} eval solver minesweeper --board 10x10x10 --games 20000 --seed 7",
    "{program} eval solver:first=corner minesweeper --board 16x30x99 --json",
    "{program} reproduce minesweeper --quick -o quick.html",
    "{program} generate minesweeper --count 100000 --set board=10x10x10 -o boards.data",
};

Observation observed(const games::Session& session) {
  const auto& history = games::history_of<Minesweeper>(session);
  return history.game().observe(history.state());
}

// The probabilities of bombs where the player may open a cell next: none while the rules protect
// it.
Result<Probabilities> opening_probabilities(const games::Session& session, const Observation& board,
                                            const exact::minesweeper::ProbabilityOptions& options) {
  auto found = exact::minesweeper::probabilities(board, options);
  const auto& history = games::history_of<Minesweeper>(session);
  if (found && history.game().protects_opening(history.state())) {
    for (double& bomb : found->bomb) {
      if (bomb != Probabilities::kNotMasked) bomb = 0;
    }
  }
  return found;
}

// What a player takes for the probabilities, row-major; none for the solver, whose probabilities
// are exact.
Result<std::vector<float>> estimates_of(const std::optional<std::string>& player,
                                        const Observation& board) {
  if (!player || *player == "solver") return std::vector<float>();
  const auto asked = TRY(play::make_minesweeper_player(*player));
  auto estimates = asked->probabilities(board);
  if (!estimates.empty()) return estimates;
  return Error{
      fmt::format("{} gives no probabilities; expected net, net:MODEL or solver", *player)};
}

std::vector<std::string> probability_lines(const Observation& board,
                                           const Probabilities& probabilities,
                                           const std::vector<float>& estimates,
                                           const std::optional<std::string>& player,
                                           const Look& look) {
  return estimates.empty()
             ? probability_board(board, probabilities, look)
             : compared_probabilities(board, probabilities, estimates, player.value_or(""), look);
}

// Whether the deal is won by opening nothing but what is certainly safe.
Result<bool> needs_no_guess(const Minesweeper& game, games::minesweeper::State state) {
  while (game.outcome(state) == games::Outcome::ongoing) {
    const auto found =
        TRY(exact::minesweeper::probabilities(game.observe(state), {.dead_cells = false}));
    bool opened = false;
    for (std::size_t cell = 0; cell < found.bomb.size(); ++cell) {
      const int row = static_cast<int>(cell) / game.cols(),
                col = static_cast<int>(cell) % game.cols();
      const bool is_masked = (state.open[static_cast<std::size_t>(row)] >> col & 1) == 0;
      if (found.bomb[cell] != 0 || !is_masked) continue;  // or a patch has opened it meanwhile
      game.open(state, row, col);
      opened = true;
    }
    if (!opened) return false;
  }
  return game.outcome(state) == games::Outcome::first_wins;
}

Result<Seed> seed_without_guesses(const Minesweeper& game, Seed from, games::Action first) {
  for (std::uint64_t seed = value_of(from);; ++seed) {
    if (interrupted()) return Error{"no board without guesses was found in time; try fewer bombs"};
    auto state = game.deal(Seed{seed});
    const auto move = game.move(state, first);
    if (!move || move->act != games::minesweeper::Act::open) {
      return Error{"the first move does not open a cell"};
    }
    game.play(state, *move);
    if (game.outcome(state) != games::Outcome::ongoing) continue;
    const auto good = needs_no_guess(game, state);
    if (good && *good) return Seed{seed};
  }
}

Result<int> analyze_board(const AnalyzeRequest& request) {
  // The position of this game is a file with the board as its player sees it.
  const auto& file = request.board ? request.board : request.position;
  if (!file) {
    return Error{"analyze minesweeper: give the board with --board FILE ('-' for standard input)"};
  }
  if (request.board && request.position) {
    return Error{fmt::format("two boards are given, {} and --board; expected one",
                             in_quotes(*request.position))};
  }
  const std::string source = *file == "-" ? "standard input" : *file;
  const auto text = TRY(read_file(*file, kMaxBoard));
  auto board = TRY(Minesweeper().parse_observation(text).in(source));
  auto probabilities = TRY(exact::minesweeper::probabilities(board).in(source));
  auto estimates = TRY(estimates_of(request.player, board).in("--player"));
  if (request.json) {
    print_json("analyze",
               probabilities_json(board, probabilities, request.player.value_or(""), estimates));
    return kDone;
  }
  for (const auto& line :
       probability_lines(board, probabilities, estimates, request.player, detect_look(false))) {
    print_output("{}\n", line);
  }
  print_output("\n{}\n", arrangements_line(board, probabilities));
  for (const auto& line : minesweeper_advice(board, probabilities)) print_output("{}\n", line);
  if (std::none_of(board.cells.begin(), board.cells.end(), games::minesweeper::is_number)) {
    print_output(
        "{}\n",
        tr("nothing is open: the first cell opened is safe unless the rules say first=any"));
  }
  return kDone;
}

class MinesweeperCommands final : public GameCommands {
 public:
  MinesweeperCommands() : GameCommands("minesweeper") {}

  std::span<const std::string_view> examples() const override { return kExamples; }
  std::pair<std::string_view, std::string_view> invitation() const override {
    return {"{program} play minesweeper beginner", "the classic, with flags, chords and 3BV"};
  }

  void add_board_options(CommandLine line) override {
    line.add_flag("--overlay", overlay_,
                  "minesweeper: show the probability of a bomb in every masked cell, in colours");
  }

  std::optional<std::string> board(const games::Session& session, const Seat& seat) const override {
    if (!overlay_ || seat.is_over) return std::nullopt;
    const Observation board = observed(session);
    const auto probabilities = opening_probabilities(session, board, {.dead_cells = false});
    if (!probabilities) return std::nullopt;
    std::string text;
    for (const auto& line : probability_board(board, *probabilities, seat.look))
      text += line + "\n";
    return text + caption_text(session.picture(), seat.look);
  }

  std::optional<Lines> hint(const games::Session& session, const std::optional<std::string>& player,
                            const Look& look) const override {
    const Observation board = observed(session);
    const auto probabilities = opening_probabilities(session, board, {});
    if (!probabilities) return Lines{probabilities.error().text()};
    const auto estimates = estimates_of(player, board);
    if (!estimates) return Lines{estimates.error().text()};
    Lines lines = probability_lines(board, *probabilities, *estimates, player, look);
    const auto& history = games::history_of<Minesweeper>(session);
    if (history.game().protects_opening(history.state())) {
      lines.push_back(tr("any cell is safe: the rules keep bombs away from the first one opened"));
      lines.push_back(tr("a corner is the most likely zero: it has the fewest neighbours"));
      return lines;
    }
    for (auto& line : minesweeper_advice(board, *probabilities)) lines.push_back(std::move(line));
    return lines;
  }

  std::optional<play::Judgement> judge(const games::Session& session,
                                       games::Action action) const override {
    const auto& history = games::history_of<Minesweeper>(session);
    const auto move = history.game().move(history.state(), action);
    if (!move || move->act != games::minesweeper::Act::open) return std::nullopt;
    const Observation board = observed(session);
    const auto found = opening_probabilities(session, board, {.dead_cells = false});
    if (!found) return std::nullopt;
    const double bomb = found->bomb[move->cell];
    std::size_t safest = move->cell;
    for (std::size_t cell = 0; cell < found->bomb.size(); ++cell) {
      const double other = found->bomb[cell];
      if (other != Probabilities::kNotMasked && other < found->bomb[safest]) safest = cell;
    }
    const int cell = static_cast<int>(safest);
    return play::Judgement{
        tr_format("bomb {:.1f} %", 100 * bomb),
        safest == move->cell ? "" : games::cell_name({cell / board.cols, cell % board.cols}),
        2 * (bomb - found->bomb[safest])};
  }

  std::optional<Result<Json>> analysis(const games::Session& session,
                                       const std::optional<std::string>& player) const override {
    const Observation board = observed(session);
    const auto found = TRY(opening_probabilities(session, board, {}));
    const auto estimates = TRY(estimates_of(player, board));
    return probabilities_json(board, found, player.value_or(""), estimates);
  }

  std::optional<Result<Seed>> fair_seed(const games::Session& start, Seed from,
                                        games::Action first) const override {
    return seed_without_guesses(games::history_of<Minesweeper>(start).game(), from, first);
  }

  std::optional<Result<int>> analyze(const AnalyzeRequest& request) const override {
    return analyze_board(request);
  }

 private:
  bool overlay_ = false;
};

}  // namespace

std::unique_ptr<GameCommands> minesweeper_commands() {
  return std::make_unique<MinesweeperCommands>();
}

}  // namespace damier::app
