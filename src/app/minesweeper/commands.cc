// What minesweeper offers to the commands: the probability of a bomb in every cell, over the board,
// as a hint and as the analysis of a board from a file.

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "damier/app/commands/builtin_commands.h"
#include "damier/app/context.h"
#include "damier/app/terminal/board_printer.h"
#include "damier/base/files/files.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/language.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/exact/minesweeper/end_game.h"
#include "damier/exact/minesweeper/probabilities.h"
#include "damier/exact/minesweeper/solver.h"
#include "damier/games/any_game_impl.h"
#include "damier/games/coordinates.h"
#include "damier/play/analysis/played_game.h"
#include "damier/play/minesweeper/players.h"

namespace damier::app {

namespace {

using exact::minesweeper::Probabilities;
using games::minesweeper::Code;
using games::minesweeper::Minesweeper;
using games::minesweeper::Observation;
using Lines = GameCommands::Lines;

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

// What is known of a board as its player sees it.
struct BoardAnswer {
  Observation board;
  Probabilities exact;
  std::vector<float> estimates;  // of the network that was asked, row-major; empty: the solver
  std::string player;
};

// A ground from green over yellow to red, in the terminal's cube of 6 x 6 x 6 colours.
int ground_of(double probability) {
  if (probability <= 0) return 28;
  if (probability >= 1) return 124;
  constexpr int kSteps[] = {64, 100, 136, 172, 166, 160};
  return kSteps[std::min(5, static_cast<int>(probability * 6))];
}

// Without colours a probability has a sign to be told from a number by, and a gap before it.
int cell_width(const Look& look) { return look.colour ? 4 : 5; }

constexpr int kRowLabel = 3;  // columns

std::string percent(double probability) {
  if (probability <= 0) return "0";
  if (probability >= 1) return "100";
  if (probability < 0.01) return "<1";
  if (probability > 0.99) return ">99";
  return fmt::format("{:.0f}", 100 * probability);
}

std::string cell_name(const Observation& board, int cell) {
  return games::cell_name({cell / board.cols, cell % board.cols});
}

std::string names_of(const BoardAnswer& answer, double bomb) {
  constexpr std::size_t kMaxCells = 12;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < answer.exact.bomb.size(); ++i) {
    if (answer.exact.bomb[i] != bomb) continue;
    names.push_back(cell_name(answer.board, static_cast<int>(i)));
  }
  const std::size_t shown = std::min(kMaxCells, names.size());
  const std::string text = join(std::span(names).first(shown), " ");
  return names.size() == shown ? text : text + tr_format(" and {} more", names.size() - shown);
}

// Over the masked cells.
double mean_difference(const BoardAnswer& answer) {
  double sum = 0;
  int masked = 0;
  for (std::size_t i = 0; i < answer.exact.bomb.size(); ++i) {
    if (answer.exact.bomb[i] == Probabilities::kNotMasked) continue;
    sum += std::abs(answer.exact.bomb[i] - static_cast<double>(answer.estimates[i]));
    ++masked;
  }
  return masked == 0 ? 0 : sum / masked;
}

// Rows of numbers, null where nothing is masked.
template <class Number>
Json rows_json(const Probabilities& exact, std::span<const Number> numbers) {
  Json rows = Json::array();
  for (int row = 0; row < exact.rows; ++row) {
    Json line = Json::array();
    for (int col = 0; col < exact.cols; ++col) {
      const auto cell = static_cast<std::size_t>(row * exact.cols + col);
      line.push_back(exact.is_masked(row, col) ? Json(numbers[cell]) : Json(nullptr));
    }
    rows.push_back(std::move(line));
  }
  return rows;
}

std::string probability_cell(Code code, double probability, const Look& look) {
  if (probability == Probabilities::kNotMasked) {
    const std::string sign = code == Code::bomb ? "*"
                             : !is_number(code) ? " "
                             : static_cast<int>(code) == 0
                                 ? (look.unicode ? "·" : ".")
                                 : fmt::format("{}", static_cast<int>(code));
    return painted(look, Ink::faint, fmt::format("{:>{}}", sign, cell_width(look)));
  }
  if (!look.colour) return fmt::format("{:>4}%", percent(probability));
  return fmt::format(" \x1b[38;5;231;48;5;{}m{:>3}\x1b[0m", ground_of(probability),
                     percent(probability));
}

// The board with the probability of a bomb, in percent, in every masked cell; green is safe, red is
// not.
Lines probability_board(const Observation& board, const Probabilities& probabilities,
                        const Look& look) {
  // Wide boards come in parts of about the same width, one below the other.
  const int most = std::clamp((line_limit() - kRowLabel) / cell_width(look), 1, board.cols);
  const int parts = (board.cols + most - 1) / most;
  Lines lines;
  for (int part = 0; part < parts; ++part) {
    const int first = board.cols * part / parts, end = board.cols * (part + 1) / parts;
    if (part > 0) lines.emplace_back();
    std::string header(kRowLabel, ' ');
    for (int col = first; col < end; ++col) {
      header += fmt::format("{:>{}}", games::column_name(col), cell_width(look));
    }
    lines.push_back(painted(look, Ink::faint, header));
    for (int row = 0; row < board.rows; ++row) {
      std::string line = painted(look, Ink::faint, fmt::format("{:>{}}", row + 1, kRowLabel));
      for (int col = first; col < end; ++col) {
        line += probability_cell(board.at(row, col), probabilities.at(row, col), look);
      }
      lines.push_back(line);
    }
  }
  return lines;
}

// The exact probabilities; beside them, where the terminal is wide enough, those that a network
// gives, and how far apart they are.
Lines probability_lines(const BoardAnswer& answer, const Look& look) {
  Lines lines = probability_board(answer.board, answer.exact, look);
  if (answer.estimates.empty()) return lines;
  Probabilities estimated = answer.exact;
  for (std::size_t i = 0; i < estimated.bomb.size(); ++i) {
    if (estimated.bomb[i] == Probabilities::kNotMasked) continue;
    estimated.bomb[i] = static_cast<double>(answer.estimates[i]);
  }
  const Lines said = probability_board(answer.board, estimated, look);
  constexpr int kGap = 4;
  const int width = kRowLabel + cell_width(look) * answer.board.cols;
  const std::string exact = "    " + tr("exact");
  if (2 * width + kGap <= terminal_columns()) {
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i] += std::string(kGap, ' ') + said[i];
    lines.insert(lines.begin(), fmt::format("{:<{}}{}", exact, width + kGap, answer.player));
  } else {
    lines.insert(lines.begin(), exact);
    lines.push_back("    " + answer.player);
    lines.insert(lines.end(), said.begin(), said.end());
  }
  lines.push_back(
      tr_format("mean absolute difference over the masked cells: {:.4f}", mean_difference(answer)));
  return lines;
}

// What to do next, in a line or a few.
Lines advice(const BoardAnswer& answer) {
  Lines lines;
  const std::string safe = names_of(answer, 0), bombs = names_of(answer, 1);
  if (!safe.empty()) lines.push_back(tr_format("certainly safe: {}", safe));
  if (!bombs.empty()) lines.push_back(tr_format("certainly bombs: {}", bombs));
  const bool open =
      std::ranges::any_of(answer.exact.bomb, [](double bomb) { return bomb >= 0 && bomb < 1; });
  if (!open || !safe.empty()) return lines;
  exact::minesweeper::Solver solver;
  RandomStream random(Seed{0}, "minesweeper.advice");
  const int cell = solver.choose(answer.board, random).cell;
  lines.push_back(tr_format("best guess: {}, a bomb with {:.1f} %", cell_name(answer.board, cell),
                            100 * answer.exact.bomb[static_cast<std::size_t>(cell)]));
  if (const auto end = exact::minesweeper::end_game(answer.board)) {
    lines.push_back(tr_format("with best play the game is won with {:.1f} %", 100 * end->win));
  }
  return lines;
}

Json answer_json(const BoardAnswer& answer) {
  const auto& [board, exact, estimates, player] = answer;
  Json dead = Json::array();
  for (std::size_t cell = 0; cell < exact.dead.size(); ++cell) {
    if (exact.dead[cell] != 0) dead.push_back(cell_name(board, static_cast<int>(cell)));
  }
  Json json = {{"game", "minesweeper"},
               {"rows", board.rows},
               {"cols", board.cols},
               {"bombs", board.bombs},
               {"arrangements", exact.arrangements},
               {"probability", rows_json<double>(exact, exact.bomb)},
               {"dead", std::move(dead)}};
  if (!estimates.empty()) {
    json["player"] = player;
    json["network"] = rows_json<float>(exact, estimates);
    json["mean_absolute_difference"] = mean_difference(answer);
  }
  if (const auto end = exact::minesweeper::end_game(board)) {
    Json moves = Json::array();
    for (const auto& move : end->moves) {
      moves.push_back({{"move", cell_name(board, move.cell)}, {"win", move.win}});
    }
    json["end_game"] = {{"win", end->win}, {"moves", std::move(moves)}};
  }
  return json;
}

// How many arrangements of bombs fit.
std::string arrangements_line(const BoardAnswer& answer) {
  const std::string bombs = tr_counted(answer.board.bombs, "bomb");
  const std::string& number = answer.exact.arrangements;
  if (number == "1") {
    return tr_format("1 arrangement of {} fits; each number is a probability in percent", bombs);
  }
  return tr_format(
      "{} arrangements of {} fit; each number is a probability in percent",
      number.size() <= 24 ? number : fmt::format("10^{:.1f}", answer.exact.arrangements_log10),
      bombs);
}

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

Result<BoardAnswer> answer_of(const games::Session& session,
                              const std::optional<std::string>& player) {
  BoardAnswer answer{.board = observed(session), .player = player.value_or("")};
  answer.exact = TRY(opening_probabilities(session, answer.board, {}));
  answer.estimates = TRY(estimates_of(player, answer.board));
  return answer;
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
  BoardAnswer answer{.board = {}, .player = request.player.value_or("")};
  answer.board = TRY(Minesweeper().parse_observation(text).in(source));
  answer.exact = TRY(exact::minesweeper::probabilities(answer.board).in(source));
  answer.estimates = TRY(estimates_of(request.player, answer.board).in("--player"));
  if (request.json) {
    print_json("analyze", answer_json(answer));
    return kDone;
  }
  for (const auto& line : probability_lines(answer, detect_look(false))) {
    print_output("{}\n", line);
  }
  print_output("\n{}\n", arrangements_line(answer));
  for (const auto& line : advice(answer)) print_output("{}\n", line);
  if (std::ranges::none_of(answer.board.cells, games::minesweeper::is_number)) {
    print_output(
        "{}\n",
        tr("nothing is open: the first cell opened is safe unless the rules say first=any"));
  }
  return kDone;
}

class MinesweeperCommands final : public GameCommands {
 public:
  MinesweeperCommands()
      : GameCommands("minesweeper", {kExamples,
                                     {"{program} play minesweeper beginner",
                                      "the classic, with flags, chords and 3BV"}}) {}

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
    const auto answer = answer_of(session, player);
    if (!answer) return Lines{answer.error().text()};
    Lines lines = probability_lines(*answer, look);
    const auto& history = games::history_of<Minesweeper>(session);
    if (history.game().protects_opening(history.state())) {
      lines.push_back(tr("any cell is safe: the rules keep bombs away from the first one opened"));
      lines.push_back(tr("a corner is the most likely zero: it has the fewest neighbours"));
      return lines;
    }
    const Lines more = advice(*answer);
    lines.insert(lines.end(), more.begin(), more.end());
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
    const auto answer = TRY(answer_of(session, player));
    return answer_json(answer);
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
